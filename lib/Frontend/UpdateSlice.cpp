//===- UpdateSlice.cpp - the expression of one parameter's update ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Frontend/SliceEvaluator.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::skew;

UpdateSlice::UpdateSlice(const SliceGraph &graph, NodeId parameter,
                         ArrayRef<NodeId> states, NodeId newParameter,
                         ArrayRef<NodeId> newStates,
                         ArrayRef<NodeId> elements)
    : graph(graph), parameter(parameter), newParameter(newParameter),
      states(states), newStates(newStates), elements(elements) {
  collect();
  findConditions();
  if (!conditions.empty() && !isSingleElement()) {
    collect();
    findConditions();
  }
  llvm::erase_if(this->elements, [&](NodeId id) { return !contains(id); });
}

/// A norm over a thousand parameters is a chain of a thousand additions:
/// shared, and not walked for each of them. Only scalars that depend on a
/// condition that is enumerated are of interest.
bool UpdateSlice::shouldCut(NodeId id) const {
  const SliceNode &node = graph[id];
  if (node.numElements != 1 || !node.hasReductionBelow)
    return false;
  // There, a reduction may be the gradient itself, but hardly a long sum.
  if (isSingleElement())
    return node.numTerms >= SliceGraph::kManyNodes && !reachesOwn(id);
  return llvm::none_of(conditions, [&](const auto &condition) {
    return graph.getScalarDependents(condition.first).contains(id);
  });
}

/// True if parameter or state enter elementwise.
bool UpdateSlice::reachesOwn(NodeId id) const {
  return llvm::any_of(graph.getReachedArguments(id), [&](unsigned argument) {
    auto isIt = [&](NodeId own) {
      return graph[own].kind == SliceKind::Argument &&
             graph[own].constant == double(argument);
    };
    return isIt(parameter) || llvm::any_of(states, isIt);
  });
}

void UpdateSlice::collect() {
  SmallVector<NodeId> roots = {newParameter};
  llvm::append_range(roots, newStates);
  cut.clear();
  SmallVector<NodeId> all = collectSlice(graph, roots, [&](NodeId id) {
    return shouldCut(id) && cut.insert(id).second;
  });
  DenseMap<NodeId, uint32_t> bitsOf;
  for (NodeId id : all) {
    const SliceNode &node = graph[id];
    uint32_t bits = 0;
    auto state = llvm::find(states, id);
    if (id == parameter) {
      bits = DependsOnParameter;
    } else if (state != states.end()) {
      bits = DependsOnState << (state - states.begin());
    } else if (node.kind == SliceKind::Argument ||
               node.kind == SliceKind::Opaque) {
      bool scalar = node.numElements == 1;
      if (!scalar || (isSingleElement() && node.kind == SliceKind::Opaque) ||
          llvm::is_contained(elements, id))
        bits = DependsOnElements;
      else if (node.kind == SliceKind::Opaque)
        bits = DependsOnReductions;
    } else if (isCut(id)) {
      bits = DependsOnReductions;
    } else {
      for (NodeId operand : graph.getOperands(id))
        bits |= bitsOf.lookup(operand);
    }
    bitsOf[id] = bits;
  }
  // Scalars that many slices share were made when the first of them was met.
  // Apart from the rest, their order is the same in all.
  order.clear();
  for (bool isShared : {true, false})
    for (NodeId id : all)
      if ((bitsOf.lookup(id) == 0) == isShared)
        order.push_back(id);
  indices.clear();
  dependence.clear();
  for (auto [index, id] : llvm::enumerate(order)) {
    indices[id] = index;
    dependence.push_back(bitsOf.lookup(id));
  }
}

/// What a leaf is to a reader.
static std::string describeLeaf(const SliceGraph &graph, NodeId id) {
  const SliceNode &node = graph[id];
  if (node.kind == SliceKind::Argument)
    return "argument " + std::to_string(unsigned(node.constant));
  if (Operation *op = graph.getOpaqueOp(id))
    return "result of '" + getDisplayName(op).str() + "'";
  return "a value of an inner region";
}

static constexpr char kLeafBegin = '\1', kLeafEnd = '\2';

std::string UpdateSlice::nameOfLeaf(NodeId id) const {
  return kLeafBegin + std::to_string(getIndex(id)) + kLeafEnd;
}

std::string UpdateSlice::nameLeaves(StringRef text) const {
  std::string result;
  while (true) {
    auto [before, rest] = text.split(kLeafBegin);
    result += before;
    if (rest.empty())
      return result;
    auto [number, after] = rest.split(kLeafEnd);
    unsigned index = 0;
    if (!number.getAsInteger(10, index) && index < order.size())
      result += describeLeaf(graph, order[index]);
    text = after;
  }
}

