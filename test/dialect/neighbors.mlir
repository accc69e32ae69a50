// RUN: pm-opt %s | pm-opt | FileCheck %s
// RUN: pm-opt %s --mlir-print-op-generic | pm-opt | FileCheck %s

!f = !pm.field<[x=8, y=4], complex<f32>>
!line = !pm.field<[y=4], i1>
!split = !pm.field<[x=8 on(row), y=4], f32>
!halo = !pm.halo<[x=8 on(row), y=4], f32>

pm.mesh @ranks axes = ["row"] extents = [2]

// CHECK-LABEL: func.func @shifts
func.func @shifts(%f: !f) -> (!f, !f) {
  // CHECK: pm.shift %{{.*}}[1, -2 clamp] : !pm.field<[x=8, y=4], complex<f32>>
  %a = pm.shift %f[1, -2 clamp] : !f
  // CHECK: pm.shift transposed %{{.*}}[-12, 3 reflect] : !pm.field<[x=8, y=4], complex<f32>>
  %b = pm.shift transposed %f[-12 periodic, 3 reflect] : !f
  return %a, %b : !f, !f
}

// CHECK-LABEL: func.func @neighbors
func.func @neighbors(%f: !f, %line: !line) -> !f {
  %r = pm.map [x=8, y=4] {
    // CHECK: pm.neighbor %{{.*}}[0, -4 zero] : !pm.field<[x=8, y=4], complex<f32>> -> complex<f32>
    %a = pm.neighbor %f[0, -4 zero] : !f -> complex<f32>
    // CHECK: pm.neighbor %{{.*}}[1 clamp] : !pm.field<[y=4], i1> -> i1
    %b = pm.neighbor %line[1 clamp] : !line -> i1
    %c = pm.neighbor %f[0, 0] : !f -> complex<f32>
    %d = arith.select %b, %a, %c : complex<f32>
    pm.yield %d : complex<f32>
  } -> !f
  return %r : !f
}

// CHECK-LABEL: func.func @halo
func.func @halo(%f: !split) -> !split {
  // CHECK: pm.margin [x=8 on(row), y=4] below [0, 0] above [2, 1]
  %m = pm.margin [x=8 on(row), y=4] below [0, 0] above [2, 1]
  // CHECK: pm.margin [x=8 on(row), y=4] below [3, 0] above [2, 1] of [2, 0] below [0, 0] above [2, 1]
  %other = pm.margin [x=8 on(row), y=4] below [3, 0] above [2, 1] of [2, 0] below [0, 0] above [2, 1]
  %h = pm.halo_exchange %f bound %m : !split -> !halo
  %r = pm.map [x=8 on(row), y=4] {
    // CHECK: pm.neighbor %{{.*}}[2, 1] halo(%{{.*}} : !pm.halo<[x=8 on(row), y=4], f32>) : !pm.field<[x=8 on(row), y=4], f32> -> f32
    %a = pm.neighbor %f[2, 1] halo(%h : !halo) : !split -> f32
    // No axis splits y.
    // CHECK: pm.neighbor %{{.*}}[0, -1] : !pm.field
    %b = pm.neighbor %f[0, -1] : !split -> f32
    %c = arith.addf %a, %b : f32
    pm.yield %c : f32
  } -> !split
  return %r : !split
}

// CHECK-LABEL: func.func @views
func.func @views(%f: !pm.field<[x=8, y=4], f32>, %g: !pm.field<[x*2=16, y=4], f32>, %i: i64) -> !pm.field<[x=8, y*2=8], f32> {
  // CHECK: pm.shift %{{.*}}[0, 0] : !pm.field<[x=8, y=4], f32> -> !pm.field<[x/2=4, y*2=8], f32>
  %a = pm.shift %f[0, 0] : !pm.field<[x=8, y=4], f32> -> !pm.field<[x/2=4, y*2=8], f32>
  // CHECK: pm.shift transposed %{{.*}}[0, 0] : !pm.field<[x/2=4, y*2=8], f32> -> !pm.field<[x=8, y=4], f32>
  %b = pm.shift transposed %a[0, 0] : !pm.field<[x/2=4, y*2=8], f32> -> !pm.field<[x=8, y=4], f32>
  // CHECK: pm.reduce sum [x=8, y=4] within "x"(%{{.*}}, %{{.*}}) ins(
  %c = pm.reduce sum [x=8, y=4] within "x"(%i, %i) ins(%b : !pm.field<[x=8, y=4], f32>) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !pm.field<[y=4], f32>
  %r = pm.map [x=8, y*2=8] {
    // CHECK: pm.neighbor %{{.*}}[15 clamp, 1] : !pm.field<[x*2=16, y=4], f32> -> f32
    %d = pm.neighbor %g[15 clamp, 1] : !pm.field<[x*2=16, y=4], f32> -> f32
    pm.yield %d : f32
  } -> !pm.field<[x=8, y*2=8], f32>
  return %r : !pm.field<[x=8, y*2=8], f32>
}
