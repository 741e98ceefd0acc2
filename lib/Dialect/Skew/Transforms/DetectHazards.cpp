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
#include "llvm/ADT/StringSwitch.h"
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
/// Betas whose distance from 1 is off by more than this share are reported.
static constexpr double betaTolerance = 0.01;

namespace {

class DetectHazardsPass
    : public skew::impl::DetectHazardsBase<DetectHazardsPass> {
public:
  using DetectHazardsBase::DetectHazardsBase;
  void runOnOperation() override;

private:
  void visitUpdate(const ParameterEntry &entry, UpdateOpInterface update);
  void visitDecay(const ParameterEntry &entry, UpdateOpInterface update);
  void visitEpsilon(const ParameterEntry &entry, UpdateOpInterface update);
  void visitFacts(const ParameterEntry &entry, DictionaryAttr dictionary,
                  Location loc);
  void visitStep(const ParameterEntry &entry, DictionaryAttr facts,
                 Location loc);
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
  // What the graph itself did with its second moment.
  std::optional<double> beta2 = constantOf(entry, "beta2");
  for (const OriginalState &state : entry.getStates()) {
    if (state.component != "v" || !beta2)
      continue;
    if (state.dtype == "bf16" && 1.0 - *beta2 < halfStepBF16)
      report("bf16-beta2", entry, update.getLoc(),
             llvm::formatv(
                 "the graph keeps its second moment in bf16 with beta2 = {0}: "
                 "1 - beta2 is below half a bf16 step (2^-9), so the average "
                 "{1}",
                 formatNumber(*beta2),
                 roundedTo(*beta2, BFloat16Type::get(&getContext())) == 1.0
                     ? "is multiplied by exactly 1.0 and never decays"
                     : "freezes once it is near the mean square"));
  }
  visitDecay(entry, update);
  visitEpsilon(entry, update);
  if (entry.getGradient() == "zero")
    report("zero-gradient", entry, update.getLoc(),
           "its gradient is the constant zero: the loss does not see it, only "
           "weight decay changes it");
}

void DetectHazardsPass::visitDecay(const ParameterEntry &entry,
                                   UpdateOpInterface update) {
  auto type = cast<RankedTensorType>(update.getUpdatedParameter().getType());
  auto element = dyn_cast<FloatType>(type.getElementType());
  std::optional<double> decay = constantOf(entry, "weight_decay");
  std::optional<double> rate = constantOf(entry, "learning_rate");
  if (!element || !decay || *decay <= 0.0)
    return;
  // Below a power of two, where the steps are finest, half a step is 2^-(bits of
  // the mantissa + 1) of the value.
  unsigned bits = element.getFPMantissaWidth();
  double halfStep = std::ldexp(1.0, -static_cast<int>(bits) - 1);
  auto rounding = update->getAttrOfType<RoundingAttr>("rounding");
  bool cured = rounding && rounding.getValue() == Rounding::stochastic;
  std::string dtype = getDtypeName(element);
  std::string kind = element.isBF16() ? "bf16-decay-lost" : "decay-lost";
  std::string cure =
      cured ? "; this plan writes with stochastic rounding, which keeps it"
      : element.getWidth() == 16 ? "; use stochastic rounding or fp32 weights"
                                 : "; use a larger weight decay or none";
  if (rate && *rate * *decay < halfStep)
    report(kind, entry, update.getLoc(),
           llvm::formatv("{0} weight decay rounds away under nearest "
                         "rounding: lr * weight_decay = {1} is below 2^-{2}"
                         "{3}",
                         dtype, formatNumber(*rate * *decay, 4), bits + 1,
                         cure));
  else if (!rate && element.getWidth() == 16)
    report(kind, entry, update.getLoc(),
           llvm::formatv("{0} weight decay rounds away under nearest "
                         "rounding while the learning rate is below {1} "
                         "(lr * weight_decay < 2^-{2}, weight_decay = {3}){4}",
                         dtype, formatNumber(halfStep / *decay, 4), bits + 1,
                         formatNumber(*decay), cure));
}

void DetectHazardsPass::visitEpsilon(const ParameterEntry &entry,
                                     UpdateOpInterface update) {
  Location loc = update.getLoc();
  auto computeAttr = update->getAttrOfType<TypeAttr>("compute_type");
  auto compute =
      computeAttr ? dyn_cast<FloatType>(computeAttr.getValue()) : FloatType();
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

/// What raising noted about the way the graph went about an update.
void DetectHazardsPass::visitFacts(const ParameterEntry &entry,
                                   DictionaryAttr dictionary, Location loc) {
  // Constants that 16-bit arithmetic rounds; bf16-beta2 speaks of its own.
  bool isReported = llvm::any_of(entry.getStates(), [](const auto &state) {
    return state.component == "v" && state.dtype == "bf16";
  });
  if (auto applied = dictionary.getAs<DictionaryAttr>("applied"))
    for (StringRef beta : {"beta1", "beta2"}) {
      std::optional<double> meant = constantOf(entry, beta);
      auto stored = applied.getAs<FloatAttr>(beta);
      if (!meant || !stored || *meant == 1.0)
        continue;
      double rounded = stored.getValueAsDouble();
      if (std::abs(*meant - rounded) <= betaTolerance * (1.0 - *meant) ||
          (beta == "beta2" && rounded == 1.0 && isReported))
        continue;
      std::string memory =
          rounded < 1.0 ? "spans " + formatNumber(1.0 / (1.0 - rounded), 4) +
                              " steps instead of " +
                              formatNumber(1.0 / (1.0 - *meant), 4)
                        : "never forgets";
      report("beta-rounding", entry, loc,
             llvm::formatv("{0} = {1} is applied as {2}: its average {3}", beta,
                           formatNumber(*meant), formatNumber(rounded, 6),
                           memory));
    }
  auto facts = dictionary.getAs<DictionaryAttr>("facts");
  if (!facts)
    return;
  if (auto count = facts.getAs<IntegerAttr>("norm_over"))
    report("global-norm-blocks-overlap", entry, loc,
           llvm::formatv("its gradient is scaled by a norm over the gradients "
                         "of {0} parameters: no update can start, and no "
                         "gradient be freed, before the last one is there",
                         count.getInt()));
  if (auto type = facts.getAs<StringAttr>("gradient_cast"))
    report("gradient-cast", entry, loc,
           llvm::formatv("its gradient is rounded to {0} before it is squared: "
                         "squares are off by up to 2^-{1} of themselves; round "
                         "behind the update or not at all",
                         type.getValue(), type.getValue() == "f16" ? 10 : 8));
  if (auto type = facts.getAs<StringAttr>("squared_in"))
    report("low-precision-square", entry, loc,
           type.getValue() == "f16"
               ? std::string("its gradient is squared in f16: the square of "
                             "anything below 0.000173 is zero")
               : llvm::formatv("its gradient is squared in {0}: every square "
                               "is off by up to 2^-9 of itself before it is "
                               "averaged",
                               type.getValue())
                     .str());
  visitStep(entry, facts, loc);
  auto updates = facts.getAs<ArrayAttr>("updates");
  if (updates && updates.size() == 2) {
    auto listOf = [&](Attribute attr) {
      std::string text;
      llvm::raw_string_ostream os(text);
      llvm::interleave(cast<DenseI64ArrayAttr>(attr).asArrayRef(), os, ", ");
      return text;
    };
    report("two-updates", entry, loc,
           llvm::formatv("one step updates it twice: with the states in "
                         "arguments {0} and with those in {1}",
                         listOf(updates[0]), listOf(updates[1])));
  }
}

void DetectHazardsPass::visitStep(const ParameterEntry &entry,
                                  DictionaryAttr facts, Location loc) {
  // The last count that every one before it differs from.
  auto lastOf = [](StringRef type) -> int64_t {
    return llvm::StringSwitch<int64_t>(type)
        .Case("bf16", 1 << 8)
        .Case("f16", 1 << 11)
        .Case("f32", 1 << 24)
        .Cases({"i8", "si8"}, 127)
        .Case("ui8", 255)
        .Cases({"i16", "si16"}, 32767)
        .Case("ui16", 65535)
        .Default(0);
  };
  if (auto type = facts.getAs<StringAttr>("step_type"))
    if (int64_t last = lastOf(type.getValue())) {
      bool isFloat = !type.getValue().contains('i');
      std::string text = llvm::formatv(
          "steps are counted in {0}, {1} {2}", type.getValue(),
          isFloat ? "where adding one changes nothing from" : "which ends at",
          last);
      std::optional<double> beta2 = constantOf(entry, "beta2");
      double left = beta2 ? std::pow(*beta2, static_cast<double>(last)) : 0.0;
      if (isFloat && left > 1e-3)
        text += llvm::formatv(": bias correction keeps dividing by {0}",
                              formatNumber(1.0 - left, 4));
      report("step-counter-precision", entry, loc, text);
    }
  if (auto type = facts.getAs<StringAttr>("step_cast"))
    report("step-counter-precision", entry, loc,
           llvm::formatv("the step is rounded to {0} on its way into the bias "
                         "correction: from {1} on several steps are one",
                         type.getValue(), lastOf(type.getValue())));
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
    DenseMap<Value, UpdateOpInterface> updated;
    SmallVector<std::pair<UpdateOpInterface, UpdateOpInterface>> twice;
    function.walk([&](UpdateOpInterface update) {
      updates[getParameterName(update)] = update;
      elements += ShapedType::getNumElements(update.getWholeShape());
      // In sequence, or of the same value.
      auto [first, isNew] =
          updated.try_emplace(update.getUpdatedParameter(), update);
      if (!isNew)
        twice.push_back({first->second, update});
      updated.try_emplace(update.getNewParameter(), update);
    });
    auto array =
        function->getAttrOfType<ArrayAttr>(SkewDialect::kParametersAttr);
    for (auto [entry, dictionary] :
         llvm::zip(entries, array.getAsRange<DictionaryAttr>())) {
      auto found = updates.find(entry.getName());
      Location loc = function.getLoc();
      if (found != updates.end()) {
        loc = found->second.getLoc();
        visitUpdate(entry, found->second);
      } else if (entry.getStatus() == "frozen") {
        report("untouched-parameter", entry, loc,
               "no optimizer updates this parameter: the step returns it as it "
               "came in");
      }
      visitFacts(entry, dictionary, loc);
      for (auto [first, second] : twice)
        if (getParameterName(second) == entry.getName())
          report("two-updates", entry, loc,
                 llvm::formatv("one step updates it twice: the other update is "
                               "that of '{0}'",
                               getParameterName(first)));
    }
    function->setAttr(SkewDialect::kLintAttr,
                      ArrayAttr::get(&getContext(), findings));
  }
  // An attribute is all that changed.
  markAllAnalysesPreserved();
}
