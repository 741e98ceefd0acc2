//===- DetectHazards.cpp - low-precision and coverage hazards -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Remarks.h"
#include "skew/Dialect/Skew/IR/ParameterTable.h"
#include "skew/Dialect/Skew/Transforms/Passes.h"
#include "skew/Dialect/Skew/Transforms/Plan.h"
#include "skew/Support/Number.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace mlir::skew {
#define GEN_PASS_DEF_DETECTHAZARDS
#include "skew/Dialect/Skew/Transforms/Passes.h.inc"
} // namespace mlir::skew

using namespace mlir;
using namespace mlir::skew;

#define DEBUG_TYPE "skew-detect-hazards"

/// Half a step of bf16 at 1: what is smaller rounds away (numerics.md).
static constexpr double halfStepBF16 = 0x1p-9;

namespace {

class DetectHazardsPass
    : public skew::impl::DetectHazardsBase<DetectHazardsPass> {
public:
  using DetectHazardsBase::DetectHazardsBase;
  void runOnOperation() override;

private:
  void visitUpdate(const ParameterEntry &entry, UpdateOpInterface update);
  void report(StringRef kind, const ParameterEntry &entry, Location loc,
              std::string message);

  FunctionOpInterface function;
  SmallVector<Attribute> findings;
  /// Elements of all raised parameters of the function.
  int64_t elements = 0;
};

/// A hyperparameter as raising recorded it; nullopt when known only at run
/// time.
std::optional<double> constantOf(const ParameterEntry &entry, StringRef name) {
  DictionaryAttr all = entry.getHyperparameters();
  auto number = all ? all.getAs<FloatAttr>(name) : FloatAttr();
  if (!number)
    return std::nullopt;
  return number.getValueAsDouble();
}

/// `value` rounded to the nearest value of `type`.
double roundedTo(double value, FloatType type) {
  APFloat number(value);
  bool loses;
  number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                 &loses);
  return number.convertToDouble();
}

} // namespace

void DetectHazardsPass::report(StringRef kind, const ParameterEntry &entry,
                               Location loc, std::string message) {
  Builder builder(&getContext());
  findings.push_back(builder.getDictionaryAttr(
      {builder.getNamedAttr("kind", builder.getStringAttr(kind)),
       builder.getNamedAttr("parameter",
                            builder.getStringAttr(entry.getName())),
       builder.getNamedAttr("message", builder.getStringAttr(message))}));
  remark::analysis(loc, remark::RemarkOpts::name(kind)
                            .category(DEBUG_TYPE)
                            .function(function.getName()))
      << remark::metric("parameter", entry.getName())
      << remark::reason("{0}", message);
}

void DetectHazardsPass::visitUpdate(const ParameterEntry &entry,
                                    UpdateOpInterface update) {
  Location loc = update.getLoc();
  auto type = cast<RankedTensorType>(update.getUpdatedParameter().getType());
  auto computeAttr = update->getAttrOfType<TypeAttr>("compute_type");
  auto compute =
      computeAttr ? dyn_cast<FloatType>(computeAttr.getValue()) : FloatType();

  // What the graph itself did with its second moment.
  std::optional<double> beta2 = constantOf(entry, "beta2");
  for (const OriginalState &state : entry.getStates()) {
    if (state.component != "v" || !beta2)
      continue;
    if (state.dtype == "bf16" && 1.0 - *beta2 < halfStepBF16)
      report("bf16-beta2", entry, loc,
             llvm::formatv(
                 "the graph keeps its second moment in bf16 with beta2 = {0}: "
                 "1 - beta2 is below half a bf16 step (2^-9), so the average "
                 "{1}",
                 formatNumber(*beta2),
                 roundedTo(*beta2, BFloat16Type::get(&getContext())) == 1.0
                     ? "is multiplied by exactly 1.0 and never decays"
                     : "freezes once it is near the mean square"));
  }

  std::optional<double> decay = constantOf(entry, "weight_decay");
  std::optional<double> rate = constantOf(entry, "learning_rate");
  if (type.getElementType().isBF16() && decay && *decay > 0.0) {
    auto rounding = update->getAttrOfType<RoundingAttr>("rounding");
    bool cured = rounding && rounding.getValue() == Rounding::stochastic;
    std::string cure =
        cured ? "; this plan writes with stochastic rounding, which keeps it"
              : "; use stochastic rounding or fp32 weights";
    double threshold = halfStepBF16 / *decay;
    if (rate && *rate * *decay < halfStepBF16)
      report("bf16-decay-lost", entry, loc,
             llvm::formatv("bf16 weight decay rounds away under nearest "
                           "rounding: lr * weight_decay = {0} is below 2^-9"
                           "{1}",
                           formatNumber(*rate * *decay, 4), cure));
    else if (!rate)
      report("bf16-decay-lost", entry, loc,
             llvm::formatv("bf16 weight decay rounds away under nearest "
                           "rounding while the learning rate is below {0} "
                           "(lr * weight_decay < 2^-9, weight_decay = {1}){2}",
                           formatNumber(threshold, 4), formatNumber(*decay),
                           cure));
  }

  std::optional<double> eps = constantOf(entry, "eps");
  if (eps && compute && *eps > 0.0 && roundedTo(*eps, compute) == 0.0)
    report("eps-underflow", entry, loc,
           llvm::formatv("epsilon {0} is zero in {1}, the type that the "
                         "update computes in",
                         formatNumber(*eps), getDtypeName(compute)));
  else if (eps && *eps == 0.0 && compute && compute.isF16())
    report("eps-underflow", entry, loc,
           "epsilon is zero in f16, the type that the update computes in: a "
           "usual 1e-8 underflows there");

  // |g| <= 1 after a global-norm clip, so the mean of v is at most 1/N.
  auto tiered = dyn_cast<SkewAdamOp>(update.getOperation());
  if (tiered && tiered.getNumerics() == Numerics::published && eps &&
      elements > 0) {
    double largest = 1.0 / std::sqrt(static_cast<double>(elements));
    if (largest < std::sqrt(*eps))
      report("eps-floor", entry, loc,
             llvm::formatv("under a global-norm clip of 1 the root mean square "
                           "gradient is at most {0} over {1} elements, below "
                           "the floor sqrt(eps) = {2} of the published "
                           "numerics: the update is close to SGD there; use "
                           "numerics=tiered",
                           formatNumber(largest, 4), elements,
                           formatNumber(std::sqrt(*eps), 4)));
  }
}

void DetectHazardsPass::runOnOperation() {
  for (auto candidate : getOperation().getOps<FunctionOpInterface>()) {
    function = candidate;
    findings.clear();
    elements = 0;
    SmallVector<ParameterEntry> entries = getParameterEntries(function);
    if (entries.empty())
      continue;
    llvm::StringMap<UpdateOpInterface> updates;
    function.walk([&](UpdateOpInterface update) {
      updates[getParameterName(update)] = update;
      elements += cast<RankedTensorType>(update.getUpdatedParameter().getType())
                      .getNumElements();
    });
    for (const ParameterEntry &entry : entries) {
      auto found = updates.find(entry.getName());
      if (found != updates.end())
        visitUpdate(entry, found->second);
      else if (entry.getStatus() == "frozen")
        report("untouched-parameter", entry, function.getLoc(),
               "no optimizer updates this parameter: the step returns it as it "
               "came in");
    }
    function->setAttr(SkewDialect::kLintAttr,
                      ArrayAttr::get(&getContext(), findings));
  }
  // An attribute is all that changed.
  markAllAnalysesPreserved();
}