SetVector<NodeId> mlir::skew::getConditionAtoms(const SliceGraph &graph,
                                                NodeId predicate,
                                                bool isCoarse) {
  // A conjunction over all tensors (every gradient is finite) is one condition:
  // its parts cannot be enumerated.
  constexpr unsigned kMaxAtoms = 4;
  SetVector<NodeId> atoms;
  DenseSet<NodeId> seen;
  SmallVector<NodeId> work = {predicate};
  while (!work.empty() && atoms.size() <= kMaxAtoms) {
    NodeId id = work.pop_back_val();
    if (!seen.insert(id).second)
      continue;
    const SliceNode &node = graph[id];
    bool glue = false;
    switch (node.kind) {
    case SliceKind::Not:
      glue = node.number == NumberKind::Boolean;
      break;
    case SliceKind::And:
    case SliceKind::Or:
    case SliceKind::Xor:
      glue = !isCoarse && node.number == NumberKind::Boolean;
      break;
    case SliceKind::Broadcast:
      glue = true;
      break;
    case SliceKind::Convert:
      // Of an integer, it could change the value.
      glue = graph[graph.getOperands(id)[0]].number == NumberKind::Boolean;
      break;
    case SliceKind::Equal:
    case SliceKind::NotEqual:
      glue = !isCoarse && graph[graph.getOperands(id)[0]].number ==
                              NumberKind::Boolean;
      break;
    default:
      break;
    }
    if (node.isConstant)
      continue;
    if (!glue)
      atoms.insert(id);
    else
      llvm::append_range(work, llvm::reverse(graph.getOperands(id)));
  }
  while (graph[predicate].kind == SliceKind::Not ||
         graph[predicate].kind == SliceKind::Broadcast ||
         graph[predicate].kind == SliceKind::Convert)
    predicate = graph.getOperands(predicate)[0];
  if (atoms.size() > kMaxAtoms &&
      graph[predicate].number == NumberKind::Boolean) {
    atoms.clear();
    atoms.insert(predicate);
  }
  return atoms;
}

bool mlir::skew::isDecided(const SliceGraph &graph, NodeId node,
                           const FixedConditions &fixed) {
  DenseSet<NodeId> seen;
  SmallVector<NodeId> work = {node};
  while (!work.empty()) {
    NodeId id = work.pop_back_val();
    if (fixed.contains(id) || graph[id].isConstant || !seen.insert(id).second)
      continue;
    if (graph.isLeaf(id))
      return false;
    llvm::append_range(work, graph.getOperands(id));
  }
  return true;
}

std::optional<NodeId>
mlir::skew::getTakenOperand(const SliceGraph &graph, NodeId choice,
                            ScalarTable &scalars,
                            const FixedConditions &fixed) {
  SliceKind kind = graph[choice].kind;
  if (kind != SliceKind::Select && kind != SliceKind::Switch)
    return std::nullopt;
  ArrayRef<NodeId> operands = graph.getOperands(choice);
  if (!isDecided(graph, operands[0], fixed))
    return std::nullopt;
  double value = scalars.get(operands[0])[0];
  if (kind == SliceKind::Select)
    return operands[value != 0.0 ? 1 : 2];
  unsigned branches = operands.size() - 1;
  bool inRange = value >= 0.0 && value < double(branches);
  return operands[1 + (inRange ? unsigned(value) : branches - 1)];
}

void UpdateSlice::findConditions() {
  findConditions(/*isCoarse=*/false);
  if (conditions.size() > kMaxConditions)
    findConditions(/*isCoarse=*/true);
}

void UpdateSlice::findConditions(bool isCoarse) {
  conditions.clear();
  uint32_t own = DependsOnParameter | getStateMask();
  llvm::MapVector<NodeId, unsigned> found;
  for (NodeId id : order) {
    const SliceNode &node = graph[id];
    if (node.kind != SliceKind::Select && node.kind != SliceKind::Switch)
      continue;
    ArrayRef<NodeId> operands = graph.getOperands(id);
    if (isWide(operands[0]))
      continue;
    bool chooses = llvm::any_of(operands.drop_front(), [&](NodeId operand) {
      return getDependence(operand) & own;
    });
    if (!chooses)
      continue;
    for (NodeId atom : getConditionAtoms(graph, operands[0], isCoarse)) {
      unsigned count = graph[atom].number == NumberKind::Boolean
                           ? 2
                           : unsigned(operands.size()) - 1;
      unsigned &known = found[atom];
      known = std::max(known, count);
    }
  }
  for (auto [atom, count] : found)
    conditions.push_back({atom, count});
}
