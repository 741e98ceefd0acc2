//===- RoutingAnalysis.h - who decides which expert is used -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the routers of a forward slice and, for every value, where it must end.
//
// Forward, each value gets a tag. The product of a weight starts as `routing`
// and stays so through what keeps its meaning (layout, softmax, scaling). Past
// a top-k it is `chosen`. Where something chosen meets an activation, a
// *junction* dispatches or combines. A product is a router's if it is chosen
// from and has a junction.
//
// Backward, each value gets its fates: the routing decision of a router, the
// weighted side of a junction, the loss. Only what a routing weight *must* be
// applied to belongs to experts; the residual stream goes round the junction,
// so all that is backbone reaches the loss as well.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_ANALYSIS_ROUTINGANALYSIS_H
#define SKEW_ANALYSIS_ROUTINGANALYSIS_H

#include "skew/Analysis/ForwardSlice.h"
#include "llvm/ADT/MapVector.h"
#include <map>
#include <tuple>

namespace mlir::skew {

enum class TagKind : uint8_t {
  constant,   ///< depends on no parameter
  view,       ///< a parameter
  activation, ///< anything else
  routing,    ///< a product of weights that could decide something
  chosen,     ///< a routing value past a top-k
};

/// `products`: the contractions a routing or chosen value stems from, as a set
/// of RoutingAnalysis::sets().
struct Tag {
  TagKind kind = TagKind::constant;
  SetPool::Id products = SetPool::kEmpty;
  bool isRouting() const {
    return kind == TagKind::routing || kind == TagKind::chosen;
  }
  bool operator==(const Tag &o) const {
    return kind == o.kind && products == o.products;
  }
};

/// How one parameter enters the computation at one place.
enum class UseKind : uint8_t {
  product,         ///< contracted with an activation
  routedProduct,   ///< contracted with something the routing selected
  selected,        ///< picked by the routing
  selectedProduct, ///< contracted after it was picked by the routing
  lookup,          ///< indexed by something else
  scale,           ///< multiplied elementwise
  shift,           ///< added elementwise
  other,
};

struct ParameterUse {
  UseKind kind;
  FlatGraph::RecordId record;
  unsigned operand;
  const ParameterView *view;
  /// The other operand is a normalised value.
  bool normalises;
};

/// Where a value must end.
struct Fate {
  enum class Kind : uint8_t { loss, decides, isWeighted } kind;
  /// decides, isWeighted: the products of the router.
  SetPool::Id products = SetPool::kEmpty;
  /// isWeighted: the junction.
  FlatGraph::RecordId junction = FlatGraph::kNone;
  std::tuple<Kind, SetPool::Id, FlatGraph::RecordId> key() const {
    return {kind, products, junction};
  }
};

struct Router {
  SetPool::Id products;
  SmallVector<FlatGraph::RecordId> productRecords;
  /// The top-k, or whatever chooses.
  FlatGraph::RecordId choice = FlatGraph::kNone;
  SmallVector<FlatGraph::RecordId> junctions;
  /// Number of columns of its product; 0 where that is not known.
  int64_t numExperts = 0;
};

class RoutingAnalysis {
public:
  using ValueId = FlatGraph::ValueId;
  using RecordId = FlatGraph::RecordId;

  RoutingAnalysis(const ParameterViews &views, const ForwardSlice &slice);

  const ParameterViews &views() const { return parameters; }
  const FlatGraph &graph() const { return flat; }
  const ForwardSlice &slice() const { return forward; }
  const SetPool &sets() const { return productSets; }

  ArrayRef<Router> routers() const { return routerList; }
  /// The router with exactly these products, or null.
  const Router *routerOf(SetPool::Id products) const;
  Tag tag(ValueId value) const { return tags[value]; }
  /// True if `value` only takes part in the decision of some router.
  bool isRouterValue(ValueId value) const;
  /// True if `record` is the product of a router.
  bool isRouterProduct(RecordId record) const {
    return sets().contains(allRouterProducts, record);
  }
  /// The router that `record` is a junction of, or null.
  const Router *junctionAt(RecordId record) const;
  /// True if something chosen meets something else at `record`, be the choice a
  /// router's or not.
  bool isJunction(RecordId record) const { return junctions.contains(record); }

  ArrayRef<ParameterUse> usesOf(unsigned parameter) const {
    return uses[parameter];
  }
  ArrayRef<RecordId> users(ValueId value) const;

