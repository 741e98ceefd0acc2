//===- SkewInterfaces.td - the interface of update rules --*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_IR_SKEWINTERFACES_TD
#define SKEW_DIALECT_SKEW_IR_SKEWINTERFACES_TD

include "mlir/IR/OpBase.td"

def Skew_UpdateOpInterface : OpInterface<"UpdateOpInterface"> {
  let cppNamespace = "::mlir::skew";
  let description = [{
    One optimizer rule applied to one parameter. A rule brings three things of
    its own: its decomposition into sweeps, its match solver, its state layout.
    No pass and no lowering asks which rule it sees.

    Operands and attributes shared by all rules are those of `Skew_UpdateOp`;
    results are the new parameter followed by the new state, in operand order.
  }];
  let methods = [
    InterfaceMethod<[{
      Emits the rule's sweeps (and, for rules that need them, whole-tensor ops)
      at the builder's insertion point; returns the values that replace the op's
      results, in order. Never erases or replaces the op itself.
    }], "::llvm::SmallVector<::mlir::Value>", "decompose",
      (ins "::mlir::OpBuilder &":$builder)>,
    InterfaceMethod<[{
      The state this op keeps, in operand order: component name (`m`, `v`,
      `v_row`, `v_col`), shape, element type, initial value.
    }], "::llvm::SmallVector<::mlir::skew::StateComponent>", "getStateLayout">,
    StaticInterfaceMethod<[{
      Number of state tensors of the parameter's shape that a raised update of
      this rule has, or -1 if the rule is never raised from a graph.
    }], "int", "getNumRaisedStates">,
    StaticInterfaceMethod<[{
      True if a raised update of this rule may also have no state at all.
    }], "bool", "mayLackState", (ins), [{}], [{ return false; }]>,
    StaticInterfaceMethod<[{
      The rule's match solver: asks `probe` questions and returns the constants
      and run-time scalars that make the probed slice this rule, or the reason
      why there are none (raising.md). State tensors of the probe are in the
      order of the raised op's state operands.
    }], "::mlir::skew::UpdateMatch", "matchUpdate",
      (ins "::mlir::skew::UpdateProbe &":$probe)>,
    InterfaceMethod<"The new value of the parameter is this result.",
      "::mlir::Value", "getNewParameter", (ins), [{
        return $_op->getResult(0);
      }]>,
    InterfaceMethod<"Parameter operand.", "::mlir::Value", "getUpdatedParameter",
      (ins), [{ return $_op.getParameter(); }]>,
    InterfaceMethod<"Gradient operand.", "::mlir::Value", "getUpdateGradient",
      (ins), [{ return $_op.getGradient(); }]>,
    InterfaceMethod<"State operands.", "::mlir::OperandRange", "getStateOperands",
      (ins), [{ return $_op.getState(); }]>,
    InterfaceMethod<[{
      How parameter, gradient and state are cut over devices; null if the op has
      whole tensors.
    }], "::mlir::skew::ShardingAttr", "getSharding",
      (ins), [{ return $_op.getShardsAttr(); }]>,
    InterfaceMethod<[{
      Shape of the whole parameter, also where the op has a part of it: what
      decisions and accounts go by.
    }], "::llvm::SmallVector<int64_t>", "getWholeShape", (ins), [{
        auto type = ::llvm::cast<::mlir::RankedTensorType>(
            $_op.getParameter().getType());
        if (auto shards = $_op.getShardsAttr())
          return shards.wholeShapeOf(type.getShape());
        return ::llvm::to_vector(type.getShape());
      }]>,
    InterfaceMethod<[{
      Value of a hyperparameter that is constant (an f64 attribute); nullopt if
      it is an operand or absent.
    }], "std::optional<double>", "getConstantHyperparameter",
      (ins "::llvm::StringRef":$name), [{
        auto attr = $_op.getHyperparameters().template getAs<::mlir::FloatAttr>(name);
        if (!attr)
          return std::nullopt;
        return attr.getValueAsDouble();
      }]>,
    InterfaceMethod<[{
      The operand that carries a hyperparameter known only at run time; null if
      it is constant or absent.
    }], "::mlir::Value", "getRuntimeHyperparameter",
      (ins "::llvm::StringRef":$name), [{
        if (auto names = $_op.getRuntimeNames())
          for (auto [value, attr] : ::llvm::zip_equal($_op.getRuntime(), *names))
            if (::llvm::cast<::mlir::StringAttr>(attr).getValue() == name)
              return value;
        return ::mlir::Value();
      }]>,
  ];
}

#endif // SKEW_DIALECT_SKEW_IR_SKEWINTERFACES_TD
