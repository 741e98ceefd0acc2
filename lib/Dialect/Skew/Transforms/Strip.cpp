//===- Strip.cpp - remove what only the dialect's own tools read ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include "skew/Dialect/Skew/Transforms/Decompose.h"
#include "skew/Dialect/Skew/Transforms/Passes.h"

namespace mlir::skew {
#define GEN_PASS_DEF_STRIP
#include "skew/Dialect/Skew/Transforms/Passes.h.inc"
} // namespace mlir::skew

using namespace mlir;
using namespace mlir::skew;

namespace {
struct StripPass : public skew::impl::StripBase<StripPass> {
  using StripBase::StripBase;

  void runOnOperation() override;
};
} // namespace

static bool isOurs(StringRef attributeName) {
  return attributeName.split('.').first == SkewDialect::getDialectNamespace() &&
         attributeName != SkewDialect::kReportAttr &&
         attributeName != SkewDialect::kLayoutAttr &&
         attributeName != SkewDialect::kPlanAttr;
}

static void stripAttributes(Operation *op) {
  for (NamedAttribute attr : llvm::to_vector(op->getDiscardableAttrs()))
    if (isOurs(attr.getName()))
      op->removeDiscardableAttr(attr.getName());
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return;
  auto names = [](ArrayRef<NamedAttribute> attrs) {
    SmallVector<StringAttr> ours;
    for (NamedAttribute attr : attrs)
      if (isOurs(attr.getName()))
        ours.push_back(attr.getName());
    return ours;
  };
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
    for (StringAttr name : names(function.getArgAttrs(i)))
      function.removeArgAttr(i, name);
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
    for (StringAttr name : names(function.getResultAttrs(i)))
      function.removeResultAttr(i, name);
}

void StripPass::runOnOperation() {
  if (mlir::failed(checkSkewOpsKnown(getOperation())))
    return signalPassFailure();
  SmallVector<Operation *> records;
  bool failed = false;
  getOperation()->walk([&](Operation *op) {
    if (isa<GroupOp, StateLayoutOp>(op)) {
      records.push_back(op);
      return;
    }
    if (isa_and_nonnull<SkewDialect>(op->getDialect()) &&
        !op->getParentOfType<SweepOp>()) {
      op->emitOpError("is left: lower updates and sweeps before skew-strip");
      failed = true;
    }
    stripAttributes(op);
  });
  if (failed)
    return signalPassFailure();
  for (Operation *op : records)
    op->erase();
}
