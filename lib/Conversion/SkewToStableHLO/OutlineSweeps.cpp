//===- OutlineSweeps.cpp - equal sweeps share a function ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model has thousands of parameters of a few shapes. What is done to all of
// one shape is written once, so that neither the text nor the time to write it
// grows with their number.
//
//===----------------------------------------------------------------------===//

#include "OutlineSweeps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;
using namespace mlir::skew;

/// A scalar sweep with more body ops than this is worth a function however
/// often it occurs: the random key (about 120) moves.
static constexpr unsigned kLongestInlineScalar = 32;
/// A sweep with fewer body ops is not worth a call.
static constexpr unsigned kShortestOutlined = 5;

namespace {

/// Sweeps that compute the same from their operands.
struct SweepClass {
  SmallVector<SweepOp> sweeps;
  func::FuncOp function;
};

class SweepOutliner {
public:
  explicit SweepOutliner(ModuleOp module) : module(module), symbols(module) {}

  void run();

private:
  void collect();
  void mergeRepeated();
  void makeFunction(SweepClass &sweepClass);

  ModuleOp module;
  SymbolTable symbols;
  /// In the order of their first sweeps.
  SmallVector<SweepClass> classes;
};

} // namespace

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

void SweepOutliner::collect() {
  // Hash -> places in `classes`; pointers make it, so it is only looked up in.
  llvm::DenseMap<uint64_t, SmallVector<unsigned, 1>> places;
  module.walk<WalkOrder::PreOrder>([&](SweepOp sweep) {
    // Collectives stay in sight of the region that is theirs.
    if (sweep.getShardsAttr())
      return;
    auto &known = places[uint64_t(hashSweep(sweep)) >> 1];
    auto *place = llvm::find_if(known, [&](unsigned number) {
      return areEqual(classes[number].sweeps.front(), sweep);
    });
    if (place == known.end()) {
      known.push_back(classes.size());
      classes.emplace_back();
      classes.back().sweeps.push_back(sweep);
    } else {
      classes[*place].sweeps.push_back(sweep);
    }
  });
}

/// Where the operands are the same as well, the first one's results do: bias
/// corrections depend on the step alone.
void SweepOutliner::mergeRepeated() {
  for (SweepClass &sweepClass : classes) {
    SmallVector<SweepOp> distinct;
    // The last sweep on a first operand, in its block.
    llvm::DenseMap<std::pair<Block *, Value>, SweepOp> last;
    for (SweepOp sweep : sweepClass.sweeps) {
      Value first = sweep->getNumOperands() ? sweep->getOperand(0) : Value();
      SweepOp &other = last[{sweep->getBlock(), first}];
      if (other && llvm::equal(other->getOperands(), sweep->getOperands())) {
        sweep->replaceAllUsesWith(other);
        sweep->erase();
        continue;
      }
      other = sweep;
      distinct.push_back(sweep);
    }
    sweepClass.sweeps = std::move(distinct);
  }
}

void SweepOutliner::makeFunction(SweepClass &sweepClass) {
  SweepOp model = sweepClass.sweeps.front();
  bool isScalar = model.getShape().empty();
  OpBuilder builder(module.getBodyRegion());
  builder.setInsertionPointToEnd(module.getBody());
  auto function = func::FuncOp::create(
      builder, model.getLoc(), isScalar ? "skew_scalar" : "skew_sweep",
      builder.getFunctionType(model->getOperandTypes(),
                              model->getResultTypes()));
  function.setPrivate();
  symbols.insert(function);
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  auto copy = cast<SweepOp>(builder.clone(*model));
  copy->setOperands(entry->getArguments());
  func::ReturnOp::create(builder, model.getLoc(), copy->getResults());
  for (SweepOp sweep : sweepClass.sweeps) {
    builder.setInsertionPoint(sweep);
    auto call = func::CallOp::create(builder, sweep.getLoc(), function,
                                     sweep->getOperands());
    sweep->replaceAllUsesWith(call);
    sweep->erase();
  }
}

void SweepOutliner::run() {
  collect();
  mergeRepeated();
  for (SweepClass &sweepClass : classes) {
    SweepOp model = sweepClass.sweeps.front();
    unsigned length = getNumBodyOps(model);
    bool isRepeated =
        sweepClass.sweeps.size() > 1 && length >= kShortestOutlined;
    bool isLongScalar =
        model.getShape().empty() && length > kLongestInlineScalar;
    if (isRepeated || isLongScalar)
      makeFunction(sweepClass);
  }
}

void skew::outlineSweeps(ModuleOp module) { SweepOutliner(module).run(); }
