// RUN: pm-opt %s --pm-merge-paints | FileCheck %s

// Paints at one position become one, in the place of the last.

!F = !pm.field<[x=8], f32>
!B = !pm.field<[x=8], i1>

// CHECK-LABEL: func.func @merge(
// CHECK-SAME: %[[U:.*]]: !pm.field<[x=8], f32>, %[[V:.*]]: !pm.field<[x=8], f32>, %[[W:.*]]: !pm.field<[x=8], i1>)
func.func @merge(%u: !F, %v: !F, %w: !B) -> (!F, !F, !F) {
  %a = pm.paint cic %u weight %v : !F where %w : !B {orders = array<i64: 1>} : !F -> !F
  %b = pm.paint cic %u where %w : !B : !F -> !F
  // CHECK: %[[O:.*]] = pm.map [x=8] {
  // CHECK: %[[P:.*]]:3 = pm.paint cic %[[U]] weight %[[V]], %[[O]], %[[U]] : {{.*}} where %[[W]] : {{.*}} {orders = array<i64: 1, 0, 0>}
  // CHECK: return %[[P]]#0, %[[P]]#1, %[[P]]#2
  %c = pm.paint cic %u weight %u : !F where %w : !B : !F -> !F
  return %a, %b, %c : !F, !F, !F
}

// Other particles, another window, a mesh that is needed before.
// CHECK-LABEL: func.func @apart(
func.func @apart(%u: !F, %v: !F, %w: !B) -> (!F, !F, !F, !F, !F) {
  // CHECK-COUNT-5: pm.paint
  // CHECK-NOT: pm.paint
  %a = pm.paint cic %u : !F -> !F
  %b = pm.paint cic %u where %w : !B : !F -> !F
  %c = pm.paint tsc %u : !F -> !F
  %d = pm.paint cic %v : !F -> !F
  %e = pm.paint cic %u weight %a : !F : !F -> !F
  return %a, %b, %c, %d, %e : !F, !F, !F, !F, !F
}
