//===- SkewSweepOps.td - one pass over memory -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_IR_SKEWSWEEPOPS_TD
#define SKEW_DIALECT_SKEW_IR_SKEWSWEEPOPS_TD

include "mlir/IR/BuiltinAttributes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "skew/Dialect/Skew/IR/SkewAttributes.td"

def Skew_SweepOp : Op<Skew_Dialect, "sweep",
    [Pure, IsolatedFromAbove, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "one pass over the elements of a domain";
  let description = [{
    The domain is `shape` with its axes split by `axes`. Every operand is a
    *projection* of it: `elem` has all axes, `row` the batch and row axes, `col`
    the batch and column axes, `batch` the batch axes, `scalar` none; its shape
    is the domain's over those axes. An `elem` output is written, any other is
    summed over the axes it lacks (in an order that the target defines). With
    `shards` domain and operands are one device's part of the whole: sums go
    over the parts of all devices that the summed axes are cut over.

    The body is scalar `arith`, `math` and `skew` ops on the block arguments:
    one per input, floats converted to the argument's type, then the global
    row-major element index (i64). Bodies hold no shape: a count that a mean needs
    is a scalar input, so one body serves every shape and every shard. A yielded float wider than the output's
    element type is rounded to nearest even; yielding the output's own type
    means that the body has rounded already. `into` names the input whose buffer
    an output may reuse (-1: none).

    ```mlir
    %r:2 = skew.sweep domain([8, 4], <row = [0], column = [1]>)
        ins(%g elem : tensor<8x4xbf16>)
        outs(row sum into -1 : tensor<8xf32>, col sum into -1 : tensor<4xf32>) {
    ^bb0(%x: f32, %index: i64):
      %q = arith.mulf %x, %x : f32
      skew.yield %q, %q : f32, f32
    }
    ```
  }];
  let arguments = (ins
    Variadic<AnyRankedTensor>:$inputs,
    DenseI64ArrayAttr:$shape,
    Skew_AxesAttr:$axes,
    Skew_ProjectionArrayAttr:$input_projections,
    Skew_ProjectionArrayAttr:$output_projections,
    Skew_CombinerArrayAttr:$combiners,
    DenseI64ArrayAttr:$into,
    OptionalAttr<Skew_ShardingAttr>:$shards);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let useCustomPropertiesEncoding = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    Projection getInputProjection(unsigned i) {
      return ::llvm::cast<ProjectionAttr>(getInputProjections()[i]).getValue();
    }
    Projection getOutputProjection(unsigned i) {
      return ::llvm::cast<ProjectionAttr>(getOutputProjections()[i]).getValue();
    }
    Combiner getCombiner(unsigned i) {
      return ::llvm::cast<CombinerAttr>(getCombiners()[i]).getValue();
    }
    /// The global element index, last argument of the body.
    ::mlir::BlockArgument getIndexArgument() {
      return getBody().front().getArguments().back();
    }
  }];
}

def Skew_YieldOp : Op<Skew_Dialect, "yield",
    [Pure, Terminator, HasParent<"SweepOp">]> {
  let summary = "ends a sweep's body, one value per output";
  let arguments = (ins Variadic<AnyType>:$values);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ValueRange()); }]>];
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def Skew_RoundStochasticOp : Op<Skew_Dialect, "round_stochastic", [Pure]> {
  let summary = "exact stochastic rounding of f32 to bf16 or f16";
  let description = [{
    Rounds `value` to one of the two neighbours in the result type, away from
    zero with probability equal to the distance in units of the last place:
    unbiased for uniform `bits`, whose low 16 bits decide. A value that is
    representable, an infinity and a NaN stay what they are; the sign of zero is
    kept. Finite values beyond the largest finite result round towards infinity
    in proportion, as if the exponent range were unbounded.

    bf16: the low 16 bits are added below the kept mantissa, then truncated
    (integer arithmetic only). f16: the low 13 likewise; below the smallest
    normal f16 the result is ((trunc(|x| 2^40) + low 16 bits) >> 16) 2^-24.

    ```mlir
    %y = skew.round_stochastic %x, %bits : f32 to bf16
    ```
  }];
  let arguments = (ins F32:$value, I32:$bits);
  let results = (outs AnyTypeOf<[BF16, F16]>:$result);
  let assemblyFormat =
      "$value `,` $bits attr-dict `:` type($value) `to` type($result)";
}

#endif // SKEW_DIALECT_SKEW_IR_SKEWSWEEPOPS_TD
