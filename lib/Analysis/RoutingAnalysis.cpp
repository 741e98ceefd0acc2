//===- RoutingAnalysis.cpp - who decides which expert is used -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoutingStep.h"

using namespace mlir;
using namespace mlir::skew;

/// Routing weights of more products than this are mixed with something else.
static constexpr unsigned kMaxProducts = 4;

/// Kinds that, reading a chosen value, pick parts of their other operand.
static bool isSelection(FlowKind kind) {
  return kind == FlowKind::gather || kind == FlowKind::dot ||
         kind == FlowKind::raggedDot || kind == FlowKind::dynamicSlice;
}

/// Kinds that dispatch or combine. A plain sum does not: that is how auxiliary
/// losses join the loss.
static bool isJunctionKind(FlowKind kind) {
  switch (kind) {
  case FlowKind::outer:
  case FlowKind::multiply:
  case FlowKind::divide:
  case FlowKind::dot:
  case FlowKind::raggedDot:
  case FlowKind::gather:
  case FlowKind::scatter:
  case FlowKind::select:
  case FlowKind::dynamicSlice:
  case FlowKind::updateSlice:
  case FlowKind::sort:
  case FlowKind::customCall:
    return true;
  default:
    return false;
  }
}

static bool keepsElements(FlowKind kind) {
  return keepsDims(kind) || kind == FlowKind::reshape ||
         kind == FlowKind::transpose || kind == FlowKind::broadcast;
}

RoutingAnalysis::RoutingAnalysis(const ParameterViews &views,
                                 const ForwardSlice &slice)
    : flat(views.graph()), parameters(views), forward(slice),
      tags(flat.numValues()), norms(flat.numValues(), Norm::none),
      varying(flat.numValues(), 0), expertAxes(flat.numValues(), 0),
      gated(flat.numValues(), 0), picked(flat.numValues(), 0),
      produced(flat.numValues()), inside(flat.numValues(), SetPool::kEmpty),
      fates(flat.numValues(), SetPool::kEmpty), uses(views.numParameters()),
      selected(flat.numValues(), nullptr) {
  tagForward();
  collectRouters();
  decideFates();
}

//===----------------------------------------------------------------------===//
// Forward: tags
//===----------------------------------------------------------------------===//

void RoutingAnalysis::tagForward() {
  for (ValueId value = 0; value < flat.numValues(); ++value) {
    if (parameters.viewOf(value))
      tags[value].kind = TagKind::view;
    varying[value] = allBits(flat.rank(value));
  }
  for (RecordId id = 0; id < flat.numRecords(); ++id)
    if (forward.isForward(id) && flat.record(id).numResults > 0 &&
        parameters.dependsOnParameters(flat.result(id)) &&
        !parameters.viewOf(flat.result(id)))
      tagRecord(id);
}

