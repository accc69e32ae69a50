// RUN: pm-opt %s --pm-expand | FileCheck %s
// Bins of several dims, or of many cells, are painted; few of one dim are not.

!F = !pm.field<[x=8], f32>

// CHECK-LABEL: func.func @several(
func.func @several(%f: !F) -> !pm.field<[p=6, q=5], f64> {
  // CHECK: pm.scatter ngp [x=8] free ins(%{{.*}} : !pm.field<[x=8], f32>) {
  // CHECK: %[[BIN:.*]] = arith.fptosi
  // CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[BIN]], %{{.*}} : i64
  // CHECK: %[[CELL:.*]] = arith.select %[[INSIDE]], %[[BIN]]
  // CHECK: arith.remui %[[CELL]]
  // CHECK: arith.divui %[[CELL]]
  // CHECK: pm.yield %{{.*}}, %{{.*}}, %{{.*}}, %[[INSIDE]] : f64, f64, f32, i1
  %r = pm.bins [x=8] ins(%f : !F) {
  ^bb0(%e: f32):
    %i = arith.fptosi %e : f32 to i64
    pm.yield %i, %e : i64, f32
  } -> !pm.field<[p=6, q=5], f64>
  return %r : !pm.field<[p=6, q=5], f64>
}

// CHECK-LABEL: func.func @many(
func.func @many(%f: !F) -> !pm.field<[p=65537], f64> {
  // CHECK: pm.scatter ngp [x=8] free
  // CHECK-NOT: arith.remui
  %r = pm.bins [x=8] ins(%f : !F) {
  ^bb0(%e: f32):
    %i = arith.fptosi %e : f32 to i64
    pm.yield %i, %e : i64, f32
  } -> !pm.field<[p=65537], f64>
  return %r : !pm.field<[p=65537], f64>
}

// CHECK-LABEL: func.func @few(
func.func @few(%f: !F) -> !pm.field<[p=65536], f64> {
  // CHECK: pm.bins [x=8]
  %r = pm.bins [x=8] ins(%f : !F) {
  ^bb0(%e: f32):
    %i = arith.fptosi %e : f32 to i64
    pm.yield %i, %e : i64, f32
  } -> !pm.field<[p=65536], f64>
  return %r : !pm.field<[p=65536], f64>
}
