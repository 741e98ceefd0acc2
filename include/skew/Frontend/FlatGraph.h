//===- FlatGraph.h - a function as one flat list of records -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A read-only, acyclic view of a function for analyses that follow values:
// calls are inlined (a fresh copy per call site, because a helper such as silu
// is shared by all layers), the results of branches are joins, the body of a
// loop stands there once, and regions that only change the sharding vanish.
//
// A loop body's argument is a `phi` of its initial value, a loop's result a
// `loopResult` of what the body returns; the way back is recorded, never
// followed. So every record comes after the records it reads, "the same weight
// again in the next iteration" does not exist, and one pass in either direction
// is enough for a dataflow problem.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_FRONTEND_FLATGRAPH_H
#define SKEW_FRONTEND_FLATGRAPH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "skew/Frontend/StableHLODims.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Sequence.h"
#include <deque>
#include <memory>

namespace mlir::skew {

class FlatGraph {
public:
  using ValueId = uint32_t;
  using RecordId = uint32_t;
  /// No value, no record.
  static constexpr uint32_t kNone = ~0u;

  struct Record {
    FlowKind kind;
    /// The operation this stands for; for phi, loopResult, join and pass the
    /// control flow operation.
    Operation *op;
    const OpDims *dims;
    uint32_t firstOperand, numOperands;
    uint32_t firstResult, numResults;
    /// phi: the value that the body hands to its next iteration.
    ValueId back = kNone;
  };

  /// Flattens `function`. Without a result `why` says what stood in the way
  /// (recursion, a function that is not there, more than `maxRecords` records).
  static std::unique_ptr<FlatGraph>
  build(func::FuncOp function, std::string &why, size_t maxRecords = 8u << 20);

  size_t numRecords() const { return records.size(); }
  size_t numValues() const { return shapes.size(); }
  const Record &record(RecordId id) const { return records[id]; }
  FlowKind kind(RecordId id) const { return records[id].kind; }
  const OpDims &dims(RecordId id) const { return *records[id].dims; }

  ArrayRef<ValueId> operands(RecordId id) const {
    return ArrayRef(operandIds)
        .slice(records[id].firstOperand, records[id].numOperands);
  }
  ValueId operand(RecordId id, unsigned number) const {
    return operandIds[records[id].firstOperand + number];
  }
  /// Results are numbered consecutively.
  llvm::iota_range<ValueId> results(RecordId id) const {
    const Record &r = records[id];
    return llvm::seq(r.firstResult, r.firstResult + r.numResults);
  }
  ValueId result(RecordId id) const { return records[id].firstResult; }

  /// Arguments and results of the function.
  ArrayRef<ValueId> arguments() const { return argumentIds; }
  ArrayRef<ValueId> returned() const { return returnedIds; }

  /// The record that makes `value`, or kNone for an argument.
  RecordId definer(ValueId value) const { return definers[value]; }
  Type type(ValueId value) const { return types[value]; }
  ArrayRef<int64_t> shape(ValueId value) const { return shapes[value]; }
  unsigned rank(ValueId value) const { return shapes[value].size(); }
  Location loc(RecordId id) const { return records[id].op->getLoc(); }

  /// How the dimensions of operand `number` appear in the first result.
  std::optional<DimMap> mapDims(RecordId id, unsigned number) const;

private:
  class Builder;

  std::vector<Record> records;
  std::vector<ValueId> operandIds;
  std::vector<Type> types;
  std::vector<ArrayRef<int64_t>> shapes;
  std::vector<RecordId> definers;
  SmallVector<ValueId> argumentIds, returnedIds;
  /// Read once per operation, however often it is inlined. A deque, because
  /// records point into it.
  std::deque<OpDims> dimsStorage;
};

/// A short text that tells a reader which operation a record is: its name, the
/// type of its result and, where there is one, the place in the source.
std::string describeRecord(const FlatGraph &graph, FlatGraph::RecordId id);

} // namespace mlir::skew

#endif // SKEW_FRONTEND_FLATGRAPH_H
