//===- Traffic.cpp - memory traffic of sweeps -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Dialect/Skew/Transforms/Traffic.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::skew;

static bool isScalar(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getRank() == 0;
}

static int64_t sizeInBytes(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return type.getNumElements() *
         llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

namespace {
/// What a value waits for.
struct Origin {
  /// Number of times that a chain waited for another on the way.
  unsigned barriers = 0;
  /// Chains whose sweeps went into it.
  llvm::SmallSetVector<unsigned, 2> chains;

  void join(const Origin &other) {
    barriers = std::max(barriers, other.barriers);
    chains.insert(other.chains.begin(), other.chains.end());
  }
};

class TrafficCount {
public:
  explicit TrafficCount(Block &block) : block(block) {}
  SmallVector<ChainTraffic> run();

private:
  void findBuffers();
  void findChains();
  void visit(SweepOp sweep);
  void countSweep(SweepOp sweep, unsigned chain, unsigned barriers);
  Origin originOf(Operation &op);

  Block &block;
  /// The sweeps that move more than scalars.
  SmallVector<SweepOp> sweeps;
  llvm::DenseMap<Value, unsigned> buffers;
  llvm::DenseMap<Operation *, unsigned> chainOf;
  llvm::DenseMap<Value, Origin> origins;
  SmallVector<ChainTraffic> chains;
  /// Buffers in cache, and those already counted as written back, by chain and
  /// number of barriers before.
  llvm::DenseSet<std::tuple<unsigned, unsigned, unsigned>> cached, written;
};
} // namespace

void TrafficCount::findBuffers() {
  unsigned next = 0;
  auto bufferOf = [&](Value value) {
    auto [it, isNew] = buffers.try_emplace(value, next);
    next += isNew;
    return it->second;
  };
  for (SweepOp sweep : block.getOps<SweepOp>()) {
    bool movesTensors = false;
    for (Value input : sweep.getInputs()) {
      bufferOf(input);
      movesTensors |= !isScalar(input);
    }
    for (auto [i, result] : llvm::enumerate(sweep.getResults())) {
      int64_t tie = sweep.getInto()[i];
      if (tie >= 0)
        buffers[result] = buffers[sweep.getInputs()[tie]];
      else
        bufferOf(result);
      movesTensors |= !isScalar(result);
    }
    if (movesTensors)
      sweeps.push_back(sweep);
  }
}

void TrafficCount::findChains() {
  // Sweeps (even numbers) and buffers (odd ones) are the nodes: a sweep belongs
  // with all its tensors.
  llvm::EquivalenceClasses<unsigned> classes;
  for (auto [number, sweep] : llvm::enumerate(sweeps))
    for (ValueRange values :
         {ValueRange(sweep.getInputs()), ValueRange(sweep.getResults())})
      for (Value value : values)
        if (!isScalar(value))
          classes.unionSets(2 * number, 2 * buffers[value] + 1);
  llvm::DenseMap<unsigned, unsigned> numbers;
  for (auto [number, sweep] : llvm::enumerate(sweeps)) {
    auto [it, isNew] = numbers.try_emplace(classes.getLeaderValue(2 * number),
                                           chains.size());
    if (isNew) {
      chains.emplace_back();
      chains.back().first = sweep;
    }
    chainOf[sweep] = it->second;
  }
}

Origin TrafficCount::originOf(Operation &op) {
  Origin origin;
  for (Value operand : op.getOperands())
    if (auto it = origins.find(operand); it != origins.end())
      origin.join(it->second);
  return origin;
}

void TrafficCount::visit(SweepOp sweep) {
  unsigned chain = chainOf[sweep];
  Origin origin;
  for (Value input : sweep.getInputs()) {
    auto it = origins.find(input);
    if (it == origins.end())
      continue;
    bool waits = llvm::any_of(it->second.chains,
                              [&](unsigned other) { return other != chain; });
    origin.barriers = std::max(origin.barriers, it->second.barriers + waits);
  }
  origin.chains.insert(chain);
  countSweep(sweep, chain, origin.barriers);
  for (Value result : sweep.getResults())
    origins[result] = origin;
}

void TrafficCount::countSweep(SweepOp sweep, unsigned chain,
                              unsigned barriers) {
  ChainTraffic &traffic = chains[chain];
  traffic.elements =
      std::max(traffic.elements, getNumElements(sweep.getShape()));
  llvm::SmallDenseSet<unsigned> read;
  Block &body = sweep.getBody().front();
  for (auto [i, input] : llvm::enumerate(sweep.getInputs())) {
    unsigned buffer = buffers[input];
    // An input that only lends its buffer is not read.
    if (isScalar(input) || body.getArgument(i).use_empty() ||
        !read.insert(buffer).second)
      continue;
    traffic.coldBytes += sizeInBytes(input);
    if (cached.insert({chain, barriers, buffer}).second)
      traffic.warmBytes += sizeInBytes(input);
  }
  for (Value result : sweep.getResults()) {
    if (isScalar(result))
      continue;
    unsigned buffer = buffers[result];
    traffic.coldBytes += sizeInBytes(result);
    cached.insert({chain, barriers, buffer});
    if (written.insert({chain, barriers, buffer}).second)
      traffic.warmBytes += sizeInBytes(result);
  }
}

SmallVector<ChainTraffic> TrafficCount::run() {
  findBuffers();
  findChains();
  for (Operation &op : block) {
    if (auto sweep = dyn_cast<SweepOp>(op); sweep && chainOf.count(sweep)) {
      visit(sweep);
      continue;
    }
    Origin origin = originOf(op);
    for (Value result : op.getResults())
      origins[result] = origin;
  }
  return std::move(chains);
}

SmallVector<ChainTraffic> skew::computeTraffic(Block &block) {
  return TrafficCount(block).run();
}
