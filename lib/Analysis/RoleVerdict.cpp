//===- RoleVerdict.cpp - the verdict on one parameter ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoleVerdict.h"
#include "RoutedRegion.h"

using namespace mlir;
using namespace mlir::skew;
using namespace mlir::skew::detail;

using RecordId = FlatGraph::RecordId;
using ValueId = FlatGraph::ValueId;

static constexpr unsigned kDecides = 1u << unsigned(Fate::Kind::decides);
static constexpr unsigned kWeighted = 1u << unsigned(Fate::Kind::isWeighted);

namespace {

/// What is known about one parameter while it is judged.
struct Case {
  unsigned parameter;
  ArrayRef<ParameterUse> uses;
  SmallVector<const ParameterUse *> products, selections, lookups,
      selectedProducts, normalisers;
  SetPool::Id fates = SetPool::kEmpty;
  unsigned fateKinds = 0;
  /// Some product meets an expert axis of the routed activation.
  bool meetsExpertAxis = false;
  AxisSet indexed = 0, seen = 0;
};

class Judge {
public:
  explicit Judge(RoutingAnalysis &routing)
      : routing(routing), graph(routing.graph()), axes(routing),
        region(routing) {}

  std::vector<Verdict> run();

private:
  Case open(unsigned parameter);
  Verdict judge(const Case &c);
  bool judgeEmbedding(const Case &c, Verdict &v);
  bool judgeRouter(const Case &c, Verdict &v);
  bool judgeExpert(const Case &c, Verdict &v);
  void judgeExpertAxes(const Case &c, Verdict &v);
  void judgeBackbone(const Case &c, Verdict &v);
  void finishAxes(const Case &c, Verdict &v);
  AxisSet plainBatch(const Case &c);
  void dismissSparseActivations(ArrayRef<Case> cases,
                                std::vector<Verdict> &verdicts);

  void say(Verdict &v, RecordId record, const Twine &text) {
    v.evidence.push_back({graph.loc(record), text.str()});
  }
  std::string at(RecordId record) { return describeRecord(graph, record); }

  RoutingAnalysis &routing;
  const FlatGraph &graph;
  AxisReader axes;
  RoutedRegion region;
};

} // namespace

//===----------------------------------------------------------------------===//
// Verdicts, in order
//===----------------------------------------------------------------------===//

Case Judge::open(unsigned parameter) {
  Case c{};
  c.parameter = parameter;
  c.uses = routing.usesOf(parameter);
  SmallVector<const ParameterUse *> oneHots;
  for (const ParameterUse &use : c.uses) {
    c.fates = routing.uniteFates(c.fates, routing.fatesOfUse(use));
    // The view of a selected product counts the experts' axis as indexed.
    if (use.kind != UseKind::selectedProduct)
      c.indexed |= use.view->indexed;
    c.seen |= use.view->allAxes();
    if (use.normalises)
      c.normalisers.push_back(&use);
    switch (use.kind) {
    case UseKind::product:
    case UseKind::routedProduct: {
      c.products.push_back(&use);
      c.meetsExpertAxis = c.meetsExpertAxis || axes.expertAxesMet(use);
      if (graph.kind(use.record) != FlowKind::dot || use.operand > 1)
        break;
      ValueId other = graph.operand(use.record, 1 - use.operand);
      if (!routing.views().dependsOnParameters(other) && isOneHot(graph, other))
        oneHots.push_back(&use);
      break;
    }
    case UseKind::selected:
      c.selections.push_back(&use);
      break;
    case UseKind::selectedProduct:
      c.selectedProducts.push_back(&use);
      break;
    case UseKind::lookup:
      c.lookups.push_back(&use);
      break;
    default:
      break;
    }
  }
  c.fateKinds = routing.fateKinds(c.fates);
  // A true look-up speaks before a one-hot does.
  llvm::append_range(c.lookups, oneHots);
  return c;
}

