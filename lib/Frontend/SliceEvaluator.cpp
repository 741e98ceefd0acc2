//===- SliceEvaluator.cpp - slices as numbers -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Frontend/SliceEvaluator.h"
#include "SliceArithmetic.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::skew;

static constexpr unsigned kHalf = kNumScenarios / 2;
static constexpr double kLargestStep = 2147483647.0;

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

double mlir::skew::hashToUnit(uint64_t seed, uint64_t stream,
                              uint64_t counter) {
  uint64_t z = mix(seed * 0x9E3779B97F4A7C15ull + 0x632BE59BD9B4E019ull);
  z = mix(z ^ mix(stream + 0x9E3779B97F4A7C15ull));
  z = mix(z ^ mix(counter + 0xD1B54A32D192ED03ull));
  return (double(z >> 11) + 0.5) * 0x1p-53;
}

namespace {

/// A sequence of numbers for one leaf.
class LeafRandom {
public:
  LeafRandom(uint64_t seed, uint64_t stream) : seed(seed), stream(stream) {}
  double uniform(double low, double high) {
    return low + (high - low) * hashToUnit(seed, stream, counter++);
  }
  double integer(double low, double high) {
    return std::floor(uniform(low, high));
  }
  double logUniform(double low, double high) {
    return std::pow(10.0, uniform(low, high));
  }
  double normal() {
    double radius = std::sqrt(-2.0 * std::log(uniform(0.0, 1.0)));
    return radius * std::cos(2.0 * llvm::numbers::pi * uniform(0.0, 1.0));
  }
  /// A random order of 0 .. count-1.
  SmallVector<unsigned> permutation(unsigned count) {
    SmallVector<unsigned> order(count);
    for (unsigned i = 0; i < count; ++i)
      order[i] = i;
    for (unsigned i = count; i > 1; --i)
      std::swap(order[i - 1], order[unsigned(integer(0.0, double(i)))]);
    return order;
  }

private:
  uint64_t seed, stream, counter = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// ScalarHints
//===----------------------------------------------------------------------===//

/// Follows casts and additions of constants down to a scalar leaf; `offset` is
/// what has to be added to a value above to get the leaf's.
static NodeId findScalarLeaf(const SliceGraph &graph, NodeId id,
                             double &offset) {
  while (true) {
    const SliceNode &node = graph[id];
    ArrayRef<NodeId> operands = graph.getOperands(id);
    if (node.kind == SliceKind::Convert || node.kind == SliceKind::Broadcast) {
      id = operands[0];
      continue;
    }
    if (node.kind == SliceKind::Add || node.kind == SliceKind::Subtract) {
      unsigned constant =
          graph[operands[1]].kind == SliceKind::Constant ? 1 : 0;
      if (graph[operands[constant]].kind != SliceKind::Constant ||
          (node.kind == SliceKind::Subtract && constant == 0))
        return kNoNode;
      double value = graph[operands[constant]].constant;
      offset += node.kind == SliceKind::Add ? -value : value;
      id = operands[1 - constant];
      continue;
    }
    bool isScalarLeaf =
        (node.kind == SliceKind::Argument || node.kind == SliceKind::Opaque) &&
        node.numElements == 1;
    return isScalarLeaf ? id : kNoNode;
  }
}

static bool isComparison(SliceKind kind) {
  return (kind >= SliceKind::Less && kind <= SliceKind::NotEqual) ||
         kind == SliceKind::Maximum || kind == SliceKind::Minimum ||
         kind == SliceKind::Clamp;
}

ScalarHints::ScalarHints(const SliceGraph &graph) {
  for (NodeId id = 0; id < graph.size(); ++id) {
    const SliceNode &node = graph[id];
    if (node.kind == SliceKind::Power) {
      double offset = 0.0;
      NodeId leaf = findScalarLeaf(graph, graph.getOperands(id)[1], offset);
      if (leaf != kNoNode && graph[leaf].number == NumberKind::Float)
        steps.insert(leaf);
    }
    if (!isComparison(node.kind) || node.numElements != 1)
      continue;
    for (NodeId side : graph.getOperands(id)) {
      double offset = 0.0;
      NodeId leaf = findScalarLeaf(graph, side, offset);
      if (leaf == kNoNode || graph[leaf].number == NumberKind::Boolean)
        continue;
      for (NodeId other : graph.getOperands(id)) {
        if (graph[graph.skipCasts(other)].kind != SliceKind::Constant)
          continue;
        for (double delta : {0.0, -1.0, 1.0}) {
          double value =
              graph[graph.skipCasts(other)].constant + offset + delta;
          SmallVector<double> &list = near[leaf];
          if (value >= 0.0 && value <= kLargestStep &&
              !llvm::is_contained(list, value))
            list.push_back(value);
        }
      }
    }
  }
}

ArrayRef<double> ScalarHints::getNear(NodeId leaf) const {
  auto it = near.find(leaf);
  return it == near.end() ? ArrayRef<double>() : ArrayRef<double>(it->second);
}

//===----------------------------------------------------------------------===//
// ScalarTable
//===----------------------------------------------------------------------===//

ScalarTable::ScalarTable(const SliceGraph &graph, const ScalarHints &hints,
                         uint64_t seed, const FixedConditions &fixed)
    : graph(graph), hints(hints), seed(seed), fixed(fixed) {}

/// Values of the first half, then of the second: equal for what the caller of
/// the graph passes, drawn anew for reductions.
void ScalarTable::drawLeaf(NodeId leaf, MutableArrayRef<double> out) const {
  const SliceNode &node = graph[leaf];
  LeafRandom random(seed, leaf);
  bool isReduction = node.kind == SliceKind::Opaque;

  // Reductions over 11 decades. In every second scenario all share one scale,
  // so that a sum of norms falls on both sides of a clip threshold; in the
  // others they are independent, so that a ratio of norms does.
  auto drawReduction = [&](unsigned half) {
    SmallVector<unsigned> order =
        LeafRandom(seed, ~uint64_t(half)).permutation(kHalf);
    for (unsigned i = 0; i < kHalf; ++i) {
      double scale = std::pow(10.0, -7.0 + 11.0 * order[i] / (kHalf - 1));
      double factor =
          i % 2 ? random.uniform(0.3, 3.0) : random.logUniform(-4.0, 4.0);
      out[half * kHalf + i] = scale * factor;
    }
  };
  auto scatter = [&](ArrayRef<double> values, MutableArrayRef<double> to) {
    SmallVector<unsigned> order = random.permutation(to.size());
    for (auto [place, value] : llvm::zip(order, values))
      to[place] = value;
  };

  for (unsigned half = 0; half < 2; ++half) {
    MutableArrayRef<double> part = out.slice(half * kHalf, kHalf);
    if (half == 1 && !isReduction) {
      std::copy(out.begin(), out.begin() + kHalf, part.begin());
      break;
    }
    switch (node.number) {
    case NumberKind::Boolean:
      for (double &value : part)
        value = random.integer(0.0, 2.0);
      // Both values, however few the scenarios are.
      scatter({0.0, 1.0}, part);
      break;
    case NumberKind::Float:
      if (isReduction) {
        drawReduction(half);
      } else if (hints.isStep(leaf)) {
        for (double &value : part)
          value = random.integer(1.0, 100.0);
        scatter({1.0, 2.0, 900.0, 3000.0, 52000.0, 16777216.0}, part);
      } else {
        // Betas, learning rates, epsilons given as arguments all work here.
        for (double &value : part)
          value = random.uniform(0.05, 0.95);
      }
      break;
    case NumberKind::Integer:
    case NumberKind::Other:
      for (double &value : part)
        value = random.integer(0.0, 100.0);
      scatter(
          {0.0, 1.0, kLargestStep, kLargestStep - 1.0, 3000.0, 900.0, 52000.0},
          part);
      break;
    }
    ArrayRef<double> near = hints.getNear(leaf).take_front(8);
    if (!near.empty() &&
        (node.number == NumberKind::Integer || hints.isStep(leaf)))
      scatter(near, part);
  }
}

ArrayRef<double> ScalarTable::get(NodeId root) {
  SmallVector<NodeId> work = {root};
  while (!work.empty()) {
    NodeId id = work.back();
    if (table.contains(id)) {
      work.pop_back();
      continue;
    }
    auto row = std::make_unique<double[]>(kNumScenarios);
    MutableArrayRef<double> out(row.get(), kNumScenarios);
    if (auto it = fixed.find(id); it != fixed.end()) {
      std::fill(out.begin(), out.end(), it->second);
    } else if (graph.isLeaf(id)) {
      drawLeaf(id, out);
    } else {
      size_t before = work.size();
      SmallVector<OperandRow> rows;
      for (NodeId operand : graph.getOperands(id)) {
        auto known = table.find(operand);
        if (known == table.end())
          work.push_back(operand);
        else
          rows.push_back({known->second.get(), 1, graph[operand].number});
      }
      if (work.size() != before)
        continue;
      computeRow(graph[id], rows, row.get(), kNumScenarios);
    }
    work.pop_back();
    table[id] = std::move(row);
  }
  return ArrayRef<double>(table[root].get(), kNumScenarios);
}

double ScalarTable::getElement(NodeId leaf, unsigned sample) const {
  LeafRandom random(seed ^ 0x5851F42D4C957F2Dull,
                    uint64_t(leaf) * kNumSamples + sample);
  switch (graph[leaf].number) {
  case NumberKind::Boolean:
    return sample < 2 ? double(sample) : random.integer(0.0, 2.0);
  case NumberKind::Float:
    return sample == 0 ? 0.0 : random.normal() * random.logUniform(-3.0, 3.0);
  case NumberKind::Integer:
  case NumberKind::Other:
    return random.integer(0.0, 9.0);
  }
  return 0.0;
}

//===----------------------------------------------------------------------===//
// SliceEvaluator
//===----------------------------------------------------------------------===//

void SliceEvaluator::evaluate(
    ArrayRef<ProbePoint> points,
    function_ref<void(unsigned, const SliceRow &)> visit) {
  const SliceGraph &graph = slice.graph;
  ArrayRef<NodeId> order = slice.getOrder();
  unsigned count = points.size();
  uint32_t wideMask = DependsOnParameter | DependsOnElements |
                      slice.getStateMask() |
                      (mode.reductionsOff ? uint32_t(DependsOnReductions) : 0u);

  uint32_t own = DependsOnParameter | slice.getStateMask();

  // Leaves do not change from scenario to scenario but for reductions.
  SliceRow row;
  row.pointers.resize(order.size());
  row.wide.resize(order.size());
  std::vector<std::vector<double>> buffers(order.size());
  std::vector<ArrayRef<double>> narrow(order.size());
  for (auto [index, id] : llvm::enumerate(order)) {
    bool isFixed = fixed.contains(id);
    row.wide[index] = !isFixed && (slice.getDependence(id) & wideMask);
    if (!row.wide[index]) {
      narrow[index] = scalars.get(id);
      continue;
    }
    buffers[index].resize(count);
    row.pointers[index] = buffers[index].data();
    if (id == slice.parameter) {
      for (unsigned c = 0; c < count; ++c)
        buffers[index][c] = points[c].parameter;
    } else if (auto state = llvm::find(slice.states, id);
               state != slice.states.end()) {
      for (unsigned c = 0; c < count; ++c)
        buffers[index][c] = points[c].state[state - slice.states.begin()];
    } else if (graph.isLeaf(id) &&
               (slice.getDependence(id) & DependsOnElements)) {
      for (unsigned c = 0; c < count; ++c) {
        double value = points[c].sample < 0
                           ? 0.0
                           : scalars.getElement(id, points[c].sample);
        buffers[index][c] = mode.positiveElements ? std::abs(value) : value;
      }
    }
  }

  SmallVector<OperandRow> operands;
  for (unsigned s = 0; s < kNumScenarios; ++s) {
    for (auto [index, id] : llvm::enumerate(order)) {
      if (!row.wide[index]) {
        row.pointers[index] = &narrow[index][s];
        continue;
      }
      // A reduction that stands for everything below it.
      bool isReduction = mode.reductionsOff && !slice.isSingleElement() &&
                         slice.getDependence(id) == DependsOnReductions &&
                         graph[id].numElements == 1;
      if (isReduction) {
        double value = scalars.get(id)[s];
        for (unsigned c = 0; c < count; ++c)
          buffers[index][c] = points[c].sample < 0 ? 0.0 : value;
        continue;
      }
      if (graph.isLeaf(id))
        continue;
      operands.clear();
      for (NodeId operand : graph.getOperands(id)) {
        unsigned at = slice.getIndex(operand);
        operands.push_back(
            {row.pointers[at], row.wide[at] ? 1u : 0u, graph[operand].number});
      }
      computeRow(graph[id], operands, buffers[index].data(), count);
      // Inside the gradient random values may be no variance (the root of a
      // negative number). Any number does there: what is asked is how the
      // update follows from the gradient.
      if (!(slice.getDependence(id) & own))
        for (double &value : buffers[index])
          if (std::isnan(value))
            value = 0.75;
    }
    visit(s, row);
  }
}
