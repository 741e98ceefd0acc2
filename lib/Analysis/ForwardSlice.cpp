//===- ForwardSlice.cpp - the forward part of a train step ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Analysis/ForwardSlice.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::skew;

using RecordId = FlatGraph::RecordId;
using ValueId = FlatGraph::ValueId;

ForwardSlice::ForwardSlice(const ParameterViews &views, ArrayRef<ValueId> roots)
    : members(views.graph().numRecords(), false),
      rootValues(roots.begin(), roots.end()) {
  const FlatGraph &graph = views.graph();
  SmallVector<RecordId> stack;
  auto add = [&](ValueId value) {
    RecordId id = graph.definer(value);
    if (id == FlatGraph::kNone || members[id])
      return;
    members[id] = true;
    ++numMembers;
    stack.push_back(id);
  };
  for (ValueId value : roots)
    add(value);
  while (!stack.empty())
    for (ValueId value : graph.operands(stack.pop_back_val()))
      add(value);
  for (unsigned p = 0; p < views.numParameters() && !model; ++p)
    for (ArrayRef<RecordId> uses : {views.firstUses(p), views.laterUses(p)})
      for (RecordId id : uses)
        model = model || (members[id] && (isContraction(graph.kind(id)) ||
                                          graph.kind(id) == FlowKind::gather));
}

static SmallVector<RecordId> contractionsIn(const FlatGraph &graph,
                                            ArrayRef<RecordId> uses) {
  SmallVector<RecordId> result;
  for (RecordId id : uses)
    if (isContraction(graph.kind(id)))
      result.push_back(id);
  return result;
}

/// The axes of `parameter` that contraction `id` sums over.
static AxisSet contractedAxes(const ParameterViews &views, unsigned parameter,
                              RecordId id) {
  const FlatGraph &graph = views.graph();
  const OpDims &dims = graph.dims(id);
  AxisSet axes = 0;
  for (auto [number, value] : llvm::enumerate(graph.operands(id))) {
    const ParameterView *view = views.viewOf(value);
    if (!view || view->parameter != parameter)
      continue;
    if (dims.kind == FlowKind::convolution) {
      if (number == 1)
        axes |= view->axes[dims.kernelInput];
    } else if (number < 2) {
      axes |= view->axesOf(dims.contractingDims(number));
    }
  }
  return axes;
}

/// True if contraction `id` is a look-up by a one-hot of data.
static bool isOneHotLookup(const ParameterViews &views, RecordId id) {
  const FlatGraph &graph = views.graph();
  return llvm::any_of(graph.operands(id), [&](ValueId value) {
    return !views.dependsOnParameters(value) && isOneHot(graph, value);
  });
}

/// The backward products of `parameter`. Sharing a weight is no such product:
/// it contracts the same axis. A tied head is excused once.
static SmallVector<RecordId> flippedContractions(const ParameterViews &views,
                                                 unsigned parameter) {
  const FlatGraph &graph = views.graph();
  SmallVector<RecordId> first =
      contractionsIn(graph, views.firstUses(parameter));
  SmallVector<RecordId> later =
      contractionsIn(graph, views.laterUses(parameter));
  llvm::erase_if(first,
                 [&](RecordId id) { return isOneHotLookup(views, id); });
  if (first.empty()) {
    if (!later.empty())
      later.erase(later.begin());
    return later;
  }
  AxisSet rows = contractedAxes(views, parameter, first.front());
  llvm::erase_if(later, [&](RecordId id) {
    return contractedAxes(views, parameter, id) & rows;
  });
  return later;
}