  /// Sets of fates; their elements are looked up by `fate`.
  SetPool::Id fatesOf(ValueId value) const { return fates[value]; }
  SetPool::Id fatesOfUse(const ParameterUse &use);
  SetPool::Id uniteFates(SetPool::Id a, SetPool::Id b) {
    return fateSets.unite(a, b);
  }
  const SetPool &fatePool() const { return fateSets; }
  SmallVector<Fate> fatesIn(SetPool::Id set) const;
  /// The kinds of fate in `set`, bit 1 << Kind each.
  unsigned fateKinds(SetPool::Id set) const;

  /// Bit d: the content of an activation varies along dimension d; not if only
  /// the routing does.
  uint64_t variesAlong(ValueId value) const { return varying[value]; }
  /// Bit d: dimension d is the expert axis of some routing.
  uint64_t expertDims(ValueId value) const { return expertAxes[value]; }
  /// Bit d: along dimension d, and fewer than all others, an activation was
  /// multiplied by something that tells slices apart (see `isGate`): a soft
  /// mixture. In `picked` those where that was a one-hot.
  uint64_t gatedDims(ValueId value) const { return gated[value]; }
  uint64_t pickedDims(ValueId value) const { return picked[value]; }
  /// True if `value` weights slices of products other than `products` without
  /// a choice: another weight's product, or a one-hot of data.
  bool isGate(ValueId value, SetPool::Id products) const;
  /// The dimensions of the result of `record` along which operand `number`
  /// varies, if `record` multiplies elementwise; else none.
  uint64_t gatingDims(RecordId record, unsigned number) const;
  /// Bit d: dimension d is one that the weight produced; nothing if unknown.
  std::optional<uint64_t> producedDims(ValueId value) const {
    return produced[value];
  }
  /// True if a junction of `router` is upstream of `value`.
  bool isInside(ValueId value, const Router &router) const;
  bool isInsideAny(ValueId value) const {
    return inside[value] != SetPool::kEmpty;
  }
  /// The dimensions of `value` that are no broadcast, as far as that shows.
  uint64_t nonBroadcastDims(ValueId value) const;

private:
  struct Step;
  enum class Norm : uint8_t { none, sum, scale, normalised };

  void tagForward();
  void tagRecord(RecordId id);
  void tagMeeting(Step &step);
  void tagPlain(Step &step);
  Norm normOf(const Step &step) const;
  void followSelected(const Step &step);
  void followLookup(const Step &step);
  void countChoice(const Step &step);
  void setDims(const Step &step);
  void setGates(const Step &step);
  uint64_t expertDimsOf(const Step &step) const;
  uint64_t varyingBits(ValueId value) const;
  void addUse(const Step &step, UseKind kind, unsigned operand);
  void collectRouters();
  void decideFates();
  SetPool::Id fateSet(Fate fate);
  int64_t numColumns(SetPool::Id products) const;
  uint64_t mapBits(RecordId id, unsigned operand, uint64_t bits) const;

  const FlatGraph &flat;
  const ParameterViews &parameters;
  const ForwardSlice &forward;

  SetPool productSets, fateSets, insideSets;
  std::vector<Tag> tags;
  std::vector<Norm> norms;
  std::vector<uint64_t> varying, expertAxes, gated, picked;
  std::vector<std::optional<uint64_t>> produced;
  std::vector<SetPool::Id> inside, fates;
  std::vector<std::vector<ParameterUse>> uses;
  /// Views of parameters that the routing selected from.
  std::vector<const ParameterView *> selected;
  std::deque<ParameterView> selectedStorage;

  /// Product record -> number of columns.
  DenseMap<RecordId, int64_t> columns;
  /// Set of products -> among how many of their columns something is chosen.
  DenseMap<SetPool::Id, int64_t> choiceSizes;
  /// Set of products -> the record that chose from it; -> its bit in `inside`;
  /// -> whether it belongs to one router.
  DenseMap<SetPool::Id, RecordId> choices;
  DenseMap<SetPool::Id, unsigned> junctionBits;
  mutable DenseMap<SetPool::Id, bool> isRoutersPart;
  llvm::MapVector<RecordId, SetPool::Id> junctions;
  std::vector<Router> routerList;
  DenseMap<SetPool::Id, unsigned> routerNumbers;
  SetPool::Id allRouterProducts = SetPool::kEmpty;

  std::map<std::tuple<Fate::Kind, SetPool::Id, RecordId>, unsigned> fateNumbers;
  std::vector<Fate> fateList;
  mutable DenseMap<SetPool::Id, unsigned> kindsOfSet;

  /// Users in compressed form: of value v, userIds[userStarts[v] ..).
  std::vector<uint32_t> userStarts;
  std::vector<RecordId> userIds;
};

} // namespace mlir::skew

#endif // SKEW_ANALYSIS_ROUTINGANALYSIS_H