void RoutingAnalysis::tagRecord(RecordId id) {
  Step step;
  step.id = id;
  step.kind = flat.kind(id);
  for (auto [number, value] : llvm::enumerate(flat.operands(id))) {
    if (!parameters.dependsOnParameters(value))
      continue;
    step.dependents.push_back(number);
    if (tags[value].kind == TagKind::view) {
      step.viewOperands.push_back(number);
      continue;
    }
    step.rest.push_back(number);
    if (tags[value].kind == TagKind::chosen)
      step.chosen = productSets.unite(step.chosen, tags[value].products);
    step.meetsNormalised = step.meetsNormalised ||
                           norms[value] == Norm::normalised ||
                           norms[value] == Norm::scale;
  }
  for (unsigned number : step.rest) {
    Tag tag = tags[flat.operand(id, number)];
    if (!tag.isRouting() || !productSets.includes(step.chosen, tag.products))
      step.meetsOthers = true;
  }

  followSelected(step);
  bool picksWeights = !step.viewOperands.empty() && isSelection(step.kind);
  if (step.chosen != SetPool::kEmpty && (step.meetsOthers || picksWeights)) {
    tagMeeting(step);
  } else if (isContraction(step.kind) && !step.viewOperands.empty()) {
    for (unsigned number : step.viewOperands)
      addUse(step, UseKind::product, number);
    step.out = {TagKind::routing, productSets.single(id)};
    unsigned number = step.viewOperands.front();
    std::optional<DimMap> map;
    if (step.kind == FlowKind::dot && (map = flat.mapDims(id, number))) {
      uint64_t bits = 0;
      int64_t size = 1;
      for (auto [dim, from] : llvm::enumerate(*map)) {
        if (!from || llvm::is_contained(flat.dims(id).batchDims(number),
                                        llvm::countr_zero(from)))
          continue;
        bits |= uint64_t(1) << dim;
        int64_t dimSize = flat.shape(flat.result(id))[dim];
        if (ShapedType::isDynamic(dimSize) ||
            llvm::MulOverflow(size, dimSize, size))
          size = 0;
      }
      produced[flat.result(id)] = bits;
      columns[id] = size;
    }
  } else if (step.kind == FlowKind::gather && !step.viewOperands.empty() &&
             step.viewOperands.front() == 0) {
    addUse(step, UseKind::lookup, 0);
    followLookup(step);
  } else {
    tagPlain(step);
  }

  if (step.out.kind == TagKind::chosen) {
    choices.try_emplace(step.out.products, id);
    countChoice(step);
  }

  setDims(step);
  setGates(step);
  Norm norm = normOf(step);
  SetPool::Id upstream = SetPool::kEmpty;
  for (ValueId value : flat.operands(id))
    upstream = insideSets.unite(upstream, inside[value]);
  if (auto it = junctions.find(id); it != junctions.end()) {
    unsigned bit =
        junctionBits.try_emplace(it->second, junctionBits.size()).first->second;
    upstream = insideSets.unite(upstream, insideSets.single(bit));
  }
  for (ValueId result : flat.results(id)) {
    tags[result] = step.out;
    norms[result] = norm;
    inside[result] = upstream;
  }
}

void RoutingAnalysis::addUse(const Step &step, UseKind kind, unsigned operand) {
  const ParameterView *view = parameters.viewOf(flat.operand(step.id, operand));
  bool elementwise = isElementwise(step.kind) || step.kind == FlowKind::outer;
  uses[view->parameter].push_back(
      {kind, step.id, operand, view, elementwise && step.meetsNormalised});
}

/// Something chosen meets something else.
void RoutingAnalysis::tagMeeting(Step &step) {
  if (step.meetsOthers) {
    if (isJunctionKind(step.kind))
      junctions[step.id] = step.chosen;
    for (unsigned number : step.viewOperands)
      addUse(step,
             isJunctionKind(step.kind) && isContraction(step.kind)
                 ? UseKind::routedProduct
                 : UseKind::other,
             number);
    return;
  }
  // The routing picks from a parameter. Picked vectors (a scale per expert)
  // stay part of the routing; picked matrices are what the experts compute.
  unsigned number = step.viewOperands.front();
  addUse(step, UseKind::selected, number);
  const ParameterView &view = *parameters.viewOf(flat.operand(step.id, number));
  ArrayRef<int64_t> shape = parameters.shapeOf(view.parameter);
  if (llvm::count_if(shape, [](int64_t size) { return size != 1; }) <= 1) {
    step.out = {TagKind::chosen, step.chosen};
    return;
  }
  junctions[step.id] = step.chosen;
  if (step.kind == FlowKind::gather && number == 0)
    followLookup(step);
}

/// From here on the result of the gather `step` is a selected weight.
void RoutingAnalysis::followLookup(const Step &step) {
  const ParameterView &view = *parameters.viewOf(flat.operand(step.id, 0));
  std::optional<DimMap> map = flat.mapDims(step.id, 0);
  if (!map)
    return;
  selectedStorage.push_back(
      {view.parameter, view.through(*map),
       view.indexed | view.axesOf(flat.dims(step.id).collapsed)});
  selected[flat.result(step.id)] = &selectedStorage.back();
}

/// Keeps sight of selected weights (behind the gather's bounds check) until
/// they are contracted.
void RoutingAnalysis::followSelected(const Step &step) {
  for (unsigned number : step.rest) {
    const ParameterView *view = selected[flat.operand(step.id, number)];
    if (!view)
      continue;
    if (isContraction(step.kind)) {
      uses[view->parameter].push_back(
          {UseKind::selectedProduct, step.id, number, view, false});
      continue;
    }
    bool onlyRouting = llvm::all_of(step.dependents, [&](unsigned other) {
      return other == number ||
             tags[flat.operand(step.id, other)].kind == TagKind::chosen;
    });
    std::optional<DimMap> map;
    if (!onlyRouting || !keepsElements(step.kind) ||
        !(map = flat.mapDims(step.id, number)))
      continue;
    selectedStorage.push_back(
        {view->parameter, view->through(*map), view->indexed});
    selected[flat.result(step.id)] = &selectedStorage.back();
  }
}

