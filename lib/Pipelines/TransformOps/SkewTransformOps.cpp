//===- SkewTransformOps.cpp - the stages as transforms --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Pipelines/TransformOps/SkewTransformOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Pass/PassManager.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include "skew/Pipelines/Pipelines.h"
#include "skew/Support/ByteSize.h"

using namespace mlir;
using namespace mlir::transform;

#define GET_OP_CLASSES
#include "skew/Pipelines/TransformOps/SkewTransformOps.cpp.inc"

/// Runs the passes that `build` adds on `target`. If they fail, their errors
/// become those of the transform and `target` is as it was, so that a script
/// can silence them and go on.
static DiagnosedSilenceableFailure
runStage(TransformOpInterface transform, Operation *target,
         ApplyToEachResultList &results,
         function_ref<void(OpPassManager &)> build) {
  if (target->isAncestor(transform))
    return transform.emitDefiniteFailure()
           << "cannot be applied to a module that contains the transform";
  if (!isa<ModuleOp>(target)) {
    auto failure = transform.emitSilenceableError()
                   << "expects modules, got '" << target->getName() << "'";
    failure.attachNote(target->getLoc()) << "target";
    return failure;
  }

  OwningOpRef<Operation *> before = target->clone();
  SmallVector<std::pair<Location, std::string>> errors;
  LogicalResult status = success();
  {
    ScopedDiagnosticHandler capture(
        target->getContext(), [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return failure();
          errors.emplace_back(diagnostic.getLocation(), diagnostic.str());
          for (Diagnostic &note : diagnostic.getNotes())
            errors.emplace_back(note.getLocation(), note.str());
          return success();
        });
    PassManager pm(target->getContext());
    build(pm);
    status = pm.run(target);
  }
  if (succeeded(status)) {
    results.push_back(target);
    return DiagnosedSilenceableFailure::success();
  }

  target->getRegion(0).takeBody(before->getRegion(0));
  target->setDiscardableAttrs(before->getDiscardableAttrDictionary());
  auto failure =
      transform.emitSilenceableError()
      << (errors.empty() ? "the stage failed" : errors.front().second);
  for (auto &[loc, text] : llvm::drop_begin(errors))
    failure.attachNote(loc) << text;
  return failure;
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure
SkewRaiseOp::applyToOne(TransformRewriter &, Operation *target,
                        ApplyToEachResultList &results, TransformState &) {
  skew::SkewPipelineOptions options;
  options.strict = getStrict();
  options.roles = getRoles().str();
  return runStage(*this, target, results, [&](OpPassManager &pm) {
    skew::buildRaiseStage(pm, options);
  });
}

LogicalResult SkewPlaceOp::verify() {
  auto check = [&](StringRef name, StringRef value,
                   ArrayRef<StringRef> known) -> LogicalResult {
    if (llvm::is_contained(known, value))
      return success();
    InFlightDiagnostic diagnostic = emitOpError() << "attribute " << name
                                                  << " must be one of ";
    llvm::interleaveComma(known, diagnostic);
    return diagnostic << ", got '" << value << "'";
  };
  if (!getPolicy().empty() &&
      failed(check("policy", getPolicy(), {"paper", "keep", "auto"})))
    return failure();
  if (failed(check("numerics", getNumerics(), {"tiered", "published"})) ||
      failed(check("rounding", getRounding(),
                   {"auto", "nearest", "stochastic"})) ||
      failed(check("rms_clip", getRmsClip(), {"batch", "tensor", "off"})))
    return failure();
  if (!getBudget().empty())
    if (llvm::Error error = skew::parseByteSize(getBudget()).takeError())
      return emitOpError() << "attribute budget: "
                           << llvm::toString(std::move(error));
  return success();
}

DiagnosedSilenceableFailure
SkewPlaceOp::applyToOne(TransformRewriter &, Operation *target,
                        ApplyToEachResultList &results, TransformState &) {
  skew::SkewPipelineOptions options;
  options.policy = getPolicy().str();
  options.numerics = getNumerics().str();
  options.rounding = getRounding().str();
  options.rmsClip = getRmsClip().str();
  options.seed = getSeed();
  options.budget = getBudget().str();
  options.plan = getPlan().str();
  return runStage(*this, target, results, [&](OpPassManager &pm) {
    skew::buildPlaceStage(pm, options);
  });
}

DiagnosedSilenceableFailure
SkewRewriteOp::applyToOne(TransformRewriter &, Operation *target,
                          ApplyToEachResultList &results, TransformState &) {
  return runStage(*this, target, results, skew::buildRewriteStage);
}

DiagnosedSilenceableFailure
SkewLowerOp::applyToOne(TransformRewriter &, Operation *target,
                        ApplyToEachResultList &results, TransformState &) {
  return runStage(*this, target, results, skew::buildStableHLOStage);
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

namespace {
class SkewTransformExtension
    : public TransformDialectExtension<SkewTransformExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SkewTransformExtension)

  void init() {
    declareGeneratedDialect<arith::ArithDialect>();
    declareGeneratedDialect<func::FuncDialect>();
    declareGeneratedDialect<math::MathDialect>();
    declareGeneratedDialect<skew::SkewDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "skew/Pipelines/TransformOps/SkewTransformOps.cpp.inc"
        >();
  }
};
} // namespace

void skew::registerTransformDialectExtension(DialectRegistry &registry) {
  registry.addExtensions<SkewTransformExtension>();
}
