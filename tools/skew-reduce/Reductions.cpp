//===- Reductions.cpp - how modules with updates get smaller --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every pattern tries its edit on a copy of the module first and asks the
// tester: what is not interesting is not done. (The driver of mlir-reduce
// applies all patterns to an op at once, so that without this an update that
// has to stay would not get simpler.)
//
//===----------------------------------------------------------------------===//

#include "Reductions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Reducer/ReductionPatternInterface.h"
#include "skew/Dialect/Skew/IR/Skew.h"

using namespace mlir;
using namespace mlir::skew;

/// A change of one op; returns failure if there is nothing to change.
using Edit = function_ref<LogicalResult(RewriterBase &, Operation *)>;

/// Makes `edit` if the module is interesting with it.
static LogicalResult tryEdit(PatternRewriter &rewriter, Operation *op,
                             const Tester &tester, Edit edit) {
  Operation *root = op;
  while (root->getParentOp())
    root = root->getParentOp();
  if (!isa<ModuleOp>(root))
    return failure();
  IRMapping map;
  OwningOpRef<Operation *> copy = root->clone(map);
  {
    ScopedDiagnosticHandler quiet(op->getContext(),
                                  [](Diagnostic &) { return success(); });
    IRRewriter copyRewriter(op->getContext());
    if (failed(edit(copyRewriter, map.lookup(op))) || failed(verify(*copy)))
      return failure();
  }
  if (tester.isInteresting(cast<ModuleOp>(*copy)).first !=
      Tester::Interestingness::True)
    return failure();
  return edit(rewriter, op);
}

/// Erases what is left without a use, from `values` upwards. Ops of dialects
/// that are not here count as free of effects: the tester has the last word.
static void eraseUnused(RewriterBase &rewriter, SmallVector<Value> values) {
  while (!values.empty()) {
    Operation *op = values.pop_back_val().getDefiningOp();
    if (!op || !op->use_empty())
      continue;
    llvm::append_range(values, op->getOperands());
    // A value can come up twice: forget those of the op that goes.
    llvm::erase_if(values,
                   [&](Value value) { return value.getDefiningOp() == op; });
    rewriter.eraseOp(op);
  }
}

//===----------------------------------------------------------------------===//
// Updates and groups
//===----------------------------------------------------------------------===//

namespace {
/// The update is gone: parameter and state stay as they were.
class DropUpdate : public OpInterfaceRewritePattern<UpdateOpInterface> {
public:
  DropUpdate(MLIRContext *context, const Tester &tester)
      : OpInterfaceRewritePattern(context, /*benefit=*/3), tester(tester) {}

  LogicalResult matchAndRewrite(UpdateOpInterface update,
                                PatternRewriter &rewriter) const override {
    return tryEdit(rewriter, update, tester, drop);
  }

private:
  static LogicalResult drop(RewriterBase &rewriter, Operation *op) {
    auto update = cast<UpdateOpInterface>(op);
    SmallVector<Value> old = {update.getUpdatedParameter()};
    llvm::append_range(old, update.getStateOperands());
    if (ValueRange(old).getTypes() != op->getResultTypes())
      return failure();
    SmallVector<Value> operands(op->getOperands());
    rewriter.replaceOp(op, old);
    eraseUnused(rewriter, operands);
    return success();
  }

  const Tester &tester;
};

/// Simple hyperparameters, no name, nearest rounding, no backward pass: one
/// thing at a time.
class SimplifyUpdate : public OpInterfaceRewritePattern<UpdateOpInterface> {
public:
  SimplifyUpdate(MLIRContext *context, const Tester &tester)
      : OpInterfaceRewritePattern(context, /*benefit=*/2), tester(tester) {}

