//===- SGD.cpp - stochastic gradient descent, with momentum ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleEmitter.h"

using namespace mlir;
using namespace mlir::skew;

int SGDOp::getNumRaisedStates() { return 1; }

SmallVector<StateComponent> SGDOp::getStateLayout() {
  SmallVector<StateComponent> layout;
  for (Value state : getState()) {
    layout.push_back(makeElementState("m", getParameter()));
    layout.back().elementType =
        cast<RankedTensorType>(state.getType()).getElementType();
  }
  return layout;
}

SmallVector<Value> SGDOp::decompose(OpBuilder &builder) {
  unsigned rank = cast<RankedTensorType>(getParameter().getType()).getRank();
  RuleEmitter rule(builder, *this,
                   AxesAttr::getElementwise(getContext(), rank));
  SweepBuilder sweep = rule.over(Projection::elem);
  Term g = rule.gradientIn(sweep);
  if (rule.state.empty()) {
    rule.writeParameter(sweep, g);
    return llvm::to_vector_of<Value>(sweep.finish());
  }
  Term m = sweep.input(rule.state[0]);
  Term taken = rule.isZero("dampening") ? g
                                        : rule.complement(sweep, "dampening") * g;
  Term newM = rule.hyper(sweep, "momentum") * m + taken;
  Term update = newM;
  if (!rule.isZero("nesterov")) {
    // A constant 1 is the usual case; a run-time switch blends the two.
    Term ahead = g + rule.hyper(sweep, "momentum") * newM;
    update = rule.isConstant("nesterov") ? ahead
                                         : newM + rule.hyper(sweep, "nesterov") *
                                                    (ahead - newM);
  }
  rule.writeParameter(sweep, update);
  rule.writeState(sweep, newM, m, rule.state[0]);
  return llvm::to_vector_of<Value>(sweep.finish());
}
