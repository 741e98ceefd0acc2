//===- OutlineSweeps.cpp - equal sweeps share a function ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model has thousands of parameters of a few shapes. What is done to all of
// one shape is written once, so that neither the text nor the time to write it
// grows with their number.
//
//===----------------------------------------------------------------------===//

#include "skew/Dialect/Skew/Transforms/OutlineSweeps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;
using namespace mlir::skew;

/// A scalar sweep with more body ops than this is worth a function however
/// often it occurs: the random key (about 120) moves.
static constexpr unsigned kLongestInlineScalar = 32;
/// A sweep with fewer body ops is not worth a call.
static constexpr unsigned kShortestOutlined = 5;

/// Sweeps that compute the same from their operands.
struct SweepOutliner::SweepClass {
  /// The first one, or its copy in the function.
  SweepOp model;
  func::FuncOp function;
  /// The last sweep, or call that stands for it, on a first operand.
  llvm::DenseMap<std::pair<Block *, Value>, Operation *> last;
};

SweepOutliner::SweepOutliner(ModuleOp module)
    : module(module), symbols(module) {}

SweepOutliner::~SweepOutliner() = default;

static unsigned getNumBodyOps(SweepOp sweep) {
  return sweep.getBody().front().getOperations().size() - 1;
}

/// True if the two compute the same from their operands.
static bool areEqual(SweepOp a, SweepOp b) {
  return llvm::equal(a->getOperandTypes(), b->getOperandTypes()) &&
         OperationEquivalence::isEquivalentTo(
             a, b, OperationEquivalence::ignoreValueEquivalence, nullptr,
             OperationEquivalence::IgnoreLocations |
                 OperationEquivalence::IgnoreDiscardableAttrs);
}

static llvm::hash_code hashSweep(SweepOp sweep) {
  auto hashTypes = [](TypeRange types) {
    return llvm::hash_combine_range(types.begin(), types.end());
  };
  llvm::hash_code hash = llvm::hash_combine(sweep->hashProperties(),
                                            hashTypes(sweep->getOperandTypes()),
                                            hashTypes(sweep->getResultTypes()));
  for (Operation &op : sweep.getBody().front())
    hash =
        llvm::hash_combine(hash, op.getName().getAsOpaquePointer(),
                           op.hashProperties(), hashTypes(op.getResultTypes()));
  return hash;
}

SweepOutliner::SweepClass &SweepOutliner::findClass(SweepOp sweep) {
  auto &known = places[uint64_t(hashSweep(sweep)) >> 1];
  for (unsigned number : known)
    if (areEqual(classes[number]->model, sweep))
      return *classes[number];
  known.push_back(classes.size());
  classes.push_back(std::make_unique<SweepClass>());
  return *classes.back();
}

void SweepOutliner::shareConstants(SweepOp sweep) {
  for (OpOperand &operand : sweep->getOpOperands()) {
    auto constant = operand.get().getDefiningOp<arith::ConstantOp>();
    if (!constant)
      continue;
    auto [it, isNew] = constants.try_emplace(
        {constant->getBlock(), constant.getValue()}, constant);
    if (isNew || it->second == constant.getResult())
      continue;
    operand.set(it->second);
    if (constant->use_empty())
      constant->erase();
  }
}

static std::pair<Block *, Value> keyOf(Operation *op) {
  return {op->getBlock(), op->getNumOperands() ? op->getOperand(0) : Value()};
}

void SweepOutliner::replaceByCall(SweepClass &sweepClass, SweepOp sweep) {
  OpBuilder builder(sweep);
  auto call = func::CallOp::create(builder, sweep.getLoc(), sweepClass.function,
                                   sweep->getOperands());
  Operation *&last = sweepClass.last[keyOf(sweep)];
  if (!last || last == sweep)
    last = call;
  sweep->replaceAllUsesWith(call);
  sweep->erase();
}

void SweepOutliner::makeFunction(SweepClass &sweepClass) {
  SweepOp first = sweepClass.model;
  bool isScalar = first.getShape().empty();
  OpBuilder builder(module.getBodyRegion());
  builder.setInsertionPointToEnd(module.getBody());
  sweepClass.function = func::FuncOp::create(
      builder, first.getLoc(), isScalar ? "skew_scalar" : "skew_sweep",
      builder.getFunctionType(first->getOperandTypes(),
                              first->getResultTypes()));
  sweepClass.function.setPrivate();
  symbols.insert(sweepClass.function);
  Block *entry = sweepClass.function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  sweepClass.model = cast<SweepOp>(builder.clone(*first));
  sweepClass.model->setOperands(entry->getArguments());
  func::ReturnOp::create(builder, first.getLoc(),
                         sweepClass.model->getResults());
  replaceByCall(sweepClass, first);
}

void SweepOutliner::add(SweepOp sweep) {
  // Collectives stay in sight of the region that is theirs.
  if (sweep.getShardsAttr())
    return;
  shareConstants(sweep);
  SweepClass &sweepClass = findClass(sweep);
  // Where the operands are the same as well, the earlier one's results do: bias
  // corrections depend on the step alone.
  Operation *&last = sweepClass.last[keyOf(sweep)];
  if (last && llvm::equal(last->getOperands(), sweep->getOperands())) {
    sweep->replaceAllUsesWith(last);
    sweep->erase();
    return;
  }
  last = sweep;
  if (!sweepClass.model) {
    sweepClass.model = sweep;
    return;
  }
  if (getNumBodyOps(sweep) < kShortestOutlined)
    return;
  if (!sweepClass.function)
    makeFunction(sweepClass);
  replaceByCall(sweepClass, sweep);
}

void SweepOutliner::finish() {
  for (std::unique_ptr<SweepClass> &sweepClass : classes)
    if (!sweepClass->function && sweepClass->model.getShape().empty() &&
        getNumBodyOps(sweepClass->model) > kLongestInlineScalar)
      makeFunction(*sweepClass);
}

/// True if the sweep is all that its function does.
static bool isFunction(SweepOp sweep) {
  auto function = dyn_cast<func::FuncOp>(sweep->getParentOp());
  return function && function.isPrivate() &&
         llvm::hasNItems(*sweep->getBlock(), 2) &&
         llvm::equal(sweep->getOperands(), sweep->getBlock()->getArguments());
}

void skew::outlineSweeps(ModuleOp module) {
  SmallVector<SweepOp> sweeps;
  module.walk<WalkOrder::PreOrder>([&](SweepOp sweep) {
    if (!isFunction(sweep))
      sweeps.push_back(sweep);
  });
  SweepOutliner outliner(module);
  for (SweepOp sweep : sweeps)
    outliner.add(sweep);
  outliner.finish();
}
