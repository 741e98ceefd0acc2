//===- InputDialects.cpp - stand-ins for dialects of inputs ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/InputDialects.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

namespace {
class ShardyStandIn : public Dialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ShardyStandIn)
  static constexpr StringLiteral getDialectNamespace() { return "sdy"; }

  explicit ShardyStandIn(MLIRContext *context)
      : Dialect(getDialectNamespace(), context,
                TypeID::get<ShardyStandIn>()) {
    allowUnknownOperations();
  }

  /// What an unregistered dialect's attribute becomes.
  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override {
    return OpaqueAttr::get(StringAttr::get(getContext(), getNamespace()),
                           parser.getFullSymbolSpec(),
                           type ? type : NoneType::get(getContext()));
  }
  Type parseType(DialectAsmParser &parser) const override {
    return OpaqueType::get(StringAttr::get(getContext(), getNamespace()),
                           parser.getFullSymbolSpec());
  }
};
} // namespace

void skew::registerInputDialects(DialectRegistry &registry) {
  registry.insert<ShardyStandIn>();
}
