//===- SkewFolds.cpp - canonicalisation of sweeps -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/PatternMatch.h"
#include "skew/Dialect/Skew/IR/Skew.h"

using namespace mlir;
using namespace mlir::skew;

/// Makes `sweep` again with the inputs and outputs whose positions are listed;
/// `newTie` maps a kept output's tie to an old input position. The body moves;
/// its arguments and yielded values must already fit the new lists.
static SweepOp rebuild(PatternRewriter &rewriter, SweepOp sweep,
                       ArrayRef<unsigned> inputs, ArrayRef<unsigned> outputs,
                       llvm::function_ref<int64_t(int64_t)> newTie) {
  SmallVector<Value> operands;
  SmallVector<Type> types;
  SmallVector<Attribute> inputProjections, outputProjections, combiners;
  SmallVector<int64_t> into;
  for (unsigned i : inputs) {
    operands.push_back(sweep.getInputs()[i]);
    inputProjections.push_back(sweep.getInputProjections()[i]);
  }
  for (unsigned i : outputs) {
    types.push_back(sweep.getResult(i).getType());
    outputProjections.push_back(sweep.getOutputProjections()[i]);
    combiners.push_back(sweep.getCombiners()[i]);
    int64_t tie = sweep.getInto()[i];
    into.push_back(tie < 0 ? -1 : newTie(tie));
  }
  auto made = SweepOp::create(
      rewriter, sweep.getLoc(), types, operands, sweep.getShapeAttr(),
      sweep.getAxes(), rewriter.getArrayAttr(inputProjections),
      rewriter.getArrayAttr(outputProjections),
      rewriter.getArrayAttr(combiners), rewriter.getDenseI64ArrayAttr(into),
      sweep.getShardsAttr());
  made->setDiscardableAttrs(sweep->getDiscardableAttrDictionary());
  rewriter.inlineRegionBefore(sweep.getBody(), made.getBody(),
                              made.getBody().end());
  for (auto [k, i] : llvm::enumerate(outputs))
    rewriter.replaceAllUsesWith(sweep.getResult(i), made.getResult(k));
  rewriter.eraseOp(sweep);
  return made;
}

static SmallVector<unsigned> positions(unsigned count) {
  return llvm::to_vector(llvm::seq<unsigned>(0, count));
}

namespace {

/// Drops inputs that the body does not read, and reads a tensor given twice
/// under one projection once. An input whose buffer an output reuses stays.
///
///     skew.sweep ... ins(%g elem : T, %g elem : T) {^bb0(%a: f32, %b: f32, ..)
///  -> skew.sweep ... ins(%g elem : T) {^bb0(%a: f32, ..)
struct SimplifySweepInputs : public OpRewritePattern<SweepOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SweepOp sweep,
                                PatternRewriter &rewriter) const override {
    Block &body = sweep.getBody().front();
    unsigned count = sweep.getInputs().size();
    // For each input the position of the one that stands for it.
    SmallVector<unsigned> leader = positions(count);
    for (unsigned i = 0; i < count; ++i)
      for (unsigned k = 0; k < i && leader[i] == i; ++k)
        if (sweep.getInputs()[i] == sweep.getInputs()[k] &&
            sweep.getInputProjection(i) == sweep.getInputProjection(k) &&
            body.getArgument(i).getType() == body.getArgument(k).getType())
          leader[i] = k;
    SmallVector<bool> needed(count, false);
    for (unsigned i = 0; i < count; ++i)
      if (!body.getArgument(i).use_empty())
        needed[leader[i]] = true;
    for (int64_t tie : sweep.getInto())
      if (tie >= 0)
        needed[leader[tie]] = true;
    if (llvm::all_of(needed, [](bool is) { return is; }))
      return rewriter.notifyMatchFailure(sweep, "every input is needed");

    SmallVector<unsigned> kept;
    SmallVector<int64_t> renumbered(count, -1);
    for (unsigned i = 0; i < count; ++i) {
      if (leader[i] != i)
        rewriter.replaceAllUsesWith(body.getArgument(i),
                                    body.getArgument(leader[i]));
      if (needed[i]) {
        renumbered[i] = kept.size();
        kept.push_back(i);
      }
    }
    SweepOp made =
        rebuild(rewriter, sweep, kept, positions(sweep.getNumResults()),
                [&](int64_t tie) { return renumbered[leader[tie]]; });
    rewriter.modifyOpInPlace(made, [&] {
      for (unsigned i = count; i-- > 0;)
        if (!needed[i])
          made.getBody().front().eraseArgument(i);
    });
    return success();
  }
};

/// Drops outputs whose results have no use.
struct DropUnusedSweepOutputs : public OpRewritePattern<SweepOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SweepOp sweep,
                                PatternRewriter &rewriter) const override {
    SmallVector<unsigned> kept;
    for (unsigned i = 0; i < sweep.getNumResults(); ++i)
      if (!sweep.getResult(i).use_empty())
        kept.push_back(i);
    if (kept.size() == sweep.getNumResults())
      return rewriter.notifyMatchFailure(sweep, "every result is used");
    Operation *yield = sweep.getBody().front().getTerminator();
    SmallVector<Value> values;
    for (unsigned i : kept)
      values.push_back(yield->getOperand(i));
    rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(values); });
    rebuild(rewriter, sweep, positions(sweep.getInputs().size()), kept,
            [](int64_t tie) { return tie; });
    return success();
  }
};

/// A result that is an input written back unchanged is that input.
struct ForwardUnchangedInput : public OpRewritePattern<SweepOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SweepOp sweep,
                                PatternRewriter &rewriter) const override {
    Block &body = sweep.getBody().front();
    bool changed = false;
    for (auto [i, value] :
         llvm::enumerate(body.getTerminator()->getOperands())) {
      auto argument = dyn_cast<BlockArgument>(value);
      if (!argument || argument == sweep.getIndexArgument() ||
          sweep.getResult(i).use_empty())
        continue;
      unsigned input = argument.getArgNumber();
      Value tensor = sweep.getInputs()[input];
      auto type = cast<RankedTensorType>(tensor.getType());
      // Widened to the argument's type and rounded back it is the same value;
      // an argument narrower than its storage would lose bits.
      if (sweep.getCombiner(i) != Combiner::write ||
          sweep.getResult(i).getType() != type ||
          sweep.getAxes().axesOf(sweep.getInputProjection(input)) !=
              sweep.getAxes().axesOf(sweep.getOutputProjection(i)) ||
          !holds(argument.getType(), type.getElementType()))
        continue;
      rewriter.replaceAllUsesWith(sweep.getResult(i), tensor);
      changed = true;
    }
    return success(changed);
  }

private:
  /// True if every value of `narrow` is one of `wide`.
  static bool holds(Type wide, Type narrow) {
    if (wide == narrow || isa<IntegerType>(narrow))
      return true;
    const llvm::fltSemantics &a = cast<FloatType>(wide).getFloatSemantics();
    const llvm::fltSemantics &b = cast<FloatType>(narrow).getFloatSemantics();
    return APFloat::semanticsPrecision(a) >= APFloat::semanticsPrecision(b) &&
           APFloat::semanticsMaxExponent(a) >=
               APFloat::semanticsMaxExponent(b) &&
           APFloat::semanticsMinExponent(a) <= APFloat::semanticsMinExponent(b);
  }
};

} // namespace

void SweepOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns
      .add<SimplifySweepInputs, DropUnusedSweepOutputs, ForwardUnchangedInput>(
          context);
}
