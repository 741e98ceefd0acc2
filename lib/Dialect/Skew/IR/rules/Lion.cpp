//===- Lion.cpp - the Lion rule -------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleEmitter.h"

using namespace mlir;
using namespace mlir::skew;

int LionOp::getNumRaisedStates() { return 1; }

SmallVector<StateComponent> LionOp::getStateLayout() {
  SmallVector<StateComponent> layout{makeElementState("m", getParameter())};
  if (!getState().empty())
    layout[0].elementType =
        cast<RankedTensorType>(getState()[0].getType()).getElementType();
  return layout;
}

SmallVector<Value> LionOp::decompose(OpBuilder &builder) {
  unsigned rank = cast<RankedTensorType>(getParameter().getType()).getRank();
  RuleEmitter rule(builder, *this,
                   AxesAttr::getElementwise(getContext(), rank));
  SweepBuilder sweep = rule.over(Projection::elem);
  Term g = rule.gradientIn(sweep), m = sweep.input(rule.state[0]);
  rule.writeParameter(sweep, sign(rule.average(sweep, "beta1", m, g)));
  rule.writeState(sweep, rule.average(sweep, "beta2", m, g), m, rule.state[0]);
  return llvm::to_vector_of<Value>(sweep.finish());
}
