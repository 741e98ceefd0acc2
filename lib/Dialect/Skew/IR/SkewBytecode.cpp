//===- SkewBytecode.cpp - bytecode version of the skew dialect ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes travel in their textual form (MLIR's fallback), so only a version
// is needed: it tells a file of a newer dialect from a damaged one. Append to
// the history below; never change what a version meant.
//
//   1  first release
//
//===----------------------------------------------------------------------===//

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "skew/Dialect/Skew/IR/Skew.h"

using namespace mlir;
using namespace mlir::skew;

namespace {
constexpr uint64_t currentVersion = 1;

struct SkewDialectVersion : public DialectVersion {
  explicit SkewDialectVersion(uint64_t version) : version(version) {}
  uint64_t version;
};

struct SkewBytecodeInterface : public BytecodeDialectInterface {
  explicit SkewBytecodeInterface(Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const override {
    writer.writeVarInt(currentVersion);
  }

  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const override {
    uint64_t version;
    if (failed(reader.readVarInt(version)))
      return nullptr;
    if (version > currentVersion) {
      reader.emitError() << "skew dialect version " << version
                         << " is newer than this tool's version "
                         << currentVersion
                         << "; read the file with a newer skew-opt";
      return nullptr;
    }
    return std::make_unique<SkewDialectVersion>(version);
  }
};
} // namespace

void SkewDialect::registerBytecode() { addInterfaces<SkewBytecodeInterface>(); }