std::optional<ForwardSlice>
ForwardSlice::ofLoss(const ParameterViews &views, ArrayRef<unsigned> noLoss,
                     SmallVectorImpl<Refusal> *refusals) {
  const FlatGraph &graph = views.graph();
  unsigned numParameters = views.numParameters();
  SmallVector<SmallVector<RecordId>> products, flipped;
  llvm::DenseSet<Type> parameterTypes;
  for (unsigned p = 0; p < numParameters; ++p) {
    products.push_back(contractionsIn(graph, views.firstUses(p)));
    flipped.push_back(flippedContractions(views, p));
    parameterTypes.insert(
        graph.type(graph.arguments()[views.parameterArguments()[p]]));
  }

  std::optional<ForwardSlice> best;
  unsigned bestProducts = 0;
  // Scalars first; then vectors, for replicated or scanned steps; then, where
  // nothing else is left, results with a few backward products in them.
  struct Attempt {
    unsigned rank, percentFlipped;
  };
  for (Attempt attempt : {Attempt{0, 0}, {1, 0}, {0, 10}, {1, 10}}) {
    llvm::DenseSet<ValueId> tried;
    for (auto [number, value] : llvm::enumerate(graph.returned())) {
      auto type = dyn_cast<RankedTensorType>(graph.type(value));
      if (!type || type.getRank() != attempt.rank ||
          !isa<FloatType>(type.getElementType()) ||
          graph.definer(value) == FlatGraph::kNone ||
          !views.dependsOnParameters(value) ||
          llvm::is_contained(noLoss, number) ||
          (attempt.rank > 0 && parameterTypes.contains(type)) ||
          !tried.insert(value).second)
        continue;
      ForwardSlice slice(views, value);
      unsigned numProducts = 0, numFlipped = 0;
      for (unsigned p = 0; p < numParameters; ++p) {
        auto inSlice = [&](RecordId id) { return slice.members[id]; };
        numProducts += llvm::any_of(products[p], inSlice);
        auto *flip = llvm::find_if(flipped[p], inSlice);
        if (flip == flipped[p].end())
          continue;
        if (numFlipped++ == 0 && refusals && attempt.percentFlipped == 0)
          refusals->push_back({static_cast<unsigned>(number), *flip, p});
      }
      if (numProducts == 0 ||
          100 * numFlipped > attempt.percentFlipped * numProducts)
        continue;
      if (best && std::make_pair(bestProducts, best->size()) >=
                      std::make_pair(numProducts, slice.size()))
        continue;
      best = std::move(slice);
      best->loss = number;
      bestProducts = numProducts;
    }
    if (best)
      break;
  }
  return best;
}

ForwardSlice ForwardSlice::ofFirstUses(const ParameterViews &views) {
  const FlatGraph &graph = views.graph();
  SmallVector<ValueId> roots;
  auto addRoots = [&](RecordId id) {
    for (ValueId value : graph.results(id))
      roots.push_back(value);
  };
  for (unsigned p = 0; p < views.numParameters(); ++p) {
    bool isLookedUp = false, isUsed = false, hasProduct = false;
    for (RecordId id : views.firstUses(p)) {
      if (llvm::all_of(graph.operands(id), [&](ValueId value) {
            return views.viewOf(value) != nullptr;
          }))
        continue;
      // A raised update of a parameter without gradient.
      if (isa<UpdateOpInterface>(graph.record(id).op))
        continue;
      isUsed = true;
      isLookedUp = isLookedUp || graph.kind(id) == FlowKind::gather;
      // A second product that looks like a first use is recomputation: what
      // it reads is the layer's saved input.
      if (isContraction(graph.kind(id))) {
        if (hasProduct)
          continue;
        hasProduct = true;
        isLookedUp = isLookedUp || isOneHotLookup(views, id);
      }
      addRoots(id);
    }
    // A tied head: its first product depends on itself through the look-up.
    if (isLookedUp || !isUsed)
      for (RecordId id : contractionsIn(graph, views.laterUses(p))) {
        addRoots(id);
        break;
      }
  }
  ForwardSlice slice(views, roots);
  std::vector<bool> isRead(graph.numValues(), false);
  for (RecordId id = 0; id < graph.numRecords(); ++id)
    if (slice.members[id])
      for (ValueId value : graph.operands(id))
        isRead[value] = true;
  llvm::erase_if(slice.rootValues,
                 [&](ValueId value) { return isRead[value]; });
  return slice;
}
