//===- AdamW.cpp - the AdamW rule -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleEmitter.h"

using namespace mlir;
using namespace mlir::skew;

int AdamWOp::getNumRaisedStates() { return 2; }

SmallVector<StateComponent> AdamWOp::getStateLayout() {
  SmallVector<StateComponent> layout{makeElementState("m", getParameter()),
                                     makeElementState("v", getParameter())};
  // Moments have the parameter's shape and a float type of their own.
  for (auto [component, value] : llvm::zip(layout, getState()))
    component.elementType =
        cast<RankedTensorType>(value.getType()).getElementType();
  return layout;
}

SmallVector<Value> AdamWOp::decompose(OpBuilder &builder) {
  unsigned rank = cast<RankedTensorType>(getParameter().getType()).getRank();
  RuleEmitter rule(builder, *this,
                   AxesAttr::getElementwise(getContext(), rank));
  Value correction1 = rule.biasCorrection("beta1");
  Value correction2 = rule.biasCorrection("beta2");

  SweepBuilder sweep = rule.over(Projection::elem);
  Term g = rule.gradientIn(sweep);
  Term m = sweep.input(rule.state[0]), v = sweep.input(rule.state[1]);
  Term c1 = sweep.input(correction1, Projection::scalar);
  Term c2 = sweep.input(correction2, Projection::scalar);
  Term newM = rule.average(sweep, "beta1", m, g);
  Term newV = rule.average(sweep, "beta2", v, g * g);
  Term radicand = newV / c2;
  if (!rule.isZero("eps_root"))
    radicand = radicand + rule.hyper(sweep, "eps_root");
  Term update = (newM / c1) / (sqrt(radicand) + rule.hyper(sweep, "eps"));
  rule.writeParameter(sweep, update);
  rule.writeState(sweep, newM, m, rule.state[0]);
  rule.writeState(sweep, newV, v, rule.state[1]);
  return llvm::to_vector_of<Value>(sweep.finish());
}
