// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// MLIR takes an op of an unknown dialect with one region for a possible symbol
// table and refuses calls inside. skew-opt knows that Shardy's ops are none;
// what it does not know of them stays as it was written.

// RUN: skew-opt %s --mlir-print-op-generic | FileCheck %s
// RUN: skew-opt %s --emit-bytecode -o %t.mlirbc
// RUN: skew-opt %t.mlirbc --mlir-print-op-generic | FileCheck %s
// RUN: env SKEW_VERIFY_ROUNDTRIP=1 skew-opt %s -o %t.mlir

// An op of any other unknown dialect may still be one.
// RUN: sed 's/sdy\.manual_computation/other.region/' %s | not skew-opt 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OTHER
// OTHER: does not reference a valid function

// CHECK: "sdy.mesh"() <{mesh = #sdy.mesh<["data"=8]>, sym_name = "mesh"}>
"sdy.mesh"() <{mesh = #sdy.mesh<["data"=8]>, sym_name = "mesh"}> : () -> ()

// CHECK: sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}) -> tensor<8xf32> {
  // CHECK: "sdy.manual_computation"
  // CHECK-SAME: in_shardings = #sdy.sharding_per_value<[<@mesh, [{"data"}]>]>
  // CHECK-SAME: manual_axes = #sdy<manual_axes{"data"}>
  %0 = "sdy.manual_computation"(%x) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"data"}]>]>, manual_axes = #sdy<manual_axes{"data"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"data"}]>]>}> ({
  ^bb0(%arg: tensor<1xf32>):
    // CHECK: "func.call"(%{{.*}}) <{callee = @inner}>
    %1 = func.call @inner(%arg) : (tensor<1xf32>) -> tensor<1xf32>
    "sdy.return"(%1) : (tensor<1xf32>) -> ()
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

func.func private @inner(%x: tensor<1xf32>) -> tensor<1xf32> {
  return %x : tensor<1xf32>
}
