//===- SkewTransformOps.h - the stages as transforms ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_PIPELINES_TRANSFORMOPS_SKEWTRANSFORMOPS_H
#define SKEW_PIPELINES_TRANSFORMOPS_SKEWTRANSFORMOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir {
class DialectRegistry;
}

#define GET_OP_CLASSES
#include "skew/Pipelines/TransformOps/SkewTransformOps.h.inc"

namespace mlir::skew {

/// Adds `transform.skew.*` to the transform dialect.
void registerTransformDialectExtension(DialectRegistry &registry);

} // namespace mlir::skew

#endif // SKEW_PIPELINES_TRANSFORMOPS_SKEWTRANSFORMOPS_H
