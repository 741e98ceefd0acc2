//===- SkewUpdateOps.td - one op per optimizer rule -------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_IR_SKEWUPDATEOPS_TD
#define SKEW_DIALECT_SKEW_IR_SKEWUPDATEOPS_TD

include "mlir/IR/BuiltinAttributes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "skew/Dialect/Skew/IR/SkewAttributes.td"
include "skew/Dialect/Skew/IR/SkewInterfaces.td"

def Skew_FloatTensor : RankedTensorOf<[AnyFloat]>;
def Skew_ScalarTensor : 0DTensorOf<[AnyFloat, AnyInteger]>;
def Skew_FlagTensor : 0DTensorOf<[I1]>;

/// Operands and attributes that every rule has. `extraArguments` are the rule's
/// own attributes.
class Skew_UpdateOp<string mnemonic, dag extraArguments = (ins)>
    : Op<Skew_Dialect, mnemonic, [
        Pure, AttrSizedOperandSegments,
        DeclareOpInterfaceMethods<InferTypeOpInterface, ["inferReturnTypes"]>,
        DeclareOpInterfaceMethods<Skew_UpdateOpInterface,
          ["decompose", "getStateLayout", "getNumRaisedStates", "matchUpdate"]>]> {
  dag sharedArguments = (ins
    Skew_FloatTensor:$parameter,
    Skew_FloatTensor:$gradient,
    Variadic<Skew_FloatTensor>:$state,
    Optional<Skew_ScalarTensor>:$step,
    Skew_ScalarTensor:$learning_rate,
    Variadic<Skew_ScalarTensor>:$runtime,
    Optional<Skew_ScalarTensor>:$gradient_scale,
    Optional<Skew_FlagTensor>:$skip,
    DictionaryAttr:$hyperparameters,
    OptionalAttr<StrArrayAttr>:$runtime_names,
    DefaultValuedAttr<StrAttr, "\"\"">:$parameter_name,
    DefaultValuedAttr<I64Attr, "0">:$parameter_id,
    OptionalAttr<FlatSymbolRefAttr>:$group,
    DefaultValuedAttr<Skew_RoundingAttr, "Rounding::nearest">:$rounding,
    DefaultValuedAttr<I64Attr, "0">:$seed,
    OptionalAttr<TypeAttr>:$compute_type,
    OptionalAttr<Skew_ShardingAttr>:$shards);
  let arguments = !con(sharedArguments, extraArguments);
  let results = (outs Variadic<Skew_FloatTensor>:$results);
  let useCustomPropertiesEncoding = 1;
  let hasVerifier = 1;
  let assemblyFormat = [{
    `parameter` `(` $parameter `:` type($parameter) `)`
    `gradient` `(` $gradient `:` type($gradient) `)`
    (`state` `(` $state^ `:` type($state) `)`)?
    (`step` `(` $step^ `:` type($step) `)`)?
    `learning_rate` `(` $learning_rate `:` type($learning_rate) `)`
    (`runtime` $runtime_names^ `(` $runtime `:` type($runtime) `)`)?
    (`gradient_scale` `(` $gradient_scale^ `:` type($gradient_scale) `)`)?
    (`skip` `(` $skip^ `:` type($skip) `)`)?
    $hyperparameters attr-dict
  }];
}

defvar sharedDoc = [{

    Shared operands: `parameter` (any shape), `gradient` (same shape, after
    clipping), `state` (see the state layout above), `step` (scalar, counted
    from 1), `learning_rate` (scalar), `runtime` (hyperparameters that are not
    constant, named by `runtime_names`), `gradient_scale` (scalar that
    multiplies the gradient), `skip` (when true, parameter and state stay as
    they are). `hyperparameters` holds the constant ones as f64. With
    `rounding = stochastic` a bf16 or f16 parameter is written by exact
    stochastic rounding; the random bits are a function of (`seed`, step,
    `parameter_id`, global element index). `compute_type` makes the arithmetic
    that of the original graph (policy `keep`): elements in that type, scalars
    in f32, constants as the graph stores them (`*_stored`). With `shards` the
    op is one device's part of an update in a manual region: parameter, gradient
    and state are parts, every statistic is of the whole tensor, and scalars are
    the same on all devices.
}];

def Skew_AdamWOp : Skew_UpdateOp<"adamw"> {
  let summary = "AdamW: decoupled weight decay, bias-corrected moments";
  let description = !strconcat([{
    With g the gradient, t the step, lr the learning rate (Loshchilov and
    Hutter, 1711.05101; epsilon outside the root and after bias correction):

        m <- beta1 m + (1 - beta1) g
        v <- beta2 v + (1 - beta2) g^2
        u = (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t) + eps_root) + eps)
        p <- p - lr (u + weight_decay p)

    State: `m`, `v`, both of the parameter's shape. Hyperparameters: `beta1`,
    `beta2`, `eps`, `eps_root`, `weight_decay`. A graph's own stored constants
    may be given as `beta1_stored`, `one_minus_beta1_stored`, `beta2_stored`,
    `one_minus_beta2_stored`; they replace the weights of the two averages
    (only with `compute_type`).

    ```mlir
    %p1, %m1, %v1 = skew.adamw parameter(%p : tensor<8x4xf32>)
        gradient(%g : tensor<8x4xf32>) state(%m, %v : tensor<8x4xf32>, tensor<8x4xf32>)
        step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
        {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01}
    ```
  }], sharedDoc);
}

