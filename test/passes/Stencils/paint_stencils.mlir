// RUN: pm-opt %s --pm-paint-stencils=elements=64 --remarks-filter=pm-paint-stencils 2>&1 | FileCheck %s
// RUN: pm-opt %s --pm-paint-stencils=elements=65 | FileCheck %s --check-prefix=FEW

// A linear map of neighbors of what one paint makes moves into the paint. Few particles are painted on stored meshes.
// FEW-NOT: taps

!F = !pm.field<[x=8, y=8], f32>

// CHECK: remark: {{.*}}at-paint{{.*}}computed where particles are painted; 1 fewer fields in memory

// CHECK-LABEL: func.func @differences(
// CHECK-SAME: %[[U:.*]]: !pm.field<[x=8, y=8], f32>, %[[S:.*]]: f32)
func.func @differences(%u: !F, %s: f32) -> !F {
  // CHECK-NEXT: %[[M:.*]] = pm.scatter cic [x=8, y=8] ins(%[[U]]
  // CHECK: } taps [1, 0, 0, 0, 1, 0, 0, -1, 0] {
  // CHECK-NEXT: ^bb0(%[[C:.*]]: f32, %[[A:.*]]: f32, %[[B:.*]]: f32):
  // CHECK-NEXT: %[[X:.*]] = arith.subf %[[A]], %[[B]] : f32
  // CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[S]], %[[X]] : f32
  // CHECK-NEXT: %[[Z:.*]] = arith.negf %[[C]] : f32
  // CHECK-NEXT: %[[W:.*]] = arith.addf %[[Y]], %[[Z]] : f32
  // CHECK-NEXT: pm.yield %[[W]] : f32
  // CHECK-NEXT: } -> !pm.field<[x=8, y=8], f32>
  // CHECK-NEXT: return %[[M]]
  %p:2 = pm.scatter cic [x=8, y=8] ins(%u : !F) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %e, %s : f32, f32, f32, f32
  } -> !F, !F
  %r = pm.map [x=8, y=8] ins(%p#1 : !F) {
  ^bb0(%c: f32):
    %a = pm.neighbor %p#0[1, 0] : !F -> f32
    %b = pm.neighbor %p#0[-1, 0] : !F -> f32
    %x = arith.subf %a, %b : f32
    %y = arith.mulf %s, %x : f32
    %z = arith.negf %c : f32
    %w = arith.addf %y, %z : f32
    pm.yield %w : f32
  } -> !F
  return %r : !F
}

// A quotient by a number is linear.
// CHECK-LABEL: func.func @quotient(
// CHECK: } taps [0, 1, 0, 0, -1, 0] {
// CHECK: arith.divf
func.func @quotient(%u: !F, %s: f32) -> !F {
  %p = pm.scatter cic [x=8, y=8] ins(%u : !F) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %s : f32, f32, f32
  } -> !F
  %r = pm.map [x=8, y=8] {
    %a = pm.neighbor %p[1, 0] : !F -> f32
    %b = pm.neighbor %p[-1, 0] : !F -> f32
    %x = arith.subf %a, %b : f32
    %y = arith.divf %x, %s : f32
    pm.yield %y : f32
  } -> !F
  return %r : !F
}

// A number divided by a field is not.
// CHECK-LABEL: func.func @inverse(
// CHECK-NOT: taps
func.func @inverse(%u: !F, %s: f32) -> !F {
  %p = pm.scatter cic [x=8, y=8] ins(%u : !F) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %s : f32, f32, f32
  } -> !F
  %r = pm.map [x=8, y=8] {
    %a = pm.neighbor %p[1, 0] : !F -> f32
    %y = arith.divf %s, %a : f32
    pm.yield %y : f32
  } -> !F
  return %r : !F
}

// Not: squares and sums with numbers, other fields, fields with another reader, selected particles, free positions, and several weights a mesh.
// CHECK-LABEL: func.func @stored(
// CHECK-NOT: taps
func.func @stored(%u: !F, %f: !F, %w: !pm.field<[x=8, y=8], i1>, %s: f32) -> (!F, !F, !F, !F, !F, !F, !F, !F) {
  %p:4 = pm.scatter cic [x=8, y=8] ins(%u : !F) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %e, %e, %e, %e : f32, f32, f32, f32, f32, f32
  } -> !F, !F, !F, !F
  %square = pm.map [x=8, y=8] {
    %a = pm.neighbor %p#0[1, 0] : !F -> f32
    %b = arith.mulf %a, %a : f32
    pm.yield %b : f32
  } -> !F
  %q = pm.scatter cic [x=8, y=8] ins(%u : !F) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %s : f32, f32, f32
  } -> !F
  %shifted = pm.map [x=8, y=8] {
    %a = pm.neighbor %q[1, 0] : !F -> f32
    %b = arith.addf %a, %s : f32
    pm.yield %b : f32
  } -> !F
  %o = pm.scatter cic [x=8, y=8] ins(%u : !F) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %s : f32, f32, f32
  } -> !F
  %other = pm.map [x=8, y=8] {
    %a = pm.neighbor %o[1, 0] : !F -> f32
    %b = pm.neighbor %f[1, 0] : !F -> f32
    %c = arith.addf %a, %b : f32
    pm.yield %c : f32
  } -> !F
  %t = pm.scatter cic [x=8, y=8] ins(%u : !F) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %s : f32, f32, f32
  } -> !F
  %shared = pm.map [x=8, y=8] {
    %a = pm.neighbor %t[1, 0] : !F -> f32
    pm.yield %a : f32
  } -> !F
  %v = pm.scatter cic [x=8, y=8] ins(%u, %w : !F, !pm.field<[x=8, y=8], i1>) {
  ^bb0(%e: f32, %is: i1):
    pm.yield %e, %e, %s, %is : f32, f32, f32, i1
  } -> !F
  %selected = pm.map [x=8, y=8] {
    %a = pm.neighbor %v[1, 0] : !F -> f32
    pm.yield %a : f32
  } -> !F
  %x = pm.scatter cic [x=8, y=8] free ins(%u : !F) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %s : f32, f32, f32
  } -> !F
  %free = pm.map [x=8, y=8] {
    %a = pm.neighbor %x[1, 0] : !F -> f32
    pm.yield %a : f32
  } -> !F
  %y = pm.scatter cic [x=8, y=8] ins(%u : !F) attributes {orders = array<i64: 1, 0, 0, 1>} {
  ^bb0(%e: f32):
    pm.yield %e, %e, %e, %e : f32, f32, f32, f32
  } -> !F
  %slopes = pm.map [x=8, y=8] {
    %a = pm.neighbor %y[1, 0] : !F -> f32
    pm.yield %a : f32
  } -> !F
  return %square, %shifted, %other, %t, %shared, %selected, %free, %slopes : !F, !F, !F, !F, !F, !F, !F, !F
}