  LogicalResult matchAndRewrite(UpdateOpInterface update,
                                PatternRewriter &rewriter) const override {
    bool changed = succeeded(tryEdit(rewriter, update, tester, dropGradient));
    for (const auto &simple :
         {std::pair("weight_decay", 0.0), std::pair("eps_root", 0.0),
          std::pair("eps", 1.0), std::pair("beta1", 0.5),
          std::pair("beta2", 0.5), std::pair("momentum", 0.5),
          std::pair("dampening", 0.0), std::pair("nesterov", 0.0)}) {
      changed |= succeeded(tryEdit(
          rewriter, update, tester, [&](RewriterBase &rewriter, Operation *op) {
            return setHyperparameter(rewriter, op, simple.first,
                                     simple.second);
          }));
    }
    for (StringRef name : {"parameter_name", "parameter_id", "rounding", "seed",
                           "compute_type", "group"})
      changed |= succeeded(tryEdit(rewriter, update, tester,
                                   [&](RewriterBase &rewriter, Operation *op) {
                                     return resetAttribute(rewriter, op, name);
                                   }));
    return success(changed);
  }

private:
  /// The parameter is its own gradient.
  static LogicalResult dropGradient(RewriterBase &rewriter, Operation *op) {
    auto update = cast<UpdateOpInterface>(op);
    Value parameter = update.getUpdatedParameter();
    Value gradient = update.getUpdateGradient();
    if (gradient == parameter || gradient.getType() != parameter.getType())
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      for (OpOperand &operand : op->getOpOperands())
        if (operand.get() == gradient)
          operand.set(parameter);
    });
    eraseUnused(rewriter, {gradient});
    return success();
  }

  static LogicalResult setHyperparameter(RewriterBase &rewriter, Operation *op,
                                         StringRef name, double value) {
    auto all = op->getAttrOfType<DictionaryAttr>("hyperparameters");
    auto old = all ? all.getAs<FloatAttr>(name) : FloatAttr();
    if (!old || old.getValueAsDouble() == value)
      return failure();
    NamedAttrList list(all);
    list.set(name, rewriter.getF64FloatAttr(value));
    rewriter.modifyOpInPlace(op, [&] {
      op->setAttr("hyperparameters", list.getDictionary(op->getContext()));
    });
    return success();
  }

  /// To its default, which is not printed.
  static LogicalResult resetAttribute(RewriterBase &rewriter, Operation *op,
                                      StringRef name) {
    Attribute old = op->getAttr(name), made;
    if (name == "parameter_name")
      made = rewriter.getStringAttr("");
    else if (name == "parameter_id" || name == "seed")
      made = rewriter.getI64IntegerAttr(0);
    else if (name == "rounding")
      made = RoundingAttr::get(op->getContext(), Rounding::nearest);
    if (!old || old == made)
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      if (made)
        op->setAttr(name, made);
      else
        op->removeAttr(name);
    });
    return success();
  }

  const Tester &tester;
};

/// No decision, else a smaller tier.
class ShrinkTier : public OpRewritePattern<GroupOp> {
public:
  ShrinkTier(MLIRContext *context, const Tester &tester)
      : OpRewritePattern(context, /*benefit=*/2), tester(tester) {}

  LogicalResult matchAndRewrite(GroupOp group,
                                PatternRewriter &rewriter) const override {
    bool changed = succeeded(tryEdit(rewriter, group, tester,
                                     [](RewriterBase &rewriter, Operation *op) {
                                       auto group = cast<GroupOp>(op);
                                       if (!group.getTierAttr())
                                         return failure();
                                       rewriter.modifyOpInPlace(group, [&] {
                                         group.removeTierAttr();
                                         group.removeAxesAttr();
                                       });
                                       return success();
                                     }));
    changed |= succeeded(tryEdit(
        rewriter, group, tester, [](RewriterBase &rewriter, Operation *op) {
          return setTier(rewriter, cast<GroupOp>(op), /*dropM=*/true);
        }));
    changed |= succeeded(tryEdit(
        rewriter, group, tester, [](RewriterBase &rewriter, Operation *op) {
          return setTier(rewriter, cast<GroupOp>(op), /*dropM=*/false);
        }));
    changed |= succeeded(tryEdit(
        rewriter, group, tester, [](RewriterBase &rewriter, Operation *op) {
          auto group = cast<GroupOp>(op);
          if (!group.getWhyAttr())
            return failure();
          rewriter.modifyOpInPlace(group, [&] { group.removeWhyAttr(); });
          return success();
        }));
    return success(changed);
  }

private:
  /// Without momentum, or with an exact second moment.
  static LogicalResult setTier(RewriterBase &rewriter, GroupOp group,
                               bool dropM) {
    TierAttr tier = group.getTierAttr();
    if (!tier || (dropM ? tier.getM() == StateStorage::none
                        : tier.getV() == StateStorage::f32))
      return failure();
    rewriter.modifyOpInPlace(group, [&] {
      group.setTierAttr(TierAttr::get(
          group.getContext(), dropM ? StateStorage::none : tier.getM(),
          dropM ? tier.getV() : StateStorage::f32, tier.getPlace()));
    });
    return success();
  }

  const Tester &tester;
};

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

