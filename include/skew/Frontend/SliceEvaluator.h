//===- SliceEvaluator.h - slices as numbers ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_FRONTEND_SLICEEVALUATOR_H
#define SKEW_FRONTEND_SLICEEVALUATOR_H

#include "skew/Dialect/Skew/IR/UpdateProbe.h"
#include "skew/Frontend/SliceGraph.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::skew {

/// Scalar conditions that are enumerated, with the value each has.
using FixedConditions = llvm::MapVector<NodeId, double>;

/// Scenarios: the second half repeats the first with new reductions.
constexpr unsigned kNumScenarios = 44;
/// More run-time conditions around one update are not enumerated.
constexpr unsigned kMaxConditions = 6;
/// Random values of every element leaf.
constexpr unsigned kNumSamples = 24;

/// Integer scalars near the constants they are compared with, and float scalars
/// that serve as exponents (steps): values worth probing. One per graph.
class ScalarHints {
public:
  explicit ScalarHints(const SliceGraph &graph);
  ArrayRef<double> getNear(NodeId leaf) const;
  bool isStep(NodeId leaf) const { return steps.contains(leaf); }

private:
  DenseMap<NodeId, SmallVector<double>> near;
  DenseSet<NodeId> steps;
};

/// Values of scalar nodes in every scenario, shared by all parameters of a
/// function; and of element leaves at every sample. `fixed` replaces the values
/// of nodes (conditions that are enumerated).
class ScalarTable {
public:
  ScalarTable(const SliceGraph &graph, const ScalarHints &hints, uint64_t seed,
              const FixedConditions &fixed = {});

  /// Values per scenario of a node whose leaves are all scalars.
  ArrayRef<double> get(NodeId node);

  /// Value of a tensor leaf at a sample; zero for sample 0 of a float.
  double getElement(NodeId leaf, unsigned sample) const;

private:
  void drawLeaf(NodeId leaf, MutableArrayRef<double> out) const;

  const SliceGraph &graph;
  const ScalarHints &hints;
  uint64_t seed;
  FixedConditions fixed;
  DenseMap<NodeId, std::unique_ptr<double[]>> table;
};

/// What a node of a slice depends on, as bits.
enum SliceDependence : uint32_t {
  DependsOnParameter = 1,
  DependsOnElements = 2,   ///< any other tensor
  DependsOnReductions = 4, ///< a scalar that is not elementwise
  DependsOnState = 8,      ///< state i: this shifted by i
};

/// The expression of one parameter's update: its new value and new states over
/// the old ones.
class UpdateSlice {
public:
  UpdateSlice(const SliceGraph &graph, NodeId parameter,
              ArrayRef<NodeId> states, NodeId newParameter,
              ArrayRef<NodeId> newStates, ArrayRef<NodeId> elements = {});

  const SliceGraph &graph;
  NodeId parameter, newParameter;
  SmallVector<NodeId, 2> states, newStates;
  /// Scalar arguments that a parameter of one element sees as tensors (its
  /// gradient), not as run-time values for all (a learning rate).
  SmallVector<NodeId, 2> elements;

  /// Scalar conditions that choose between values that depend on parameter or
  /// state: (node, number of values).
  SmallVector<std::pair<NodeId, unsigned>> conditions;

  /// Operands before users; scalars that depend on no tensor first.
  ArrayRef<NodeId> getOrder() const { return order; }
  bool contains(NodeId id) const { return indices.contains(id); }
  unsigned getIndex(NodeId id) const { return indices.lookup(id); }
  uint32_t getDependence(NodeId id) const {
    return dependence[indices.lookup(id)];
  }
  uint32_t getStateMask() const {
    return ((1u << states.size()) - 1) * DependsOnState;
  }
  /// A tensor value, or anything that follows one.
  bool isWide(NodeId id) const {
    return getDependence(id) &
           (DependsOnParameter | DependsOnElements | getStateMask());
  }
  bool isSingleElement() const { return graph[parameter].numElements == 1; }
  /// A scalar whose operands are not part of the slice: it stands for the
  /// reductions below it.
  bool isCut(NodeId id) const { return cut.contains(id); }
  /// Text with the leaves named that nameOfLeaf stands for.
  std::string nameLeaves(StringRef text) const;
  /// Stands for the name of a leaf, the same in all slices of a class.
  std::string nameOfLeaf(NodeId id) const;

private:
  void collect();
  bool shouldCut(NodeId id) const;
  bool reachesOwn(NodeId id) const;
  void findConditions();
  void findConditions(bool isCoarse);

  SmallVector<NodeId> order;
  SmallVector<uint32_t> dependence;
  DenseSet<NodeId> cut;
  DenseMap<NodeId, unsigned> indices;
};

/// The conditions that a scalar predicate is made of: what is left below
/// negation, casts and, unless `isCoarse`, conjunction and the like.
llvm::SetVector<NodeId> getConditionAtoms(const SliceGraph &graph,
                                          NodeId predicate,
                                          bool isCoarse = false);

/// True if the value of `node` follows from `fixed` and constants alone.
bool isDecided(const SliceGraph &graph, NodeId node,
               const FixedConditions &fixed);

/// The operand that a select or switch gives if its condition is decided;
/// `scalars` are drawn with `fixed`.
std::optional<NodeId> getTakenOperand(const SliceGraph &graph, NodeId choice,
                                      ScalarTable &scalars,
                                      const FixedConditions &fixed);

/// Values of all nodes of a slice in one scenario.
class SliceRow {
public:
  double get(unsigned index, unsigned point) const {
    return pointers[index][wide[index] ? point : 0];
  }

private:
  friend class SliceEvaluator;
  std::vector<const double *> pointers;
  std::vector<bool> wide;
};

/// How leaves that are not arguments are drawn.
struct ProbeMode {
  /// Reductions are zero wherever the other tensors are: a gradient may itself
  /// be a broadcast reduction.
  bool reductionsOff = false;
  /// All are positive: a parameter of one element sees its gradient's norm as
  /// just another scalar.
  bool positiveElements = false;
};

/// Evaluates a slice scenario by scenario, so that memory is one scenario's.
class SliceEvaluator {
public:
  SliceEvaluator(const UpdateSlice &slice, ScalarTable &scalars,
                 const FixedConditions &fixed, ProbeMode mode)
      : slice(slice), scalars(scalars), fixed(fixed), mode(mode) {}

  void evaluate(ArrayRef<ProbePoint> points,
                function_ref<void(unsigned, const SliceRow &)> visit);

private:
  const UpdateSlice &slice;
  ScalarTable &scalars;
  const FixedConditions &fixed;
  ProbeMode mode;
};

/// Uniform number in (0, 1) from a counter: the same on every machine.
double hashToUnit(uint64_t seed, uint64_t stream, uint64_t counter);

} // namespace mlir::skew

#endif // SKEW_FRONTEND_SLICEEVALUATOR_H
