//===- HazardFacts.cpp - what a graph does around an update ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HazardFacts.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::skew;

/// A norm is a few operations away from the gradients that it is of.
static constexpr unsigned kMaxNodes = 256;

static bool is16Bit(const llvm::fltSemantics &format) {
  return llvm::APFloat::getSizeInBits(format) == 16;
}

static bool isWider(const llvm::fltSemantics &x, const llvm::fltSemantics &y) {
  return llvm::APFloat::semanticsPrecision(x) >
         llvm::APFloat::semanticsPrecision(y);
}

static std::string nameOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

HazardFacts::HazardFacts(SliceGraph &graph, const FunctionMatch &match)
    : graph(graph) {
  for (const OtherState &other : match.otherStates)
    carried.insert(other.tensor.argument);
  for (const RaisedUpdate &update : match.raised)
    for (const CarriedTensor &state : update.states)
      carried.insert(state.argument);
  for (auto [number, update] : llvm::enumerate(match.raised)) {
    if (update.match.gradient < 0)
      continue;
    NodeId gradient = update.match.gradient;
    int64_t size = graph[gradient].numElements;
    NodeId parameter = graph.getNode(
        graph.getBody(0)->getArgument(update.parameter.argument));
    for (NodeId id : collectSlice(graph, gradient, [&](NodeId id) {
           return graph[id].numElements != size;
         }))
      if (graph.isLeaf(id) && !graph[id].isConstant && id != parameter &&
          graph[id].number == NumberKind::Float && graph[id].numElements == size)
        owners.try_emplace(id, number);
  }
}

/// The updates whose gradients `scalar` depends on. What it takes to get there
/// is bounded: a norm that is farther away is not seen.
const SmallVector<unsigned> &HazardFacts::gradientsBelow(NodeId scalar) {
  auto [it, isNew] = known.try_emplace(scalar);
  if (!isNew)
    return it->second;
  SetVector<unsigned> found;
  DenseSet<NodeId> seen;
  SmallVector<std::pair<NodeId, unsigned>> work{{scalar, 0}};
  // Scalars (the sum of the parts of a norm) are free, however many.
  unsigned budget = kMaxNodes;
  while (!work.empty()) {
    NodeId id;
    unsigned tensors;
    std::tie(id, tensors) = work.pop_back_val();
    if (!seen.insert(id).second)
      continue;
    if (auto owner = owners.find(id); owner != owners.end()) {
      // A scalar parameter's own gradient is a leaf, too.
      if (id != scalar)
        found.insert(owner->second);
      continue;
    }
    if (tensors > 8 || (graph[id].numElements > 1 && tensors > 4 && !budget--))
      continue;
    auto visit = [&](NodeId operand) {
      work.push_back({operand, tensors + (graph[operand].numElements > 1)});
    };
    for (NodeId operand : graph.getOperands(id))
      visit(operand);
    if (!graph.isOpaque(id) || graph.getValues(id).empty())
      continue;
    ScopedValue where = graph.getValues(id).front();
    if (Operation *op = where.value.getDefiningOp())
      for (Value operand : op->getOperands())
        visit(graph.getNode(operand, where.scope));
  }
  SmallVector<unsigned> &result = known[scalar];
  result = found.takeVector();
  return result;
}

int64_t HazardFacts::countNormed(const RaisedUpdate &update) {
  NodeId gradient = update.match.gradient;
  size_t most = 0;
  for (NodeId id : collectSlice(graph, gradient, [&](NodeId id) {
         return graph[id].numElements != graph[gradient].numElements;
       }))
    for (NodeId operand : graph.getOperands(id)) {
      const SliceNode &node = graph[operand];
      if (graph[gradient].numElements > 1 && node.numElements == 1 &&
          node.hasReductionBelow && node.number == NumberKind::Float)
        most = std::max(most, gradientsBelow(operand).size());
    }
  return most;
}

