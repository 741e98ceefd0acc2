"builtin.module"() <{sym_name = "jit_step"}> ({
  "func.func"() <{arg_attrs = [{tf.aliasing_output = 0 : i32}, {tf.aliasing_output = 1 : i32}, {tf.aliasing_output = 2 : i32}, {tf.aliasing_output = 3 : i32}, {tf.aliasing_output = 4 : i32}, {tf.aliasing_output = 5 : i32}, {tf.aliasing_output = 6 : i32}, {tf.aliasing_output = 7 : i32}, {tf.aliasing_output = 8 : i32}, {tf.aliasing_output = 9 : i32}, {tf.aliasing_output = 10 : i32}, {tf.aliasing_output = 11 : i32}, {tf.aliasing_output = 12 : i32}, {tf.aliasing_output = 13 : i32}, {tf.aliasing_output = 14 : i32}, {tf.aliasing_output = 15 : i32}, {}], function_type = (tensor<4x8x16xbf16>, tensor<16xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>, tensor<4x8x16xf32>, tensor<16xf32>, tensor<8x4xf32>, tensor<4x8x16xf32>, tensor<16xf32>, tensor<8x4xf32>, tensor<i32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<6x8xf32>) -> (tensor<4x8x16xbf16>, tensor<16xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>, tensor<4x8x16xf32>, tensor<16xf32>, tensor<8x4xf32>, tensor<4x8x16xf32>, tensor<16xf32>, tensor<8x4xf32>, tensor<i32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>), res_attrs = [{jax.result_info = "result[0]['experts']"}, {jax.result_info = "result[0]['gr\C3\B6\C3\9Fe \22b\22[0]\\\\']"}, {jax.result_info = "result[0]['router']"}, {jax.result_info = "result[0]['scale']"}, {jax.result_info = "result[0]['shift']"}, {jax.result_info = "result[1]['adamw'][0].count"}, {jax.result_info = "result[1]['adamw'][0].mu['experts']"}, {jax.result_info = "result[1]['adamw'][0].mu['gr\C3\B6\C3\9Fe \22b\22[0]\\\\']"}, {jax.result_info = "result[1]['adamw'][0].mu['router']"}, {jax.result_info = "result[1]['adamw'][0].nu['experts']"}, {jax.result_info = "result[1]['adamw'][0].nu['gr\C3\B6\C3\9Fe \22b\22[0]\\\\']"}, {jax.result_info = "result[1]['adamw'][0].nu['router']"}, {jax.result_info = "result[1]['amsgrad'][0].count"}, {jax.result_info = "result[1]['amsgrad'][0].mu['shift']"}, {jax.result_info = "result[1]['amsgrad'][0].nu['shift']"}, {jax.result_info = "result[1]['amsgrad'][0].nu_max['shift']"}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg4: tensor<4x8x16xbf16> loc("params['experts']"), %arg5: tensor<16xf32> loc("params['gr\C3\B6\C3\9Fe \22b\22[0]\\\\']"), %arg6: tensor<8x4xf32> loc("params['router']"), %arg7: tensor<8xf32> loc("params['scale']"), %arg8: tensor<8xf32> loc("params['shift']"), %arg9: tensor<i32> loc("state['adamw'][0].count"), %arg10: tensor<4x8x16xf32> loc("state['adamw'][0].mu['experts']"), %arg11: tensor<16xf32> loc("state['adamw'][0].mu['gr\C3\B6\C3\9Fe \22b\22[0]\\\\']"), %arg12: tensor<8x4xf32> loc("state['adamw'][0].mu['router']"), %arg13: tensor<4x8x16xf32> loc("state['adamw'][0].nu['experts']"), %arg14: tensor<16xf32> loc("state['adamw'][0].nu['gr\C3\B6\C3\9Fe \22b\22[0]\\\\']"), %arg15: tensor<8x4xf32> loc("state['adamw'][0].nu['router']"), %arg16: tensor<i32> loc("state['amsgrad'][0].count"), %arg17: tensor<8xf32> loc("state['amsgrad'][0].mu['shift']"), %arg18: tensor<8xf32> loc("state['amsgrad'][0].nu['shift']"), %arg19: tensor<8xf32> loc("state['amsgrad'][0].nu_max['shift']"), %arg20: tensor<6x8xf32> loc("x")):
    %7 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64: 1>}> : (tensor<8xf32>) -> tensor<1x8xf32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x8xf32>) -> tensor<6x8xf32>
    %9 = "stablehlo.multiply"(%arg20, %8) : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
    %10 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64: 1>}> : (tensor<8xf32>) -> tensor<1x8xf32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x8xf32>) -> tensor<6x8xf32>
    %12 = "stablehlo.add"(%9, %11) : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
    %13 = "stablehlo.dot_general"(%12, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
    %14 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.reduce"(%13, %14) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg39: tensor<f32>, %arg40: tensor<f32>):
      %276 = "stablehlo.maximum"(%arg39, %arg40) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%276) : (tensor<f32>) -> ()
    }) : (tensor<6x4xf32>, tensor<f32>) -> tensor<6xf32>
    %16 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6xf32>
    %18 = "stablehlo.maximum"(%17, %15) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xf32>) -> tensor<6x1xf32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<6x1xf32>) -> tensor<6x4xf32>
    %21 = "stablehlo.subtract"(%13, %20) : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
    %22 = "stablehlo.exponential"(%21) : (tensor<6x4xf32>) -> tensor<6x4xf32>
    %23 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.reduce"(%22, %23) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg37: tensor<f32>, %arg38: tensor<f32>):
      %275 = "stablehlo.add"(%arg37, %arg38) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%275) : (tensor<f32>) -> ()
    }) : (tensor<6x4xf32>, tensor<f32>) -> tensor<6xf32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xf32>) -> tensor<6x1xf32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<6x1xf32>) -> tensor<6x4xf32>
    %27 = "stablehlo.divide"(%22, %26) : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
    %28 = "stablehlo.multiply"(%25, %25) : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
    %29 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x1xf32>
    %31 = "stablehlo.divide"(%30, %28) : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x1xf32>
    %32:2 = "chlo.top_k"(%27) <{k = 2 : i64}> : (tensor<6x4xf32>) -> (tensor<6x2xf32>, tensor<6x2xi32>)
    %33 = "stablehlo.reshape"(%32#1) : (tensor<6x2xi32>) -> tensor<6x2x1xi32>
    %34 = "func.call"(%32#1) <{callee = @_one_hot}> : (tensor<6x2xi32>) -> tensor<6x2x4xf32>
    %35 = "stablehlo.dot_general"(%32#0, %34) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<6x2xf32>, tensor<6x2x4xf32>) -> tensor<6x4xf32>
    %36 = "stablehlo.convert"(%arg4) : (tensor<4x8x16xbf16>) -> tensor<4x8x16xf32>
    %37 = "stablehlo.dot_general"(%12, %36) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<6x8xf32>, tensor<4x8x16xf32>) -> tensor<6x4x16xf32>
    %38 = "stablehlo.dot_general"(%37, %35) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<6x4x16xf32>, tensor<6x4xf32>) -> tensor<6x16xf32>
    %39 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 1>}> : (tensor<16xf32>) -> tensor<1x16xf32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x16xf32>) -> tensor<6x16xf32>
    %41 = "stablehlo.add"(%38, %40) : (tensor<6x16xf32>, tensor<6x16xf32>) -> tensor<6x16xf32>
    %42 = "stablehlo.multiply"(%41, %41) : (tensor<6x16xf32>, tensor<6x16xf32>) -> tensor<6x16xf32>
    %43 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x16xf32>
    %45 = "stablehlo.multiply"(%44, %41) : (tensor<6x16xf32>, tensor<6x16xf32>) -> tensor<6x16xf32>
    %46 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %47 = "stablehlo.reduce"(%42, %46) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg35: tensor<f32>, %arg36: tensor<f32>):
      %274 = "stablehlo.add"(%arg35, %arg36) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%274) : (tensor<f32>) -> ()
    }) : (tensor<6x16xf32>, tensor<f32>) -> tensor<f32>
    %48 = "stablehlo.constant"() <{value = dense<9.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.divide"(%47, %48) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %50 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %51 = "stablehlo.constant"() <{value = dense<9.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %52 = "stablehlo.divide"(%50, %51) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x16xf32>
    %54 = "stablehlo.multiply"(%53, %45) : (tensor<6x16xf32>, tensor<6x16xf32>) -> tensor<6x16xf32>
    %55 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %56 = "stablehlo.reduce"(%54, %55) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg33: tensor<f32>, %arg34: tensor<f32>):
      %273 = "stablehlo.add"(%arg33, %arg34) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%273) : (tensor<f32>) -> ()
    }) : (tensor<6x16xf32>, tensor<f32>) -> tensor<16xf32>
    %57 = "stablehlo.reshape"(%56) : (tensor<16xf32>) -> tensor<1x16xf32>
    %58 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %59 = "stablehlo.reduce"(%57, %58) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg31: tensor<f32>, %arg32: tensor<f32>):
      %272 = "stablehlo.add"(%arg31, %arg32) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%272) : (tensor<f32>) -> ()
    }) : (tensor<1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %60 = "stablehlo.dot_general"(%54, %37) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<6x16xf32>, tensor<6x4x16xf32>) -> tensor<6x4xf32>
    %61 = "stablehlo.dot_general"(%54, %35) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<6x16xf32>, tensor<6x4xf32>) -> tensor<6x16x4xf32>
    %62 = "stablehlo.transpose"(%61) <{permutation = array<i64: 0, 2, 1>}> : (tensor<6x16x4xf32>) -> tensor<6x4x16xf32>
    %63 = "stablehlo.dot_general"(%62, %12) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<6x4x16xf32>, tensor<6x8xf32>) -> tensor<4x16x8xf32>
    %64 = "stablehlo.transpose"(%63) <{permutation = array<i64: 0, 2, 1>}> : (tensor<4x16x8xf32>) -> tensor<4x8x16xf32>
    %65 = "stablehlo.dot_general"(%62, %36) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<6x4x16xf32>, tensor<4x8x16xf32>) -> tensor<6x8xf32>
    %66 = "stablehlo.convert"(%64) : (tensor<4x8x16xf32>) -> tensor<4x8x16xbf16>
    %67 = "stablehlo.dot_general"(%60, %34) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<6x4xf32>, tensor<6x2x4xf32>) -> tensor<6x2xf32>
    %68 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x4xf32>
    %70 = "stablehlo.scatter"(%69, %33, %67) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg29: tensor<f32>, %arg30: tensor<f32>):
      %271 = "stablehlo.add"(%arg29, %arg30) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%271) : (tensor<f32>) -> ()
    }) : (tensor<6x4xf32>, tensor<6x2x1xi32>, tensor<6x2xf32>) -> tensor<6x4xf32>
    %71 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<6x1xf32>) -> tensor<6x4xf32>
    %72 = "stablehlo.multiply"(%70, %71) : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
    %73 = "stablehlo.multiply"(%72, %22) : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
    %74 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %75 = "stablehlo.reduce"(%73, %74) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg27: tensor<f32>, %arg28: tensor<f32>):
      %270 = "stablehlo.add"(%arg27, %arg28) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%270) : (tensor<f32>) -> ()
    }) : (tensor<6x4xf32>, tensor<f32>) -> tensor<6xf32>
    %76 = "stablehlo.reshape"(%75) : (tensor<6xf32>) -> tensor<6x1xf32>
    %77 = "stablehlo.negate"(%76) : (tensor<6x1xf32>) -> tensor<6x1xf32>
    %78 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<6x1xf32>) -> tensor<6x4xf32>
    %79 = "stablehlo.divide"(%70, %78) : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
    %80 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %81 = "stablehlo.reduce"(%77, %80) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg25: tensor<f32>, %arg26: tensor<f32>):
      %269 = "stablehlo.add"(%arg25, %arg26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%269) : (tensor<f32>) -> ()
    }) : (tensor<6x1xf32>, tensor<f32>) -> tensor<6xf32>
    %82 = "stablehlo.broadcast_in_dim"(%81) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xf32>) -> tensor<6x4xf32>
    %83 = "stablehlo.add"(%79, %82) : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
    %84 = "stablehlo.multiply"(%83, %22) : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
    %85 = "stablehlo.dot_general"(%84, %12) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<6x4xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
    %86 = "stablehlo.transpose"(%85) <{permutation = array<i64: 1, 0>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %87 = "stablehlo.dot_general"(%84, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<6x4xf32>, tensor<8x4xf32>) -> tensor<6x8xf32>
    %88 = "stablehlo.add"(%65, %87) : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
    %89 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %90 = "stablehlo.reduce"(%88, %89) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg23: tensor<f32>, %arg24: tensor<f32>):
      %268 = "stablehlo.add"(%arg23, %arg24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%268) : (tensor<f32>) -> ()
    }) : (tensor<6x8xf32>, tensor<f32>) -> tensor<8xf32>
    %91 = "stablehlo.reshape"(%90) : (tensor<8xf32>) -> tensor<1x8xf32>
    %92 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %93 = "stablehlo.reduce"(%91, %92) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg21: tensor<f32>, %arg22: tensor<f32>):
      %267 = "stablehlo.add"(%arg21, %arg22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%267) : (tensor<f32>) -> ()
    }) : (tensor<1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %94 = "stablehlo.convert"(%66) : (tensor<4x8x16xbf16>) -> tensor<4x8x16xf32>
    %95 = "stablehlo.convert"(%arg4) : (tensor<4x8x16xbf16>) -> tensor<4x8x16xf32>
    %96 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %97 = "stablehlo.broadcast_in_dim"(%96) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8x16xf32>
    %98 = "stablehlo.multiply"(%97, %94) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %99 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %100 = "stablehlo.broadcast_in_dim"(%99) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8x16xf32>
    %101 = "stablehlo.multiply"(%100, %arg10) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %102 = "stablehlo.add"(%98, %101) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %103 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %104 = "stablehlo.broadcast_in_dim"(%103) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %105 = "stablehlo.multiply"(%104, %59) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %106 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %107 = "stablehlo.broadcast_in_dim"(%106) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %108 = "stablehlo.multiply"(%107, %arg11) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %109 = "stablehlo.add"(%105, %108) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %110 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %111 = "stablehlo.broadcast_in_dim"(%110) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x4xf32>
    %112 = "stablehlo.multiply"(%111, %86) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %113 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %114 = "stablehlo.broadcast_in_dim"(%113) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x4xf32>
    %115 = "stablehlo.multiply"(%114, %arg12) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %116 = "stablehlo.add"(%112, %115) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %117 = "stablehlo.multiply"(%94, %94) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %118 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %119 = "stablehlo.broadcast_in_dim"(%118) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8x16xf32>
    %120 = "stablehlo.multiply"(%119, %117) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %121 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %122 = "stablehlo.broadcast_in_dim"(%121) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8x16xf32>
    %123 = "stablehlo.multiply"(%122, %arg13) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %124 = "stablehlo.add"(%120, %123) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %125 = "stablehlo.multiply"(%59, %59) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %126 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %127 = "stablehlo.broadcast_in_dim"(%126) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %128 = "stablehlo.multiply"(%127, %125) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %129 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %130 = "stablehlo.broadcast_in_dim"(%129) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %131 = "stablehlo.multiply"(%130, %arg14) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %132 = "stablehlo.add"(%128, %131) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %133 = "stablehlo.multiply"(%86, %86) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %134 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %135 = "stablehlo.broadcast_in_dim"(%134) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x4xf32>
    %136 = "stablehlo.multiply"(%135, %133) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %137 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %138 = "stablehlo.broadcast_in_dim"(%137) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x4xf32>
    %139 = "stablehlo.multiply"(%138, %arg15) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %140 = "stablehlo.add"(%136, %139) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %141 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %142 = "stablehlo.compare"(%arg9, %141) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %143 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %144 = "stablehlo.add"(%arg9, %143) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %145 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %146 = "func.call"(%142, %144, %145) <{callee = @_where}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %147 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %148 = "stablehlo.convert"(%146) : (tensor<i32>) -> tensor<f32>
    %149 = "stablehlo.power"(%147, %148) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %150 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %151 = "stablehlo.subtract"(%150, %149) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %152 = "stablehlo.broadcast_in_dim"(%151) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8x16xf32>
    %153 = "stablehlo.divide"(%102, %152) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %154 = "stablehlo.broadcast_in_dim"(%151) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %155 = "stablehlo.divide"(%109, %154) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %156 = "stablehlo.broadcast_in_dim"(%151) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x4xf32>
    %157 = "stablehlo.divide"(%116, %156) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %158 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %159 = "stablehlo.convert"(%146) : (tensor<i32>) -> tensor<f32>
    %160 = "stablehlo.power"(%158, %159) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %161 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %162 = "stablehlo.subtract"(%161, %160) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %163 = "stablehlo.broadcast_in_dim"(%162) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8x16xf32>
    %164 = "stablehlo.divide"(%124, %163) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %165 = "stablehlo.broadcast_in_dim"(%162) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %166 = "stablehlo.divide"(%132, %165) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %167 = "stablehlo.broadcast_in_dim"(%162) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x4xf32>
    %168 = "stablehlo.divide"(%140, %167) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %169 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %170 = "stablehlo.broadcast_in_dim"(%169) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8x16xf32>
    %171 = "stablehlo.add"(%164, %170) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %172 = "stablehlo.sqrt"(%171) : (tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %173 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %174 = "stablehlo.broadcast_in_dim"(%173) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8x16xf32>
    %175 = "stablehlo.add"(%172, %174) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %176 = "stablehlo.divide"(%153, %175) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %177 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %178 = "stablehlo.broadcast_in_dim"(%177) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %179 = "stablehlo.add"(%166, %178) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %180 = "stablehlo.sqrt"(%179) : (tensor<16xf32>) -> tensor<16xf32>
    %181 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %182 = "stablehlo.broadcast_in_dim"(%181) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %183 = "stablehlo.add"(%180, %182) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %184 = "stablehlo.divide"(%155, %183) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %185 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %186 = "stablehlo.broadcast_in_dim"(%185) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x4xf32>
    %187 = "stablehlo.add"(%168, %186) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %188 = "stablehlo.sqrt"(%187) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %189 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %190 = "stablehlo.broadcast_in_dim"(%189) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x4xf32>
    %191 = "stablehlo.add"(%188, %190) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %192 = "stablehlo.divide"(%157, %191) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %193 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %194 = "stablehlo.broadcast_in_dim"(%193) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8x16xf32>
    %195 = "stablehlo.multiply"(%194, %95) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %196 = "stablehlo.add"(%176, %195) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %197 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %198 = "stablehlo.broadcast_in_dim"(%197) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %199 = "stablehlo.multiply"(%198, %arg5) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %200 = "stablehlo.add"(%184, %199) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %201 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %202 = "stablehlo.broadcast_in_dim"(%201) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x4xf32>
    %203 = "stablehlo.multiply"(%202, %arg6) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %204 = "stablehlo.add"(%192, %203) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %205 = "stablehlo.constant"() <{value = dense<-1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %206 = "stablehlo.broadcast_in_dim"(%205) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8x16xf32>
    %207 = "stablehlo.multiply"(%206, %196) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %208 = "stablehlo.constant"() <{value = dense<-1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %209 = "stablehlo.broadcast_in_dim"(%208) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %210 = "stablehlo.multiply"(%209, %200) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %211 = "stablehlo.constant"() <{value = dense<-1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %212 = "stablehlo.broadcast_in_dim"(%211) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x4xf32>
    %213 = "stablehlo.multiply"(%212, %204) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %214 = "stablehlo.convert"(%arg4) : (tensor<4x8x16xbf16>) -> tensor<4x8x16xf32>
    %215 = "stablehlo.add"(%214, %207) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
    %216 = "stablehlo.convert"(%215) : (tensor<4x8x16xf32>) -> tensor<4x8x16xbf16>
    %217 = "stablehlo.add"(%arg6, %213) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %218 = "stablehlo.add"(%arg5, %210) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %219 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %220 = "stablehlo.broadcast_in_dim"(%219) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %221 = "stablehlo.multiply"(%220, %93) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %222 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %223 = "stablehlo.broadcast_in_dim"(%222) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %224 = "stablehlo.multiply"(%223, %arg17) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %225 = "stablehlo.add"(%221, %224) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %226 = "stablehlo.multiply"(%93, %93) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %227 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %228 = "stablehlo.broadcast_in_dim"(%227) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %229 = "stablehlo.multiply"(%228, %226) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %230 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %231 = "stablehlo.broadcast_in_dim"(%230) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %232 = "stablehlo.multiply"(%231, %arg18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %233 = "stablehlo.add"(%229, %232) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %234 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %235 = "stablehlo.compare"(%arg16, %234) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %236 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %237 = "stablehlo.add"(%arg16, %236) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %238 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
    %239 = "func.call"(%235, %237, %238) <{callee = @_where}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %240 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %241 = "stablehlo.convert"(%239) : (tensor<i32>) -> tensor<f32>
    %242 = "stablehlo.power"(%240, %241) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %243 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %244 = "stablehlo.subtract"(%243, %242) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %245 = "stablehlo.broadcast_in_dim"(%244) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %246 = "stablehlo.divide"(%225, %245) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %247 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %248 = "stablehlo.convert"(%239) : (tensor<i32>) -> tensor<f32>
    %249 = "stablehlo.power"(%247, %248) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %250 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %251 = "stablehlo.subtract"(%250, %249) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %252 = "stablehlo.broadcast_in_dim"(%251) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %253 = "stablehlo.divide"(%233, %252) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %254 = "stablehlo.maximum"(%arg19, %253) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %255 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %256 = "stablehlo.broadcast_in_dim"(%255) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %257 = "stablehlo.add"(%254, %256) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %258 = "stablehlo.sqrt"(%257) : (tensor<8xf32>) -> tensor<8xf32>
    %259 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<f32>}> : () -> tensor<f32>
    %260 = "stablehlo.broadcast_in_dim"(%259) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %261 = "stablehlo.add"(%258, %260) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %262 = "stablehlo.divide"(%246, %261) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %263 = "stablehlo.constant"() <{value = dense<-1.000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %264 = "stablehlo.broadcast_in_dim"(%263) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %265 = "stablehlo.multiply"(%264, %262) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %266 = "stablehlo.add"(%arg8, %265) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    "func.return"(%216, %218, %217, %arg7, %266, %146, %102, %109, %116, %124, %132, %140, %239, %225, %233, %254, %49) : (tensor<4x8x16xbf16>, tensor<16xf32>, tensor<8x4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>, tensor<4x8x16xf32>, tensor<16xf32>, tensor<8x4xf32>, tensor<4x8x16xf32>, tensor<16xf32>, tensor<8x4xf32>, tensor<i32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<6x2xi32>) -> tensor<6x2x4xf32>, res_attrs = [{}], sym_name = "_one_hot", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<6x2xi32>):
    %1 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<6x2xi32>) -> tensor<6x2x1xi32>
    %2 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x4xi32>
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<6x2x1xi32>) -> tensor<6x2x4xi32>
    %4 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x4xi32>) -> tensor<6x2x4xi32>
    %5 = "stablehlo.compare"(%3, %4) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<6x2x4xi32>, tensor<6x2x4xi32>) -> tensor<6x2x4xi1>
    %6 = "stablehlo.convert"(%5) : (tensor<6x2x4xi1>) -> tensor<6x2x4xf32>
    "func.return"(%6) : (tensor<6x2x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>):
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "func.return"(%0) : (tensor<i32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
