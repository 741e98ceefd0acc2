//===- SkewAttributes.td - attributes of the skew dialect -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_IR_SKEWATTRIBUTES_TD
#define SKEW_DIALECT_SKEW_IR_SKEWATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "skew/Dialect/Skew/IR/SkewEnums.td"

class Skew_Attr<string name, string attrMnemonic>
    : AttrDef<Skew_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Skew_AxesAttr : Skew_Attr<"Axes", "axes"> {
  let summary = "how a parameter's axes fall into batch, row and column";
  let description = [{
    *batch* axes hold independent matrices (experts, stacked layers), *row* axes
    are what the matrix product contracts, *column* axes what it produces. Every
    axis is in exactly one class; each list ascends. Factors, normaliser and by
    default the RMS clip are per batch element; a mean over columns is a mean
    over all column axes.

    ```mlir
    #skew.axes<batch = [0], row = [1], column = [2]>
    ```
  }];
  let parameters = (ins
    OptionalArrayRefParameter<"int64_t">:$batch,
    OptionalArrayRefParameter<"int64_t">:$row,
    OptionalArrayRefParameter<"int64_t">:$column);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Number of axes.
    unsigned getRank() const {
      return getBatch().size() + getRow().size() + getColumn().size();
    }
    /// Ascending axes of the domain that an operand with `projection` has.
    ::llvm::SmallVector<int64_t> axesOf(Projection projection) const;
    /// `shape` restricted to the axes of `projection`.
    ::llvm::SmallVector<int64_t> shapeOf(Projection projection,
                                         ::llvm::ArrayRef<int64_t> shape) const;
    /// The axes of the smaller domain that `projection` spans, renumbered.
    AxesAttr restrictedTo(Projection projection) const;
    /// All axes of a tensor of `rank` in the column class: the split used
    /// where an update is elementwise and the split does not matter.
    static AxesAttr getElementwise(::mlir::MLIRContext *context, unsigned rank);
    /// True if a factored second moment exists and is smaller than an exact
    /// one: row and column axes are there and n*m > n+m (numerics.md).
    bool canFactor(::llvm::ArrayRef<int64_t> shape) const;
  }];
}

def Skew_ShardingAttr : Skew_Attr<"Sharding", "sharding"> {
  let summary = "how the tensors of an op in a manual region are cut";
  let description = [{
    The op stands in a region that every device runs on its own part of the
    tensors (`sdy.manual_computation`). `mesh` lists the axes of the mesh in
    device order: the coordinates of device d are the digits of d, the last
    axis fastest. `dims` lists, per dimension of the parameter (or of a sweep's
    domain), the axes that it is cut over, major first; an axis in no list
    replicates. Shapes of the op are those of one part, all parts are equal:
    the whole tensor's extents are the part's times the sizes of the axes.
    Counts, means, norms and element indices are those of the whole tensor.

    ```mlir
    #skew.sharding<mesh = ["x" = 2, "y" = 4], dims = [["x"], []]>
    ```
  }];
  let parameters = (ins
    OptionalArrayRefParameter<"::mlir::StringAttr">:$axis_names,
    OptionalArrayRefParameter<"int64_t">:$axis_sizes,
    OptionalArrayRefParameter<"::mlir::DenseI64ArrayAttr">:$dims);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Number of devices of the mesh.
    int64_t getNumDevices() const;
    /// Mesh axes (by position) that cut the dimensions `dims`, in that order.
    ::llvm::SmallVector<int64_t> axesOver(::llvm::ArrayRef<int64_t> dims) const;
    /// Number of parts of dimension `dim`.
    int64_t getNumParts(int64_t dim) const;
    /// Extents of the whole tensor whose parts have `shape`.
    ::llvm::SmallVector<int64_t>
    wholeShapeOf(::llvm::ArrayRef<int64_t> shape) const;
    /// The sharding of a tensor that has only the dimensions `dims`.
    ShardingAttr restrictedTo(::llvm::ArrayRef<int64_t> dims) const;
    /// True if no dimension is cut: every device has all of the tensor.
    bool isReplicated() const;
    /// Devices that differ in the coordinates of `axes` alone, one list per
    /// group; groups and devices ascend.
    ::llvm::SmallVector<::llvm::SmallVector<int64_t>>
    getGroups(::llvm::ArrayRef<int64_t> axes) const;
    /// Product of the sizes of the axes after `axis`: device / stride % size is
    /// the device's coordinate.
    int64_t getStride(int64_t axis) const;
  }];
}

def Skew_PlaceParameter : EnumParameter<Skew_Place> {
  let defaultValue = "Place::device";
}

def Skew_TierAttr : Skew_Attr<"Tier", "tier"> {
  let summary = "representation of a parameter's state and where it lives";
  let description = [{
    `m` is the first moment (`none` or a float storage type), `v` the second
    (a float storage type, kept exactly, or `factored`: one vector over rows and
    one over columns per matrix, both f32; never `none`), `place` the memory.

    ```mlir
    #skew.tier<m = f32, v = factored, place = device>
    ```
  }];
  let parameters = (ins
    EnumParameter<Skew_StateStorage>:$m,
    EnumParameter<Skew_StateStorage>:$v,
    Skew_PlaceParameter:$place);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Skew_SlotAttr : Skew_Attr<"Slot", "slot"> {
  let summary = "one argument and result of a rewritten function";
  let description = [{
    `kind` is `parameter`, `state` or `other`. `index` is the place in the new
    argument list, `old_index` the place of the argument it stems from in the
    original one (-1: none), `result` the result that is its next value (-1:
    none), `old_result` the original function's (-1: none). For state also the parameter's
    full name and id (low 64 bits of the SHA-256 of the name, of the decimal
    argument index when nameless), the component (`m`, `v`, `v_row`, `v_col`,
    `step`), its type, initial value, and the parameter's axes.
  }];
  let parameters = (ins
    "int64_t":$index,
    "::mlir::StringAttr":$kind,
    "int64_t":$old_index,
    "int64_t":$result,
    "int64_t":$old_result,
    "::mlir::StringAttr":$parameter,
    "uint64_t":$parameter_id,
    "::mlir::StringAttr":$component,
    "::mlir::Type":$type,
    "::mlir::FloatAttr":$init,
    OptionalParameter<"AxesAttr">:$axes);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // SKEW_DIALECT_SKEW_IR_SKEWATTRIBUTES_TD