bool Judge::judgeEmbedding(const Case &c, Verdict &v) {
  if (!c.lookups.empty()) {
    const ParameterUse &use = *c.lookups.front();
    v.role = Role::embedding;
    v.axes = axes.axesOf(use);
    bool isLookup = use.kind == UseKind::lookup;
    // Whole matrices, picked by an index.
    for (const ParameterUse *product : c.selectedProducts) {
      AxisSplit split = axes.axesOf(*product);
      if (!isLookup || !split.row || !split.column)
        continue;
      v.role = Role::expert;
      v.singleSided = true;
      v.axes = split;
      say(v, use.record,
          "indices that no parameter decides pick its matrices, at " +
              at(use.record));
      return true;
    }
    say(v, use.record,
        Twine(isLookup ? "looked up by indices that no parameter decides, at "
                       : "contracted with a one-hot that no parameter "
                         "decides, at ") +
            at(use.record));
    if (isLookup && !c.products.empty())
      say(v, c.products.front()->record,
          "tied head: its product is " + at(c.products.front()->record));
    return true;
  }
  if (c.selections.empty() ||
      llvm::none_of(c.products, [&](const ParameterUse *use) {
        return routing.isRouterProduct(use->record);
      }))
    return false;
  const ParameterUse &use = *c.selections.front();
  v.role = Role::embedding;
  v.singleSided = true;
  if (graph.kind(use.record) == FlowKind::gather) {
    v.axes = axes.axesOf(use);
    // Its entries are rows, as in every other look-up.
    v.axes.row |= v.axes.batch & ~use.view->indexed;
    v.axes.batch &= use.view->indexed;
  }
  say(v, use.record,
      "codebook: looked up by its own best match, at " + at(use.record));
  return true;
}

bool Judge::judgeRouter(const Case &c, Verdict &v) {
  if (!c.selections.empty() && c.products.empty() && c.fateKinds == kDecides) {
    v.role = Role::expert;
    v.singleSided = true;
    v.axes.batch = c.seen | c.indexed;
    v.router = region.routerIn(c.fates, Fate::Kind::decides);
    say(v, c.selections.front()->record,
        "a scale per expert, picked by the routing at " +
            at(c.selections.front()->record));
    return true;
  }
  const ParameterUse *routed = nullptr;
  for (const ParameterUse *use : c.products)
    if (!routed && routing.isRouterProduct(use->record))
      routed = use;
  bool onlyDecides = c.fateKinds == kDecides;
  if (!onlyDecides && (!routed || !c.selections.empty()))
    return false;
  v.role = Role::router;
  v.router = region.routerIn(c.fates, Fate::Kind::decides);
  if (!c.products.empty())
    v.axes = axes.axesOf(*c.products.front());
  RecordId first =
      c.products.empty() ? c.uses.front().record : c.products.front()->record;
  if (!v.router) {
    v.singleSided = true;
    return true;
  }
  say(v, first,
      Twine(c.products.empty() ? "its sum or scaling at " : "its product at ") +
          at(first) + " goes through " + at(v.router->choice) +
          " and weights " + at(v.router->junctions.front()));
  if (v.router->numExperts <= 1)
    v.singleSided = true;
  if (!onlyDecides) {
    v.singleSided = true;
    say(v, first, "the product is used elsewhere, too");
  }
  return true;
}