/// Drops results one by one, then arguments that nothing reads: parameters,
/// their state, inputs. What `skew.parameters` says of the others moves along.
class DropParameters : public OpRewritePattern<func::FuncOp> {
public:
  DropParameters(MLIRContext *context, const Tester &tester)
      : OpRewritePattern(context, /*benefit=*/1), tester(tester) {}

  LogicalResult matchAndRewrite(func::FuncOp function,
                                PatternRewriter &rewriter) const override {
    if (function.isExternal() || !llvm::hasSingleElement(function.getBody()))
      return failure();
    bool changed = false;
    for (unsigned i = function.getNumResults(); i-- > 0;)
      changed |= succeeded(tryEdit(rewriter, function, tester,
                                   [&](RewriterBase &rewriter, Operation *op) {
                                     return dropResult(
                                         rewriter, cast<func::FuncOp>(op), i);
                                   }));
    for (unsigned i = function.getNumArguments(); i-- > 0;)
      changed |= succeeded(tryEdit(rewriter, function, tester,
                                   [&](RewriterBase &rewriter, Operation *op) {
                                     return dropArgument(
                                         rewriter, cast<func::FuncOp>(op), i);
                                   }));
    return success(changed);
  }

private:
  /// Dictionaries under `attr` without those of place `gone` ("argument" or
  /// "result" is `key`), the later places moved down. Null: an entry to drop.
  static Attribute renumber(Attribute attr, StringRef key, int64_t gone) {
    if (auto array = dyn_cast<ArrayAttr>(attr)) {
      SmallVector<Attribute> kept;
      for (Attribute element : array)
        if (Attribute made = renumber(element, key, gone))
          kept.push_back(made);
      return ArrayAttr::get(attr.getContext(), kept);
    }
    auto dictionary = dyn_cast<DictionaryAttr>(attr);
    if (!dictionary)
      return attr;
    NamedAttrList list;
    for (NamedAttribute entry : dictionary) {
      auto place = dyn_cast<IntegerAttr>(entry.getValue());
      if (entry.getName() == key && place) {
        if (place.getInt() == gone)
          return {};
        int64_t moved = place.getInt() - (place.getInt() > gone);
        list.append(entry.getName(), IntegerAttr::get(place.getType(), moved));
      } else if (Attribute made = renumber(entry.getValue(), key, gone)) {
        list.append(entry.getName(), made);
      }
    }
    return list.getDictionary(attr.getContext());
  }

  static void renumberRecords(func::FuncOp function, StringRef key,
                              int64_t gone) {
    for (StringRef name :
         {SkewDialect::kParametersAttr, SkewDialect::kOtherStateAttr})
      if (Attribute attr = function->getAttr(name))
        function->setAttr(name, renumber(attr, key, gone));
  }

  static LogicalResult dropResult(RewriterBase &rewriter, func::FuncOp function,
                                  unsigned i) {
    Operation *end = function.getBody().front().getTerminator();
    if (i >= function.getNumResults() || i >= end->getNumOperands())
      return failure();
    Value value = end->getOperand(i);
    rewriter.modifyOpInPlace(end, [&] { end->eraseOperand(i); });
    llvm::BitVector gone(function.getNumResults());
    gone.set(i);
    bool done = false;
    rewriter.modifyOpInPlace(function, [&] {
      done = succeeded(function.eraseResults(gone));
      renumberRecords(function, "result", i);
    });
    eraseUnused(rewriter, {value});
    return success(done);
  }

  static LogicalResult dropArgument(RewriterBase &rewriter,
                                    func::FuncOp function, unsigned i) {
    if (!function.getArgument(i).use_empty())
      return failure();
    llvm::BitVector gone(function.getNumArguments());
    gone.set(i);
    bool done = false;
    rewriter.modifyOpInPlace(function, [&] {
      done = succeeded(function.eraseArguments(gone));
      renumberRecords(function, "argument", i);
    });
    return success(done);
  }

  const Tester &tester;
};

class SkewReductions : public DialectReductionPatternInterface {
public:
  SkewReductions(Dialect *dialect)
      : DialectReductionPatternInterface(dialect) {}

  void populateReductionPatterns(RewritePatternSet &) const override {}

  void populateReductionPatternsWithTester(RewritePatternSet &patterns,
                                           Tester &tester) const override {
    patterns.add<DropUpdate, SimplifyUpdate, ShrinkTier, DropParameters>(
        patterns.getContext(), tester);
  }
};
} // namespace

void skew::registerReductions(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, SkewDialect *dialect) {
    dialect->addInterfaces<SkewReductions>();
  });
}
