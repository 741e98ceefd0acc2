//===- FlatGraph.cpp - a function as one flat list of records -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Frontend/FlatGraph.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::skew;

namespace {
using ValueId = FlatGraph::ValueId;
/// Values of one activation of a function.
using Environment = DenseMap<Value, ValueId>;
} // namespace

/// Walks regions and callees. Its recursion follows nesting of regions and the
/// depth of the call tree, never use-def chains.
class FlatGraph::Builder {
public:
  Builder(FlatGraph &graph, std::string &why, size_t maxRecords)
      : graph(graph), why(why), maxRecords(maxRecords) {}

  bool run(func::FuncOp function) {
    if (auto module = function->getParentOfType<ModuleOp>())
      for (auto callee : module.getOps<func::FuncOp>())
        functions[callee.getSymName()] = callee;
    if (function.isExternal())
      return fail("function has no body", function.getSymName());
    Environment env;
    for (BlockArgument arg : function.getArguments()) {
      env[arg] = newValue(arg.getType(), kNone);
      graph.argumentIds.push_back(env[arg]);
    }
    SmallVector<ValueId> returned;
    active.insert(function);
    if (!inlineBlock(function.getBody().front(), env, returned))
      return false;
    graph.returnedIds.assign(returned.begin(), returned.end());
    return true;
  }

private:
  bool fail(const Twine &reason, StringRef name) {
    why = (reason + " ('" + name + "')").str();
    return false;
  }

  ValueId newValue(Type type, RecordId definer) {
    ArrayRef<int64_t> shape;
    if (auto ranked = dyn_cast<RankedTensorType>(type))
      shape = ranked.getShape();
    graph.types.push_back(type);
    graph.shapes.push_back(shape);
    graph.definers.push_back(definer);
    return graph.types.size() - 1;
  }

  const OpDims *plainDims(FlowKind kind) {
    for (auto &[known, dims] : synthetic)
      if (known == kind)
        return dims;
    graph.dimsStorage.emplace_back();
    graph.dimsStorage.back().kind = kind;
    synthetic.push_back({kind, &graph.dimsStorage.back()});
    return synthetic.back().second;
  }

  const OpDims *dimsOf(Operation *op) {
    const OpDims *&dims = dimsCache[op];
    if (!dims) {
      graph.dimsStorage.push_back(readOpDims(op));
      dims = &graph.dimsStorage.back();
    }
    return dims;
  }

  RecordId addRecord(FlowKind kind, Operation *op, const OpDims *dims,
                     ArrayRef<ValueId> operands, TypeRange resultTypes) {
    Record record{};
    record.kind = kind;
    record.op = op;
    record.dims = dims;
    record.firstOperand = graph.operandIds.size();
    record.numOperands = operands.size();
    record.numResults = resultTypes.size();
    record.back = kNone;
    llvm::append_range(graph.operandIds, operands);
    RecordId id = graph.records.size();
    record.firstResult = graph.types.size();
    for (Type type : resultTypes)
      newValue(type, id);
    graph.records.push_back(record);
    return id;
  }

  ValueId addPass(FlowKind kind, Operation *op, ArrayRef<ValueId> operands,
                  Type type) {
    return graph.result(addRecord(kind, op, plainDims(kind), operands, type));
  }

  bool inlineBlock(Block &block, Environment &env,
                   SmallVectorImpl<ValueId> &returned);
  bool inlineOp(Operation *op, const OpDims &dims, Environment &env);
  bool inlineCall(Operation *op, StringRef symbol, ArrayRef<ValueId> operands,
                  Environment &env);
  bool inlineLoop(Operation *op, ArrayRef<ValueId> operands, Environment &env);
  bool inlineBranches(Operation *op, Environment &env);
  bool inlineRegion(Operation *op, ArrayRef<ValueId> operands,
                    Environment &env);
  void addOpaque(Operation *op, ArrayRef<ValueId> operands, Environment &env);

  FlatGraph &graph;
  std::string &why;
  size_t maxRecords;
  llvm::StringMap<func::FuncOp> functions;
  llvm::SmallPtrSet<Operation *, 8> active;
  DenseMap<Operation *, const OpDims *> dimsCache;
  SmallVector<std::pair<FlowKind, const OpDims *>> synthetic;
};