bool Judge::judgeExpert(const Case &c, Verdict &v) {
  if (c.fateKinds != kWeighted && c.selections.empty() && !c.meetsExpertAxis)
    return false;
  v.router = region.routerIn(c.fates, Fate::Kind::isWeighted);
  if (!v.router && c.meetsExpertAxis)
    v.router = region.routerUpstream(*c.products.front());
  if (!c.normalisers.empty() && c.selections.empty() && c.products.empty()) {
    v.role = Role::norm;
    say(v, c.normalisers.front()->record,
        "scale or bias of a normalised value inside a routed region, at " +
            at(c.normalisers.front()->record));
    return true;
  }
  if (!c.products.empty()) {
    v.axes = axes.axesOf(*c.products.front());
    const ParameterUse &use = *c.products.front();
    bool isInside = false;
    if (v.router)
      for (auto [number, value] : llvm::enumerate(graph.operands(use.record)))
        isInside = isInside || (number != use.operand &&
                                routing.isInside(value, *v.router));
    if (use.kind == UseKind::product && v.router && !isInside &&
        region.leadsToExperts(use.record, *v.router)) {
      v.role = Role::backbone;
      say(v, use.record,
          "shared projection before the dispatch, at " + at(use.record));
      return true;
    }
  } else if (!c.selectedProducts.empty()) {
    v.axes = axes.axesOf(*c.selectedProducts.front());
  } else if (!c.selections.empty()) {
    v.axes = axes.axesOf(*c.selections.front());
    v.axes.batch |= c.selections.front()->view->indexed;
  }
  v.role = Role::expert;
  if (!c.selections.empty()) {
    say(v, c.selections.front()->record,
        "the routing selects parts of it at " +
            at(c.selections.front()->record));
    if (!v.router)
      v.router = routing.junctionAt(c.selections.front()->record);
    return true;
  }
  judgeExpertAxes(c, v);
  return true;
}

/// Finds the expert axis, or evidence that this is one of separate experts;
/// without either the parameter is shared inside the routed region.
void Judge::judgeExpertAxes(const Case &c, Verdict &v) {
  const ParameterUse &use =
      c.products.empty() ? c.uses.front() : *c.products.front();
  if (c.products.empty())
    v.axes.column = use.view->allAxes();
  MetAxes produced = axes.expertAxesProduced(use, v.axes.column);
  AxisSet met = c.products.empty() ? 0 : axes.expertAxesMet(use);
  bool hasExpertAxis = (v.axes.batch & ~c.indexed) | met | produced.experts;
  if (hasExpertAxis) {
    v.axes.batch |= met | produced.all;
    v.axes.column &= ~v.axes.batch;
    v.axes.row &= ~v.axes.batch;
  }

  SmallVector<RecordId> junctions;
  for (const Fate &fate : routing.fatesIn(c.fates))
    if (fate.kind == Fate::Kind::isWeighted)
      junctions.push_back(fate.junction);
  bool meetsRouting = llvm::any_of(c.uses, [](const ParameterUse &use) {
    return use.kind == UseKind::routedProduct;
  });
  if (!hasExpertAxis && !meetsRouting) {
    bool perExpert =
        !junctions.empty() && llvm::none_of(junctions, [&](RecordId id) {
          return region.carriesExperts(id);
        });
    bool isShared = false;
    if (!perExpert && graph.kind(use.record) != FlowKind::raggedDot) {
      isShared = true;
      say(v, use.record,
          "inside a routed region, but no axis tells its experts apart: "
          "shared by them, at " +
              at(use.record));
    } else if (perExpert && junctions.size() > 1 &&
               region.isSharedBySeparate(c.fates)) {
      isShared = true;
      say(v, use.record, "shared by separate experts, at " + at(use.record));
    }
    if (isShared) {
      v.role = c.normalisers.empty() ? Role::backbone : Role::norm;
      return;
    }
  }
  if (!v.router) {
    say(v, use.record,
        "its product at " + at(use.record) + " reads what a routing dispatched");
    return;
  }
  const Router &router = *v.router;
  RecordId last =
      junctions.empty() ? router.junctions.front() : junctions.front();
  if (c.fateKinds == kWeighted)
    say(v, use.record,
        Twine(c.products.empty() ? "what it is added to or scales at "
                                 : "its product at ") +
            at(use.record) + " reaches the loss only through " + at(last) +
            ", weighted by what " + at(router.choice) + " chooses");
  else
    say(v, use.record,
        "its product at " + at(use.record) +
            " runs along the expert axis that " + at(router.choice) +
            " chooses from");
}

