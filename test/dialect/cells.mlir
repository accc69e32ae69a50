// RUN: pm-opt %s | pm-opt | FileCheck %s
// RUN: pm-opt %s --mlir-print-op-generic | pm-opt | FileCheck %s

!f = !pm.field<[x=64, y=8], complex<f32>>
!blocks = !pm.field<[x/8=8, u=12, y=8], complex<f32>>
!part = !pm.field<[x=64, p=3], complex<f32>>
!split = !pm.field<[x=8 on(row), y=4], f32>
!halo = !pm.halo<[x=8 on(row), y=4], f32>

pm.mesh @ranks axes = ["row"] extents = [2]

// CHECK-LABEL: func.func @views
func.func @views(%f: !f, %i: i64) -> (!f, !part) {
  // CHECK: pm.view %{{.*}}[-2, 0] {terms = [array<i64: 0, 8, 1, 1>, array<i64: 2, 1>]} : !pm.field<[x=64, y=8], complex<f32>> -> !pm.field<[x/8=8, u=12, y=8], complex<f32>>
  %a = pm.view %f[-2, 0] {terms = [array<i64: 0, 8, 1, 1>, array<i64: 2, 1>]} : !f -> !blocks
  // CHECK: pm.view transposed %{{.*}}[-2 clamp, 0] {terms
  %b = pm.view transposed %a[-2 clamp, 0] {terms = [array<i64: 0, 8, 1, 1>, array<i64: 2, 1>]} : !blocks -> !f
  %zero = arith.constant 0 : i64
  // CHECK: pm.view %{{.*}}[0, 1] from %{{.*}}, %{{.*}} {terms
  %c = pm.view %f[0, 1] from %zero, %i {terms = [array<i64: 0, 1>, array<i64: 1, 2>]} : !f -> !part
  return %b, %c : !f, !part
}

// CHECK-LABEL: func.func @cells
func.func @cells(%f: !split, %p: i64) -> !split {
  %m = pm.margin [x=8 on(row), y=4] below [1, 0] above [2, 0]
  %h = pm.halo_exchange %f bound %m : !split -> !halo
  %r = pm.map [x=8 on(row), y=4] {
    // CHECK: pm.cell %{{.*}}[%{{.*}}, %{{.*}}] low [-1, 0] high [2, 0] near [true, false] halo(%{{.*}} : !pm.halo<[x=8 on(row), y=4], f32>) : !pm.field<[x=8 on(row), y=4], f32> -> f32
    %a = pm.cell %f[%p, %p] low [-1, 0] high [2, 0] near [true, false] halo(%h : !halo) : !split -> f32
    // CHECK: pm.cell %{{.*}}[%{{.*}}, %{{.*}}] low [0, 0] high [0, 0] near [true, true] : !pm.field
    %b = pm.cell %f[%p, %p] low [0, 0] high [0, 0] near [true, true] : !split -> f32
    %c = arith.addf %a, %b : f32
    pm.yield %c : f32
  } -> !split
  return %r : !split
}