def Skew_SkewAdamOp : Skew_UpdateOp<"skewadam", (ins
    Skew_TierAttr:$tier, Skew_AxesAttr:$axes,
    DefaultValuedAttr<Skew_NumericsAttr, "Numerics::tiered">:$numerics,
    DefaultValuedAttr<Skew_RmsClipAttr, "RmsClip::batch">:$rms_clip)> {
  let summary = "SkewAdam: AdamW with tiered state";
  let description = !strconcat([{
    AdamW with the state that `tier` allots ("Where Should Optimizer State
    Live?", 2607.19058). Per batch element, n rows, k columns:

        factored v:  r <- beta2 r + (1 - beta2) mean_columns(g^2)
                     c <- beta2 c + (1 - beta2) mean_rows(g^2)
                     V = r c / max(mean(r), 1e-30)
        exact v:     V = v <- beta2 v + (1 - beta2) g^2
        m^ = m / (1 - beta1^t), m <- beta1 m + (1 - beta1) g;  without m: m^ = g
        u = m^ / (sqrt(V / (1 - beta2^t) + eps_root) + eps)
        u <- u / max(1, RMS(u)),  p <- p - lr (u + weight_decay p)

    `numerics = published` uses the floors of the paper's code instead:
    D = sqrt(max(v, eps)) exact, D = sqrt(max(r / max(mean(r), 1e-15), eps)) *
    sqrt(max(c, eps)) factored, u = m sqrt(1 - beta2^t) / (1 - beta1^t) / D, or
    g sqrt(1 - beta2^t) / D without m; `eps` is then a floor under v. `rms_clip`
    is the scope of the RMS: each `batch` element, the whole `tensor`, or `off`.

    State, in this order: `m` unless tier.m is none; `v`, or `v_row` (batch and
    row axes) and `v_col` (batch and column axes) when tier.v is factored. With
    m and v exact in f32 and `rms_clip = off` this is exactly AdamW.
    Hyperparameters: as `skew.adamw` without the stored ones.

    ```mlir
    %p1, %r1, %c1 = skew.skewadam parameter(%p : tensor<4x8x6xbf16>)
        gradient(%g : tensor<4x8x6xbf16>) state(%r, %c : tensor<4x8xf32>, tensor<4x6xf32>)
        step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
        {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.05}
        {axes = #skew.axes<batch = [0], row = [1], column = [2]>,
         tier = #skew.tier<m = none, v = factored>, rounding = #skew.rounding<stochastic>}
    ```
  }], sharedDoc);
}

def Skew_LionOp : Skew_UpdateOp<"lion"> {
  let summary = "Lion: sign of an interpolated momentum";
  let description = !strconcat([{
    Chen et al., 2302.06675:

        u = sign(beta1 m + (1 - beta1) g)
        m <- beta2 m + (1 - beta2) g
        p <- p - lr (u + weight_decay p)

    State: `m`. Hyperparameters: `beta1`, `beta2`, `weight_decay`. sign(0) = 0.

    ```mlir
    %p1, %m1 = skew.lion parameter(%p : tensor<8xf32>) gradient(%g : tensor<8xf32>)
        state(%m : tensor<8xf32>) learning_rate(%lr : tensor<f32>)
        {beta1 = 0.9, beta2 = 0.99, weight_decay = 0.1}
    ```
  }], sharedDoc);
}

def Skew_SGDOp : Skew_UpdateOp<"sgd"> {
  let summary = "SGD, plain or with (Nesterov) momentum";
  let description = !strconcat([{
        m <- momentum m + (1 - dampening) g
        u = m, with nesterov g + momentum m, without state g
        p <- p - lr (u + weight_decay p)

    State: `m`, or none (plain SGD). Hyperparameters: `weight_decay` (decoupled),
    and with state `momentum`, `dampening` and `nesterov` (0 or 1).

    ```mlir
    %p1, %m1 = skew.sgd parameter(%p : tensor<8xf32>) gradient(%g : tensor<8xf32>)
        state(%m : tensor<8xf32>) learning_rate(%lr : tensor<f32>)
        {momentum = 0.9, dampening = 0.0, nesterov = 0.0, weight_decay = 0.0}
    ```
  }], sharedDoc);
  let extraClassDeclaration = [{
    static bool mayLackState() { return true; }
  }];
}

#endif // SKEW_DIALECT_SKEW_IR_SKEWUPDATEOPS_TD
