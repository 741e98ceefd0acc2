//===- skew-interpret.cpp - run the fp64 reference on a function ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tool of the tests. Arguments are read from DIR/argN.bin and results written
// to DIR/resultN.bin: float64 or int64 elements, row-major, host byte order,
// whatever the tensor's element type. Without directories the function must
// take no arguments, and results are printed.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include "skew/Reference/Interpreter.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::skew;
namespace cl = llvm::cl;

static cl::opt<std::string> inputFile(cl::Positional, cl::init("-"),
                                      cl::desc("FILE.mlir"));
static cl::opt<std::string>
    functionName("function", cl::init("main"),
                 cl::desc("name of the function to run"));
static cl::opt<std::string> inputs("inputs", cl::desc("folder with argN.bin"));
static cl::opt<std::string> outputs("outputs",
                                    cl::desc("folder for resultN.bin"));
static cl::opt<bool> roundStorage(
    "round-storage",
    cl::desc("round every stored float to its tensor's element type"));

static std::string fileName(StringRef folder, StringRef stem, unsigned i) {
  SmallString<128> path(folder);
  llvm::sys::path::append(path, stem + std::to_string(i) + ".bin");
  return std::string(path);
}

template <typename T>
static LogicalResult readElements(StringRef path, int64_t count,
                                  std::vector<T> &elements) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    llvm::errs() << "error: cannot read " << path << ": "
                 << buffer.getError().message() << "\n";
    return failure();
  }
  if ((*buffer)->getBufferSize() != count * sizeof(T)) {
    llvm::errs() << "error: " << path << " must hold " << count * sizeof(T)
                 << " bytes, got " << (*buffer)->getBufferSize() << "\n";
    return failure();
  }
  elements.resize(count);
  if (count)
    memcpy(elements.data(), (*buffer)->getBufferStart(), count * sizeof(T));
  return success();
}

static LogicalResult readArguments(func::FuncOp function,
                                   SmallVector<ReferenceTensor> &arguments) {
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape())
      return function.emitError("argument ")
             << i << " must be a tensor of static shape, got " << type;
    ReferenceTensor &argument = arguments.emplace_back();
    llvm::append_range(argument.shape, tensor.getShape());
    argument.isInteger = isa<IntegerType>(tensor.getElementType());
    std::string path = fileName(inputs, "arg", i);
    int64_t count = tensor.getNumElements();
    if (failed(argument.isInteger ? readElements(path, count, argument.i)
                                  : readElements(path, count, argument.f)))
      return failure();
  }
  return success();
}

static LogicalResult writeResult(const ReferenceTensor &result, unsigned i) {
  StringRef bytes =
      result.isInteger
          ? StringRef(reinterpret_cast<const char *>(result.i.data()),
                      result.i.size() * sizeof(int64_t))
          : StringRef(reinterpret_cast<const char *>(result.f.data()),
                      result.f.size() * sizeof(double));
  std::string path = fileName(outputs, "result", i);
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (error) {
    llvm::errs() << "error: cannot write " << path << ": " << error.message()
                 << "\n";
    return failure();
  }
  os << bytes;
  return success();
}

static void printResult(const ReferenceTensor &result, unsigned i) {
  llvm::outs() << "result " << i << ": [";
  llvm::interleave(result.shape, llvm::outs(), "x");
  llvm::outs() << "]";
  for (double value : result.f)
    llvm::outs() << " " << llvm::format("%.17g", value);
  for (int64_t value : result.i)
    llvm::outs() << " " << value;
  llvm::outs() << "\n";
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "runs a function in fp64\n");

  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, math::MathDialect,
                  SkewDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sourceMgr;
  SourceMgrDiagnosticHandler handler(sourceMgr, &context);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(inputFile, sourceMgr, &context);
  if (!module)
    return 1;
  auto function = module->lookupSymbol<func::FuncOp>(functionName);
  if (!function) {
    module->emitError("there is no function '") << functionName << "'";
    return 1;
  }
  SmallVector<ReferenceTensor> arguments;
  if (failed(readArguments(function, arguments)))
    return 1;
  InterpreterOptions options;
  options.roundStorage = roundStorage;
  FailureOr<SmallVector<ReferenceTensor>> results =
      interpret(function, arguments, options);
  if (failed(results))
    return 1;
  for (auto [i, result] : llvm::enumerate(*results)) {
    if (outputs.empty())
      printResult(result, i);
    else if (failed(writeResult(result, i)))
      return 1;
  }
  return 0;
}
