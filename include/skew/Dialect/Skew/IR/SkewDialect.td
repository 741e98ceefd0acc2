//===- SkewDialect.td - the skew dialect ------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_IR_SKEWDIALECT_TD
#define SKEW_DIALECT_SKEW_IR_SKEWDIALECT_TD

include "mlir/IR/OpBase.td"

def Skew_Dialect : Dialect {
  let name = "skew";
  let cppNamespace = "::mlir::skew";
  let summary = "optimizer updates and the state they keep";
  let description = [{
    The dialect says *what* an optimizer does to a parameter (update ops such as
    `skew.adamw` and `skew.skewadam`, all behind `UpdateOpInterface`) and *how
    often memory is touched* while doing so (`skew.sweep`). An update op
    decomposes into a short chain of sweeps; that decomposition is the only
    place where a rule's arithmetic is written, and the reference interpreter,
    the matcher, every lowering and the traffic accounting are generic over it.

    State is held in ordinary tensors as SSA values. Where state lives is an
    attribute (`#skew.tier`), so a decision can be read, edited and checked in
    the IR. All arithmetic of an update is fp32 unless `compute_type` says
    otherwise; scalar sweeps (bias corrections, random keys) are fp64; each
    stored value is rounded once.
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"
  ];
  let extraClassDeclaration = [{
    /// Discardable function attribute (array of dictionaries): one entry per
    /// trainable parameter, written by raising and extended by the analyses.
    static constexpr ::llvm::StringLiteral kParametersAttr = "skew.parameters";
    /// Discardable function attribute (array of dictionaries): state that is
    /// no moment of a raised update (step counters, accumulators, averages).
    static constexpr ::llvm::StringLiteral kOtherStateAttr = "skew.other_state";
    /// Discardable function attribute (array of dictionaries): lint findings.
    static constexpr ::llvm::StringLiteral kLintAttr = "skew.lint";
    /// Module attributes (strings) that carry report, layout and plan from
    /// planning to the end of a pipeline; `skew-strip` leaves them.
    static constexpr ::llvm::StringLiteral kReportAttr = "skew.report";
    static constexpr ::llvm::StringLiteral kLayoutAttr = "skew.layout";
    static constexpr ::llvm::StringLiteral kPlanAttr = "skew.plan";
  private:
    void registerAttributes();
    void registerBytecode();
  public:
  }];
}

#endif // SKEW_DIALECT_SKEW_IR_SKEWDIALECT_TD