void HazardFacts::addRoundings(const RaisedUpdate &update,
                               NamedAttrList &facts) {
  NodeId gradient = update.match.gradient;
  MLIRContext *context = graph.getFunction()->getContext();
  // Casts around the gradient, on either side of the node that was matched.
  NodeId bare = graph.skipCasts(gradient);
  SmallVector<NodeId> roots{gradient};
  DenseSet<NodeId> states;
  Block *body = graph.getBody(0);
  for (const CarriedTensor &state : update.states) {
    roots.push_back(graph.getNode(body->back().getOperand(state.result)));
    states.insert(graph.getNode(body->getArgument(state.argument)));
  }
  std::optional<Type> cast, squared;
  for (NodeId id : collectSlice(graph, roots, [&](NodeId id) {
         return id == bare || states.contains(id) ||
                graph[id].numElements != graph[bare].numElements;
       })) {
    const SliceNode &node = graph[id];
    if (node.number != NumberKind::Float || !is16Bit(*node.format))
      continue;
    if (node.kind == SliceKind::Convert && graph.skipCasts(id) == bare &&
        isWider(*graph[bare].format, *node.format))
      cast = node.element;
    if (node.kind != SliceKind::Multiply && node.kind != SliceKind::Square &&
        node.kind != SliceKind::Power)
      continue;
    ArrayRef<NodeId> operands = graph.getOperands(id);
    if (graph.skipCasts(operands[0]) == bare &&
        (node.kind != SliceKind::Multiply || operands[0] == operands[1]))
      squared = node.element;
  }
  if (cast)
    facts.set("gradient_cast", StringAttr::get(context, nameOf(*cast)));
  if (squared)
    facts.set("squared_in", StringAttr::get(context, nameOf(*squared)));
}

void HazardFacts::addStep(const RaisedUpdate &update, NamedAttrList &facts) {
  NodeId node = update.match.step.scalar;
  MLIRContext *context = graph.getFunction()->getContext();
  std::optional<Type> cast;
  while (graph[node].kind == SliceKind::Broadcast ||
         graph[node].kind == SliceKind::Convert) {
    if (graph[node].kind == SliceKind::Convert &&
        graph[node].number == NumberKind::Float && is16Bit(*graph[node].format))
      cast = graph[node].element;
    node = graph.getOperands(node)[0];
  }
  Type counter = graph[node].element;
  bool isLow = isa<FloatType>(counter) ? !counter.isF64()
                                       : counter.isIntOrFloat() &&
                                             counter.getIntOrFloatBitWidth() <
                                                 32;
  if (isLow)
    facts.set("step_type", StringAttr::get(context, nameOf(counter)));
  if (cast && *cast != counter)
    facts.set("step_cast", StringAttr::get(context, nameOf(*cast)));
}

DictionaryAttr HazardFacts::get(const RaisedUpdate &update) {
  NamedAttrList facts;
  MLIRContext *context = graph.getFunction()->getContext();
  if (update.match.gradient >= 0) {
    if (int64_t count = countNormed(update); count > 1)
      facts.set("norm_over",
                IntegerAttr::get(IntegerType::get(context, 64), count));
    addRoundings(update, facts);
  }
  if (update.match.step.scalar >= 0)
    addStep(update, facts);
  return facts.empty() ? DictionaryAttr() : facts.getDictionary(context);
}

SmallVector<int64_t> HazardFacts::statesBelow(NodeId id,
                                              unsigned parameter) const {
  SmallVector<int64_t> states;
  for (unsigned argument : graph.getReachedArguments(id))
    if (argument != parameter && carried.contains(argument))
      states.push_back(argument);
  return states;
}

DictionaryAttr HazardFacts::get(const DeclinedParameter &declined) {
  auto [parameter, result] = declined.parameter;
  NodeId end = graph.getNode(graph.getBody(0)->back().getOperand(result));
  int64_t size = graph[end].numElements;
  if (size == 1 || graph.reachesTooMany(end))
    return DictionaryAttr();
  // A sum whose two sides have two states each and none in common. One update
  // never splits so: its moments meet in a quotient.
  for (NodeId id : collectSlice(
           graph, end, [&](NodeId id) { return graph[id].numElements != size; })) {
    if (graph[id].kind != SliceKind::Add &&
        graph[id].kind != SliceKind::Subtract)
      continue;
    ArrayRef<NodeId> sides = graph.getOperands(id);
    SmallVector<int64_t> one = statesBelow(sides[0], parameter);
    SmallVector<int64_t> two = statesBelow(sides[1], parameter);
    if (one.size() < 2 || two.size() < 2 ||
        llvm::any_of(one, [&](int64_t a) { return llvm::is_contained(two, a); }))
      continue;
    Builder builder(graph.getFunction()->getContext());
    return builder.getDictionaryAttr(builder.getNamedAttr(
        "updates", builder.getArrayAttr({builder.getDenseI64ArrayAttr(one),
                                         builder.getDenseI64ArrayAttr(two)})));
  }
  return DictionaryAttr();
}
