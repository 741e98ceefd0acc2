//===- SkippedSteps.cpp - steps that change nothing -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether an update does nothing under a combination of conditions. Points
// could not say so: what differs may be too small, or not hit.
//
//===----------------------------------------------------------------------===//

#include "skew/Frontend/SliceProbe.h"

using namespace mlir;
using namespace mlir::skew;

namespace {

/// What is known of a node without looking at numbers that are run-time values.
struct Known {
  enum Kind : uint8_t { Nothing, Number, Leaf } kind = Nothing;
  double number = 0.0;
  NodeId leaf = kNoNode;

  bool is(double value) const { return kind == Number && number == value; }
  bool operator==(const Known &other) const {
    return kind == other.kind && number == other.number && leaf == other.leaf;
  }
};

} // namespace

/// True if a value of `from` is the same in `to`.
static bool holds(const llvm::fltSemantics *to,
                  const llvm::fltSemantics *from) {
  if (!to || !from)
    return false;
  return to == from || to == &APFloat::IEEEdouble() ||
         (to == &APFloat::IEEEsingle() &&
          APFloat::semanticsPrecision(*from) <= 11);
}

static Known read(const SliceGraph &graph, NodeId id,
                  ArrayRef<Known> operands) {
  const SliceNode &node = graph[id];
  auto same = [&](unsigned operand) { return operands[operand]; };
  switch (node.kind) {
  case SliceKind::Broadcast:
    return operands[0];
  case SliceKind::Convert:
    if (operands[0].kind == Known::Leaf &&
        !holds(node.format, graph[operands[0].leaf].format))
      return {};
    return operands[0];
  case SliceKind::Add:
    if (operands[0].is(0.0))
      return same(1);
    return operands[1].is(0.0) ? same(0) : Known();
  case SliceKind::Subtract:
    return operands[1].is(0.0) ? same(0) : Known();
  case SliceKind::Multiply:
  case SliceKind::And:
    for (unsigned i : {0u, 1u}) {
      if (operands[i].is(0.0))
        return operands[i];
      if (operands[i].is(1.0) && (node.kind == SliceKind::Multiply ||
                                  node.number == NumberKind::Boolean))
        return same(1 - i);
    }
    return {};
  case SliceKind::Or:
    if (node.number == NumberKind::Boolean)
      for (unsigned i : {0u, 1u}) {
        if (operands[i].is(1.0))
          return operands[i];
        if (operands[i].is(0.0))
          return same(1 - i);
      }
    return {};
  case SliceKind::Divide:
    if (operands[0].is(0.0) && node.number == NumberKind::Float)
      return operands[0];
    return operands[1].is(1.0) ? same(0) : Known();
  case SliceKind::Negate:
    return operands[0].is(0.0) ? operands[0] : Known();
  case SliceKind::Select:
    return operands[1] == operands[2] ? operands[1] : Known();
  case SliceKind::Switch: {
    bool equal = true;
    for (size_t i = 2; i < operands.size(); ++i)
      equal &= operands[i] == operands[1];
    return equal ? operands[1] : Known();
  }
  default:
    return {};
  }
}

bool SliceProbe::leavesUnchanged() {
  ArrayRef<NodeId> order = slice.getOrder();
  std::vector<Known> known(order.size());
  SmallVector<Known> operands;
  for (auto [index, id] : llvm::enumerate(order)) {
    Known &here = known[index];
    const SliceNode &node = graph[id];
    if (auto it = fixed.find(id); it != fixed.end()) {
      here = {Known::Number, it->second, kNoNode};
      continue;
    }
    if (node.isConstant) {
      here = {Known::Number, scalars.get(id)[0], kNoNode};
      continue;
    }
    if (graph.isLeaf(id)) {
      here = {Known::Leaf, 0.0, id};
      continue;
    }
    operands.clear();
    bool allNumbers = true;
    for (NodeId operand : graph.getOperands(id)) {
      // What is below a reduction is not part of the slice.
      operands.push_back(
          slice.contains(operand) ? known[slice.getIndex(operand)] : Known());
      allNumbers &= operands.back().kind == Known::Number;
    }
    if (auto taken = getTakenOperand(graph, id, scalars, fixed))
      here = slice.contains(*taken) ? known[slice.getIndex(*taken)] : Known();
    else if (allNumbers && !slice.isWide(id))
      here = {Known::Number, scalars.get(id)[0], kNoNode};
    else
      here = read(graph, id, operands);
  }
  auto isSame = [&](NodeId oldNode, NodeId newNode) {
    const Known &found = known[slice.getIndex(newNode)];
    return found.kind == Known::Leaf && found.leaf == oldNode;
  };
  bool same = isSame(slice.parameter, slice.newParameter);
  for (auto [oldNode, newNode] : llvm::zip_equal(slice.states, slice.newStates))
    same &= isSame(oldNode, newNode);
  return same;
}