/// Elementwise, layout, reductions: what keeps or mixes tags.
void RoutingAnalysis::tagPlain(Step &step) {
  bool allRouting = !step.rest.empty(), sameTag = true;
  SetPool::Id all = SetPool::kEmpty;
  for (unsigned number : step.rest) {
    Tag tag = tags[flat.operand(step.id, number)];
    allRouting = allRouting && tag.isRouting();
    sameTag = sameTag && tag == tags[flat.operand(step.id, step.rest[0])];
    all = productSets.unite(all, tag.products);
  }
  if (allRouting && sameTag) {
    step.out = tags[flat.operand(step.id, step.rest[0])];
    bool twoOperands = step.rest.size() == 2;
    if (step.out.kind == TagKind::routing) {
      // A value compared with another of its kind: the k-th largest as a
      // threshold. (x != x is a test for NaN.)
      bool isThreshold = step.kind == FlowKind::compare && twoOperands &&
                         flat.operand(step.id, 0) != flat.operand(step.id, 1);
      if (isChoice(step.kind) || isThreshold)
        step.out.kind = TagKind::chosen;
      else if (isContraction(step.kind) && step.rest.size() > 1)
        step.out = {TagKind::activation, SetPool::kEmpty};
    }
  } else if (allRouting && productSets.size(all) <= kMaxProducts &&
             !isContraction(step.kind)) {
    bool isChosen = step.chosen != SetPool::kEmpty || isChoice(step.kind);
    step.out = {isChosen ? TagKind::chosen : TagKind::routing, all};
  } else if (allRouting && step.chosen != SetPool::kEmpty &&
             productSets.includes(step.chosen, all)) {
    step.out = {TagKind::chosen, step.chosen};
  }

  UseKind kind = UseKind::other;
  if (step.kind == FlowKind::multiply || step.kind == FlowKind::divide ||
      step.kind == FlowKind::outer)
    kind = UseKind::scale;
  else if (step.kind == FlowKind::add)
    kind = UseKind::shift;
  for (unsigned number : step.viewOperands)
    addUse(step, kind, number);
}

/// Sums, their roots, and what was divided by such a root.
RoutingAnalysis::Norm RoutingAnalysis::normOf(const Step &step) const {
  if (step.rest.empty())
    return Norm::none;
  auto operandNorm = [&](unsigned number) {
    return norms[flat.operand(step.id, number)];
  };
  Norm first = operandNorm(step.rest.front());
  if (step.kind == FlowKind::reduce)
    return flat.dims(step.id).sums ? Norm::sum : Norm::none;
  if (step.kind == FlowKind::dot && step.rest.size() == 2 &&
      flat.operand(step.id, 0) == flat.operand(step.id, 1))
    return Norm::sum;
  if (step.kind == FlowKind::root && first == Norm::sum)
    return Norm::scale;
  auto isStatistic = [&](unsigned number) {
    return operandNorm(number) == Norm::sum ||
           operandNorm(number) == Norm::scale;
  };
  bool isProduct = step.kind == FlowKind::multiply ||
                   step.kind == FlowKind::divide ||
                   step.kind == FlowKind::outer;
  bool hasScale = llvm::any_of(step.rest, [&](unsigned number) {
    return operandNorm(number) == Norm::scale;
  });
  if (isProduct && hasScale && step.rest.size() == 2 &&
      !llvm::all_of(step.rest, isStatistic))
    return Norm::normalised;
  bool follows = (keepsElements(step.kind) || step.kind == FlowKind::outer) &&
                 step.kind != FlowKind::squash;
  if (!follows)
    return Norm::none;
  if (llvm::all_of(step.rest, isStatistic))
    return hasScale ? Norm::scale : Norm::sum;
  return step.rest.size() == 1 && first == Norm::normalised ? first
                                                            : Norm::none;
}