bool FlatGraph::Builder::inlineBlock(Block &block, Environment &env,
                                     SmallVectorImpl<ValueId> &returned) {
  for (Operation &op : block) {
    if (graph.records.size() > maxRecords)
      return fail("function has too many operations once calls are inlined",
                  op.getName().getStringRef());
    const OpDims &dims = *dimsOf(&op);
    if (dims.kind == FlowKind::terminator || isa<func::ReturnOp>(op)) {
      returned.clear();
      for (Value value : op.getOperands())
        returned.push_back(env.lookup(value));
      return true;
    }
    if (!inlineOp(&op, dims, env))
      return false;
  }
  return true;
}

/// True if `region` is one block with `numArguments` arguments that ends in a
/// terminator of `numReturned` operands: nothing verifies unregistered ops.
static bool isBody(Region &region, size_t numArguments, size_t numReturned) {
  if (!region.hasOneBlock() || region.front().empty() ||
      region.getNumArguments() != numArguments)
    return false;
  Operation &last = region.front().back();
  return readOpDims(&last).kind == FlowKind::terminator &&
         last.getNumOperands() == numReturned;
}

bool FlatGraph::Builder::inlineOp(Operation *op, const OpDims &dims,
                                  Environment &env) {
  SmallVector<ValueId> operands;
  for (Value value : op->getOperands())
    operands.push_back(env.lookup(value));
  size_t numResults = op->getNumResults();
  if (auto call = dyn_cast<func::CallOp>(op))
    return inlineCall(op, call.getCallee(), operands, env);
  switch (dims.kind) {
  case FlowKind::call:
    return inlineCall(op, dims.symbol, operands, env);
  case FlowKind::loop:
    if (op->getNumRegions() == 2 && operands.size() == numResults &&
        isBody(op->getRegion(1), numResults, numResults))
      return inlineLoop(op, operands, env);
    break;
  case FlowKind::branches:
    if (op->getNumRegions() > 0 &&
        llvm::all_of(op->getRegions(), [&](Region &region) {
          return isBody(region, 0, numResults);
        }))
      return inlineBranches(op, env);
    break;
  case FlowKind::region:
    if (op->getNumRegions() == 1 &&
        isBody(op->getRegion(0), operands.size(), numResults))
      return inlineRegion(op, operands, env);
    break;
  case FlowKind::barrier:
    if (operands.size() != numResults)
      break;
    for (auto [operand, result] : llvm::zip(operands, op->getResults()))
      env[result] = addPass(FlowKind::pass, op, operand, result.getType());
    return true;
  case FlowKind::opaque:
    break;
  default: {
    RecordId id =
        addRecord(dims.kind, op, &dims, operands, op->getResultTypes());
    for (auto [value, result] : llvm::zip(op->getResults(), graph.results(id)))
      env[value] = result;
    return true;
  }
  }
  addOpaque(op, operands, env);
  return true;
}

void FlatGraph::Builder::addOpaque(Operation *op, ArrayRef<ValueId> operands,
                                   Environment &env) {
  SmallVector<ValueId> all(operands);
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    if (auto it = env.find(value); it != env.end())
      all.push_back(it->second);
  RecordId id = addRecord(FlowKind::opaque, op, plainDims(FlowKind::opaque),
                          all, op->getResultTypes());
  for (auto [value, result] : llvm::zip(op->getResults(), graph.results(id)))
    env[value] = result;
}

bool FlatGraph::Builder::inlineCall(Operation *op, StringRef symbol,
                                    ArrayRef<ValueId> operands,
                                    Environment &env) {
  func::FuncOp callee = functions.lookup(symbol);
  if (!callee || callee.isExternal() ||
      callee.getNumArguments() != operands.size() ||
      callee.getNumResults() != op->getNumResults()) {
    addOpaque(op, operands, env);
    return true;
  }
  if (!active.insert(callee).second)
    return fail("function calls itself", symbol);
  llvm::scope_exit leave([&] { active.erase(callee); });
  // MLIR's own limits on nesting are far below this.
  if (active.size() > 512)
    return fail("calls are nested too deep", symbol);
  Environment inner;
  for (auto [argument, value] : llvm::zip(callee.getArguments(), operands))
    // Nothing verifies the operand types of an unregistered call.
    inner[argument] =
        graph.types[value] == argument.getType()
            ? value
            : addPass(FlowKind::pass, op, value, argument.getType());
  SmallVector<ValueId> returned;
  if (!inlineBlock(callee.getBody().front(), inner, returned))
    return false;
  if (returned.size() != op->getNumResults())
    return fail("function has no return with all its results", symbol);
  for (auto [result, value] : llvm::zip(op->getResults(), returned))
    env[result] = value;
  return true;
}

