// RUN: pm-opt %s --pm-lower | FileCheck %s

// Transforms are planned once each, before a buffer is first used, and behind the assertions on parameters. An array is
// described once.

!R = !pm.buffer<[x=8, y=8], f32>
!C = !pm.buffer<[kx=dual(8), ky=half(8)], complex<f32>>
pm.param "s" : i64 "u64" {default_value = 2 : i64}
pm.dim "x" = 8 length {
  %l = arith.constant 5.0 : f64
  pm.yield %l : f64
}
pm.plan [!R, !C] starts [1, 3] ends [9, 9]
func.func @main() {
  %r = pm.alloc 0 : !R
  %c = pm.alloc 1 : !C
  %s = pm.param_value "s" : i64
  %one = arith.constant 1 : i64
  %many = arith.cmpi sgt, %s, %one : i64
  pm.assert %many, "too few"
  pm.white_noise %s outs(%r : !R)
  pm.fft %r over ["x", "y"] raw outs(%c : !C) : !R
  pm.ifft %c over ["x", "y"] outs(%r : !R) : !C
  pm.fft %r over ["x", "y"] raw outs(%c : !C) : !R
  return
}
// CHECK-LABEL: func.func private @pmc.length.x(%arg0: !llvm.ptr) -> f64
// CHECK-LABEL: func.func private @pmc.entry
// CHECK: call @pmc.length.x
// CHECK: llvm.call @pmrt_set_length
// CHECK-COUNT-2: llvm.alloca %{{.*}} x !llvm.struct<(ptr, i32, i32, i32, array<12 x i32>)>
// CHECK-NOT: llvm.struct<(ptr, i32, i32, i32, array<12 x i32>)> :
// CHECK: llvm.call @pmrt_require
// CHECK: llvm.call @pmrt_plan_fft
// CHECK: llvm.call @pmrt_plan_fft
// CHECK-NOT: llvm.call @pmrt_plan_fft
// CHECK: llvm.call @pmrt_white_noise
// CHECK: llvm.call @pmrt_fft
// CHECK: llvm.call @pmrt_fft
// CHECK: llvm.call @pmrt_fft