void Judge::judgeBackbone(const Case &c, Verdict &v) {
  v.role = Role::backbone;
  if (!c.products.empty()) {
    const ParameterUse &use = *c.products.front();
    v.axes = axes.axesOf(use);
    GroupAxes groups = axes.groupAxes(use, v.axes);
    v.axes.batch |= groups.all;
    v.axes.row &= ~groups.all;
    v.axes.column &= ~groups.all;
    if (groups.picked) {
      v.role = Role::expert;
      v.singleSided = true;
      say(v, use.record,
          "of the slices that its product at " + at(use.record) +
              " works on, an index that no parameter decides picks");
      return;
    }
    say(v, use.record,
        "its product at " + at(use.record) +
            " decides no routing and reaches the loss beside any");
    if (groups.all)
      say(v, use.record, "a mixture without a choice weights its slices");
    return;
  }
  const ParameterUse &first = c.uses.front();
  if (llvm::all_of(c.uses, [](const ParameterUse &use) {
        return use.kind == UseKind::scale;
      })) {
    v.role = Role::norm;
    v.singleSided = true;
    say(v, first.record,
        "only ever multiplied elementwise, at " + at(first.record));
    return;
  }
  for (const ParameterUse &use : c.uses) {
    if (use.kind != UseKind::shift)
      continue;
    ValueId other = graph.operand(use.record, 1 - use.operand);
    uint64_t live = 0;
    for (auto [dim, set] : llvm::enumerate(use.view->axes))
      if (set)
        live |= uint64_t(1) << dim;
    std::optional<uint64_t> produced = routing.producedDims(other);
    if (llvm::popcount(live) < 2 || !routing.views().dependsOnData(other) ||
        (produced && (*produced & live) == live))
      continue;
    v.role = Role::embedding;
    v.singleSided = true;
    // Features are what the product makes, positions the rest.
    uint64_t features = produced.value_or(0) & live;
    if (!features)
      features = uint64_t(1) << (63 - llvm::countl_zero(live));
    for (auto [dim, set] : llvm::enumerate(use.view->axes))
      (features >> dim & 1 ? v.axes.column : v.axes.row) |= set;
    say(v, use.record,
        "position: added over an axis that no product makes, at " +
            at(use.record));
    return;
  }
  bool isCombined = llvm::any_of(c.uses, [&](const ParameterUse &use) {
    return !routing.views().dependsOnData(graph.result(use.record));
  });
  if (isCombined) {
    v.axesNote = "combined with other parameters before its use";
    v.singleSided = true;
    say(v, first.record,
        "combined with other parameters at " + at(first.record));
    return;
  }
  say(v, first.record,
      Twine(first.kind == UseKind::shift ? "bias, added at " : "used at ") +
          at(first.record));
}

void Judge::finishAxes(const Case &c, Verdict &v) {
  AxisSplit &split = v.axes;
  v.indexed = c.indexed;
  bool isElementwise = v.role == Role::norm ||
                       ((v.role == Role::backbone || v.role == Role::router ||
                         v.role == Role::expert) &&
                        c.products.empty() && c.selections.empty());
  if (isElementwise && v.axesNote.empty()) {
    split.batch |= c.indexed;
    split.column |= c.seen & ~split.batch & ~split.row;
  }
  bool conflict = false;
  if (v.role != Role::embedding)
    for (const ParameterUse *use :
         ArrayRef(c.products)
             .drop_front(std::min<size_t>(1, c.products.size()))) {
      AxisSplit other = axes.axesOf(*use);
      conflict = conflict || (other.row & split.column & ~split.batch) ||
                 (other.column & split.row & ~split.batch);
    }
  split.row &= ~split.batch;
  split.column &= ~split.batch;
  conflict = conflict || (split.row & split.column);
  split.column &= ~split.row;
  v.axesKnown =
      v.axesNote.empty() && ((split.batch | split.row | split.column) != 0 ||
                             routing.views().shapeOf(c.parameter).empty());
  // An axis that no use shows: replicas, a unit shard.
  AxisSet all = (AxisSet(1) << routing.views().shapeOf(c.parameter).size()) - 1;
  split.batch |= all & ~split.row & ~split.column;
  if (conflict)
    v.axesNote = "two uses contract different axes";
}