bool FlatGraph::Builder::inlineLoop(Operation *op, ArrayRef<ValueId> operands,
                                    Environment &env) {
  // The condition only counts iterations: its values reach no result.
  Block &body = op->getRegion(1).front();
  SmallVector<ValueId> phis, returned;
  for (auto [argument, operand] : llvm::zip(body.getArguments(), operands)) {
    phis.push_back(addPass(FlowKind::phi, op, operand, argument.getType()));
    env[argument] = phis.back();
  }
  if (!inlineBlock(body, env, returned))
    return false;
  for (auto [phi, next, result] : llvm::zip(phis, returned, op->getResults())) {
    graph.records[graph.definer(phi)].back = next;
    env[result] = addPass(FlowKind::loopResult, op, next, result.getType());
  }
  return true;
}

bool FlatGraph::Builder::inlineBranches(Operation *op, Environment &env) {
  SmallVector<SmallVector<ValueId>> branches;
  for (Region &region : op->getRegions()) {
    branches.emplace_back();
    if (!inlineBlock(region.front(), env, branches.back()))
      return false;
  }
  for (auto [number, result] : llvm::enumerate(op->getResults())) {
    SmallVector<ValueId> values;
    for (ArrayRef<ValueId> branch : branches)
      values.push_back(branch[number]);
    env[result] = addPass(FlowKind::join, op, values, result.getType());
  }
  return true;
}

bool FlatGraph::Builder::inlineRegion(Operation *op, ArrayRef<ValueId> operands,
                                      Environment &env) {
  Block &body = op->getRegion(0).front();
  for (auto [argument, operand] : llvm::zip(body.getArguments(), operands))
    env[argument] = addPass(FlowKind::pass, op, operand, argument.getType());
  SmallVector<ValueId> returned;
  if (!inlineBlock(body, env, returned))
    return false;
  for (auto [value, result] : llvm::zip(returned, op->getResults()))
    env[result] = addPass(FlowKind::pass, op, value, result.getType());
  return true;
}

std::unique_ptr<FlatGraph>
FlatGraph::build(func::FuncOp function, std::string &why, size_t maxRecords) {
  auto graph = std::make_unique<FlatGraph>();
  if (!Builder(*graph, why, maxRecords).run(function))
    return nullptr;
  // Sets of dimensions are 64-bit masks.
  for (ArrayRef<int64_t> shape : graph->shapes)
    if (shape.size() > 63) {
      why = "a tensor has more than 63 dimensions";
      return nullptr;
    }
  return graph;
}

std::optional<DimMap> FlatGraph::mapDims(RecordId id, unsigned number) const {
  const Record &r = records[id];
  if (r.numResults == 0)
    return std::nullopt;
  SmallVector<ArrayRef<int64_t>, 4> operandShapes;
  for (ValueId value : operands(id))
    operandShapes.push_back(shapes[value]);
  return mlir::skew::mapDims(*r.dims, operandShapes, shapes[r.firstResult],
                             number);
}

/// The innermost readable part of a location: a name, else file and line.
static std::string describeLocation(Location loc) {
  for (;;) {
    if (auto name = dyn_cast<NameLoc>(loc))
      return name.getName().str();
    if (auto file = dyn_cast<FileLineColLoc>(loc))
      return (llvm::sys::path::filename(file.getFilename().getValue()) + ":" +
              Twine(file.getLine()))
          .str();
    if (auto call = dyn_cast<CallSiteLoc>(loc))
      loc = call.getCallee();
    else if (auto fused = dyn_cast<FusedLoc>(loc);
             fused && !fused.getLocations().empty())
      loc = fused.getLocations().front();
    else
      return "";
  }
}

std::string mlir::skew::describeRecord(const FlatGraph &graph,
                                       FlatGraph::RecordId id) {
  const FlatGraph::Record &r = graph.record(id);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << r.op->getName().stripDialect();
  if (r.numResults > 0) {
    os << " -> ";
    if (auto ranked = dyn_cast<RankedTensorType>(graph.type(r.firstResult))) {
      for (int64_t size : ranked.getShape())
        if (ShapedType::isDynamic(size))
          os << "?x";
        else
          os << size << 'x';
      os << ranked.getElementType();
    } else {
      os << graph.type(r.firstResult);
    }
  }
  std::string place = describeLocation(r.op->getLoc());
  if (!place.empty())
    os << " at " << place;
  return text;
}
