// RUN: pm-opt %s --pm-expand | FileCheck %s

// Derivatives with respect to displacements are those with respect to offsets
// times cells per length, once an order.

!F = !pm.field<[x=8, y=8], f32>
pm.dim "x" = 8 length {
  %l = arith.constant 4.0 : f64
  pm.yield %l : f64
}
pm.dim "y" = 8 length {
  %l = arith.constant 2.0 : f64
  pm.yield %l : f64
}

// CHECK-LABEL: func.func @read(
func.func @read(%f: !F, %u: !F, %v: !F) -> (!F, !F) {
  // CHECK-DAG: %[[X:.*]] = arith.truncf
  // CHECK: %[[Y:.*]] = arith.truncf
  // CHECK: pm.map
  // CHECK: %[[V:.*]]:2 = pm.interpolate cic({{.*}} {orders = array<i64: 0, 0, 1, 2>}
  // CHECK-NEXT: %[[XY:.*]] = arith.mulf %[[X]], %[[Y]] : f32
  // CHECK-NEXT: %[[XYY:.*]] = arith.mulf %[[XY]], %[[Y]] : f32
  // CHECK-NEXT: %[[D:.*]] = arith.mulf %[[V]]#1, %[[XYY]] : f32
  // CHECK-NEXT: pm.yield %[[V]]#0, %[[D]]
  %r:2 = pm.readout cic %f, %f at %u, %v {orders = array<i64: 0, 0, 1, 2>} : !F, !F at !F, !F -> !F, !F
  return %r#0, %r#1 : !F, !F
}

// CHECK-LABEL: func.func @paint(
func.func @paint(%u: !F, %v: !F, %w: !F) -> (!F, !F) {
  // CHECK: pm.scatter tsc [x=8, y=8] ins({{.*}}) attributes {orders = array<i64: 1, 0, 0, 0>} {
  // CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: f32, %[[W:.*]]: f32, %[[Z:.*]]: f32):
  // CHECK: %[[D:.*]] = arith.mulf %[[W]], %{{.*}} : f32
  // CHECK: pm.yield %{{.*}}, %{{.*}}, %[[D]], %[[Z]]
  // CHECK: } -> !pm.field<[x=8, y=8], f32>, !pm.field<[x=8, y=8], f32>
  %m:2 = pm.paint tsc %u, %v weight %w, %u : !F, !F {orders = array<i64: 1, 0, 0, 0>} : !F, !F -> !F, !F
  return %m#0, %m#1 : !F, !F
}
