// RUN: pm-opt %s -split-input-file -verify-diagnostics | pm-opt -split-input-file | FileCheck %s

// Paints of several weights at once: one mesh each, or several weights a mesh.

!F = !pm.field<[x=8], f32>
// CHECK-LABEL: func.func @paint(
func.func @paint(%u: !F, %a: !F, %b: !F) -> (!F, !F, !F) {
  // CHECK: pm.paint cic %{{.*}} weight %{{.*}}, %{{.*}} : !pm.field<[x=8], f32>, !pm.field<[x=8], f32> {orders = array<i64: 0, 1>} : !pm.field<[x=8], f32> -> !pm.field<[x=8], f32>, !pm.field<[x=8], f32>
  %m:2 = pm.paint cic %u weight %a, %b : !F, !F {orders = array<i64: 0, 1>} : !F -> !F, !F
  %s = pm.paint cic %u weight %a, %b : !F, !F : !F -> !F
  return %m#0, %m#1, %s : !F, !F, !F
}

// CHECK-LABEL: func.func @scatter(
func.func @scatter(%u: !F) -> (!F, !F) {
  // CHECK: pm.scatter cic [x=8] ins(%{{.*}} : !pm.field<[x=8], f32>) attributes {orders = array<i64: 0, 0, 1, 1>} {
  // CHECK: } -> !pm.field<[x=8], f32>, !pm.field<[x=8], f32>
  %m:2 = pm.scatter cic [x=8] ins(%u : !F) attributes {orders = array<i64: 0, 0, 1, 1>} {
  ^bb0(%e: f32):
    pm.yield %e, %e, %e, %e, %e : f32, f32, f32, f32, f32
  } -> !F, !F
  return %m#0, %m#1 : !F, !F
}

// -----

!F = !pm.field<[x=8], f32>
func.func @weights(%u: !F) {
  // expected-error @+1 {{has 3 weights, expected a multiple of 2 meshes}}
  %m:2 = pm.paint cic %u weight %u, %u, %u : !F, !F, !F : !F -> !F, !F
  return
}

// -----

!F = !pm.field<[x=8], f32>
!G = !pm.field<[x=8], f64>
func.func @types(%u: !F) {
  // expected-error @+1 {{has meshes '!pm.field<[x=8], f32>' and '!pm.field<[x=8], f64>', expected one type}}
  %m:2 = pm.paint cic %u weight %u, %u : !F, !F : !F -> !F, !G
  return
}

// -----

!F = !pm.field<[x=8], f32>
func.func @orders(%u: !F) {
  // expected-error @+1 {{has 1 orders, expected 2}}
  %m = pm.paint cic %u weight %u, %u : !F, !F {orders = array<i64: 1>} : !F -> !F
  return
}

// -----

!F = !pm.field<[x=8], f32>
func.func @yielded(%u: !F) {
  // expected-error @+1 {{yields 4 values, expected one a mesh dim, 1, and weights, a multiple of 2 meshes}}
  %m:2 = pm.scatter cic [x=8] ins(%u : !F) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %e, %e : f32, f32, f32, f32
  } -> !F, !F
  return
}
