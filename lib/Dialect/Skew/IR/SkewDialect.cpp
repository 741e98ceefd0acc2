//===- SkewDialect.cpp - registration of the skew dialect -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "skew/Dialect/Skew/IR/Skew.h"

using namespace mlir;
using namespace mlir::skew;

#include "skew/Dialect/Skew/IR/SkewDialect.cpp.inc"
#include "skew/Dialect/Skew/IR/SkewInterfaces.cpp.inc"

void SkewDialect::initialize() {
  registerAttributes();
  registerBytecode();
  addOperations<
#define GET_OP_LIST
#include "skew/Dialect/Skew/IR/SkewOps.cpp.inc"
      >();
}

int64_t skew::getNumElements(llvm::ArrayRef<int64_t> shape) {
  // No tensor has 2^50 elements, but a type can say so; sizes in bytes and their
  // sums must not overflow.
  constexpr int64_t limit = int64_t(1) << 50;
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (extent <= 0)
      return 0;
    count = extent > limit / count ? limit : count * extent;
  }
  return count;
}

int64_t StateComponent::getSizeInBytes() const {
  return getNumElements(shape) *
         llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
}

Type skew::getStorageType(StateStorage storage, MLIRContext *context) {
  switch (storage) {
  case StateStorage::none:
  case StateStorage::factored:
    return {};
  case StateStorage::f32:
    return Float32Type::get(context);
  case StateStorage::bf16:
    return BFloat16Type::get(context);
  case StateStorage::f16:
    return Float16Type::get(context);
  case StateStorage::f64:
    return Float64Type::get(context);
  }
  llvm_unreachable("every storage is listed");
}

std::optional<StateStorage> skew::getStorageOf(Type type) {
  if (type.isF32())
    return StateStorage::f32;
  if (type.isBF16())
    return StateStorage::bf16;
  if (type.isF16())
    return StateStorage::f16;
  if (type.isF64())
    return StateStorage::f64;
  return std::nullopt;
}