Verdict Judge::judge(const Case &c) {
  Verdict v;
  if (c.uses.empty())
    return v;
  v.used = true;
  if (!judgeEmbedding(c, v) && !judgeRouter(c, v) && !judgeExpert(c, v)) {
    if (!c.normalisers.empty()) {
      v.role = Role::norm;
      RecordId id = c.normalisers.front()->record;
      say(v, id, "scale or bias of a normalised value, at " + at(id));
    } else {
      judgeBackbone(c, v);
    }
  }
  finishAxes(c, v);
  if (v.role != Role::router && v.role != Role::expert)
    v.router = nullptr;
  return v;
}

/// The batch axes of its first product that no expert axis meets.
AxisSet Judge::plainBatch(const Case &c) {
  if (c.products.empty() ||
      graph.kind(c.products.front()->record) != FlowKind::dot)
    return 0;
  const ParameterUse &use = *c.products.front();
  if (use.operand > 1)
    return 0;
  return use.view->axesOf(graph.dims(use.record).batchDims(use.operand)) &
         ~axes.expertAxesMet(use);
}

/// A router whose experts are all single vectors per column is a top-k over a
/// hidden layer, not a mixture of experts.
void Judge::dismissSparseActivations(ArrayRef<Case> cases,
                                     std::vector<Verdict> &verdicts) {
  for (const Router &router : routing.routers()) {
    bool hasExperts = false, hasMatrix = false;
    for (auto [c, v] : llvm::zip(cases, verdicts)) {
      if (v.role != Role::expert || v.router != &router)
        continue;
      hasExperts = true;
      // Without a column axis it is a matrix only if the experts' axis hides
      // one: more entries than there are experts.
      bool hidesColumns = (c.fateKinds & kWeighted) &&
                          sizeOf(routing.views().shapeOf(c.parameter),
                                 v.axes.batch & ~v.indexed) > router.numExperts;
      hasMatrix = hasMatrix || (v.axes.row && (v.axes.column || hidesColumns));
    }
    if (!hasExperts || hasMatrix)
      continue;
    for (auto [c, v] : llvm::zip(cases, verdicts)) {
      if (v.router != &router)
        continue;
      v.role = Role::backbone;
      v.router = nullptr;
      v.singleSided = true;
      // What was taken for the experts' axis counts units: made by the matrix
      // before the choice, summed over by the one behind it.
      bool isBefore = v.axes.row && !v.axes.column;
      AxisSet units = v.axes.batch & ~v.indexed & ~plainBatch(c);
      (isBefore ? v.axes.column : v.axes.row) |= units;
      v.axes.batch &= ~units;
      v.evidence.insert(
          v.evidence.begin(),
          {graph.loc(router.choice), "top-k over single columns (a sparse "
                                     "activation), no expert matrices, at " +
                                         at(router.choice)});
    }
  }
}

std::vector<Verdict> Judge::run() {
  std::vector<Case> cases;
  std::vector<Verdict> verdicts;
  for (unsigned p = 0; p < routing.views().numParameters(); ++p) {
    cases.push_back(open(p));
    verdicts.push_back(judge(cases.back()));
  }
  dismissSparseActivations(cases, verdicts);
  return verdicts;
}

std::vector<Verdict>
mlir::skew::detail::judgeParameters(RoutingAnalysis &routing) {
  return Judge(routing).run();
}
