// RUN: pm-opt %s | pm-opt | FileCheck %s
// RUN: pm-opt %s --mlir-print-op-generic | pm-opt | FileCheck %s

!F = !pm.field<[x=8 on(row), y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>

pm.mesh @ranks axes = ["row"] extents = [2]

// CHECK-LABEL: func.func @computed
func.func @computed(%f: !F, %u: !F) -> !F {
  %r = pm.displacement_bound cic [x=8 on(row), y=8] of [x=8 on(row), y=8] ins(%u : !F) {
  ^bb0(%p: f32):
    pm.yield %p, %p : f32, f32
  }
  // CHECK: %[[W:.*]] = pm.widen_displacement_bound %{{.*}} below [1, 0] above [0, 0]
  %w = pm.widen_displacement_bound %r below [1, 0] above [0, 0]
  // CHECK: %[[H:.*]] = pm.halo_exchange %{{.*}} bound %[[W]]
  %h = pm.halo_exchange %f bound %w : !F -> !H
  %g = pm.map [x=8 on(row), y=8] ins(%u : !F) {
  ^bb0(%p: f32):
    // CHECK: pm.interpolate cic(%{{.*}} : !pm.field<[x=8 on(row), y=8], f32>) halos(%[[H]] : !pm.halo<[x=8 on(row), y=8], f32>) taps [0, -1, 0, 0, 0, 2] {
    // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
    // CHECK-NEXT: %[[D:.*]] = arith.subf %[[B]], %[[A]] : f32
    // CHECK-NEXT: pm.yield %[[D]], %[[A]] : f32, f32
    // CHECK-NEXT: } at(%{{.*}}, %{{.*}} : f32, f32) -> f32, f32
    %i:2 = pm.interpolate cic (%f : !F) halos(%h : !H) taps [0, -1, 0, 0, 0, 2] {
    ^bb0(%a: f32, %b: f32):
      %d = arith.subf %b, %a : f32
      pm.yield %d, %a : f32, f32
    } at (%p, %p : f32, f32) -> f32, f32
    pm.yield %i#1 : f32
  } -> !F
  pm.halo_close %h : !H
  return %g : !F
}
