//===- SkewBytecode.cpp - bytecode version of the skew dialect ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes travel in their textual form (MLIR's fallback). Properties of ops
// are a list of attributes: one that is added comes last and is read from files
// of its version on. The version also tells a file of a newer dialect from a
// damaged one. Append to the history below; never change what a version meant.
//
//   1  first release
//   2  updates and sweeps may have `shards`, an optional last property
//
//===----------------------------------------------------------------------===//

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "skew/Dialect/Skew/IR/Skew.h"

using namespace mlir;
using namespace mlir::skew;

namespace {
constexpr uint64_t currentVersion = 2;
constexpr uint64_t versionWithShards = 2;

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

//===----------------------------------------------------------------------===//
// Properties: one list per op says what is read and written, and in which order
//===----------------------------------------------------------------------===//

namespace {
/// MLIR's own format changed where segment sizes are with its version 6.
constexpr int64_t nativeSegments = 6;

/// Reads fields in turn; the first failure ends it.
class FieldReader {
public:
  explicit FieldReader(DialectBytecodeReader &reader) : reader(reader) {
    // A file without a version has no op of the dialect, or is damaged.
    FailureOr<const DialectVersion *> found =
        reader.getDialectVersion<SkewDialect>();
    if (succeeded(found))
      version = static_cast<const SkewDialectVersion *>(*found)->version;
  }
  template <typename Attr>
  void required(Attr &field) {
    if (succeeded(result))
      result = reader.readAttribute(field);
  }
  template <typename Attr>
  void optional(Attr &field) {
    if (succeeded(result))
      result = reader.readOptionalAttribute(field);
  }
  template <typename Attr>
  void optionalSince(uint64_t first, Attr &field) {
    if (version >= first)
      optional(field);
  }
  template <typename Sizes>
  void segments(Sizes &sizes, bool native) {
    bool fileIsNative = int64_t(reader.getBytecodeVersion()) >= nativeSegments;
    if (failed(result) || fileIsNative != native)
      return;
    if (native) {
      result = reader.readSparseArray(MutableArrayRef(sizes));
      return;
    }
    DenseI32ArrayAttr attr;
    required(attr);
    if (failed(result))
      return;
    if (attr.size() > int64_t(sizes.size())) {
      result = reader.emitError("size mismatch for operand segments");
      return;
    }
    llvm::copy(attr.asArrayRef(), sizes.begin());
  }
  LogicalResult getResult() const { return result; }

private:
  DialectBytecodeReader &reader;
  uint64_t version = 1;
  LogicalResult result = success();
};

class FieldWriter {
public:
  FieldWriter(DialectBytecodeWriter &writer, MLIRContext *context)
      : writer(writer), context(context) {}
  void required(Attribute field) { writer.writeAttribute(field); }
  void optional(Attribute field) { writer.writeOptionalAttribute(field); }
  void optionalSince(uint64_t, Attribute field) { optional(field); }
  template <typename Sizes>
  void segments(Sizes &sizes, bool native) {
    if ((writer.getBytecodeVersion() >= nativeSegments) != native)
      return;
    if (native)
      writer.writeSparseArray(ArrayRef(sizes));
    else
      writer.writeAttribute(DenseI32ArrayAttr::get(context, sizes));
  }

private:
  DialectBytecodeWriter &writer;
  MLIRContext *context;
};

/// The fields of an update op, in the order of version 1; those of later
/// versions follow.
template <typename UpdateOp, typename Visitor>
void visitUpdate(typename UpdateOp::Properties &fields, Visitor &visitor) {
  constexpr bool isTiered = std::is_same_v<UpdateOp, SkewAdamOp>;
  if constexpr (isTiered)
    visitor.required(fields.axes);
  visitor.optional(fields.compute_type);
  visitor.optional(fields.group);
  visitor.required(fields.hyperparameters);
  if constexpr (isTiered)
    visitor.optional(fields.numerics);
  visitor.segments(fields.operandSegmentSizes, /*native=*/false);
  visitor.optional(fields.parameter_id);
  visitor.optional(fields.parameter_name);
  if constexpr (isTiered)
    visitor.optional(fields.rms_clip);
  visitor.optional(fields.rounding);
  visitor.optional(fields.runtime_names);
  visitor.optional(fields.seed);
  if constexpr (isTiered)
    visitor.required(fields.tier);
  visitor.segments(fields.operandSegmentSizes, /*native=*/true);
  visitor.optionalSince(versionWithShards, fields.shards);
}

template <typename Visitor>
void visitSweep(SweepOp::Properties &fields, Visitor &visitor) {
  visitor.required(fields.axes);
  visitor.required(fields.combiners);
  visitor.required(fields.input_projections);
  visitor.required(fields.into);
  visitor.required(fields.output_projections);
  visitor.required(fields.shape);
  visitor.optionalSince(versionWithShards, fields.shards);
}
} // namespace

#define SKEW_PROPERTIES_IN_BYTECODE(OP, VISIT)                                 \
  LogicalResult OP::readProperties(DialectBytecodeReader &reader,              \
                                   OperationState &state) {                    \
    FieldReader fields(reader);                                                \
    VISIT(state.getOrAddProperties<Properties>(), fields);                     \
    return fields.getResult();                                                 \
  }                                                                            \
  void OP::writeProperties(DialectBytecodeWriter &writer) {                    \
    FieldWriter fields(writer, getContext());                                  \
    VISIT(getProperties(), fields);                                            \
  }
SKEW_PROPERTIES_IN_BYTECODE(AdamWOp, visitUpdate<AdamWOp>)
SKEW_PROPERTIES_IN_BYTECODE(SkewAdamOp, visitUpdate<SkewAdamOp>)
SKEW_PROPERTIES_IN_BYTECODE(LionOp, visitUpdate<LionOp>)
SKEW_PROPERTIES_IN_BYTECODE(SGDOp, visitUpdate<SGDOp>)
SKEW_PROPERTIES_IN_BYTECODE(SweepOp, visitSweep)
#undef SKEW_PROPERTIES_IN_BYTECODE
