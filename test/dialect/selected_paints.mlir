// RUN: pm-opt %s -split-input-file -verify-diagnostics | pm-opt -split-input-file | FileCheck %s

// Paints and readings of some of the particles.

!F = !pm.field<[x=8], f32>
!B = !pm.field<[x=8], i1>
// CHECK-LABEL: func.func @some(
func.func @some(%u: !F, %w: !B) -> (!F, !F, !F) {
  // CHECK: pm.paint cic %{{.*}} where %{{.*}} : !pm.field<[x=8], i1> : !pm.field<[x=8], f32> -> !pm.field<[x=8], f32>
  %a = pm.paint cic %u where %w : !B : !F -> !F
  // CHECK: pm.readout cic %{{.*}} at %{{.*}} where %{{.*}} : !pm.field<[x=8], i1> : !pm.field<[x=8], f32> at
  %b = pm.readout cic %a at %u where %w : !B : !F at !F -> !F
  // CHECK: pm.scatter cic [x=8]
  // CHECK: pm.yield %{{.*}}, %{{.*}}, %{{.*}} : f32, f32, i1
  %c = pm.scatter cic [x=8] ins(%u, %w : !F, !B) {
  ^bb0(%e: f32, %is: i1):
    pm.yield %e, %e, %is : f32, f32, i1
  } -> !F
  return %a, %b, %c : !F, !F, !F
}

// -----

!F = !pm.field<[x=8], f32>
func.func @bools(%u: !F) {
  // expected-error @+1 {{paints or reads where '!pm.field<[x=8], f32>' holds, expected bools over [x=8]}}
  %a = pm.paint cic %u where %u : !F : !F -> !F
  return
}

// -----

!F = !pm.field<[x=8], f32>
!B = !pm.field<[y=8], i1>
func.func @dims(%u: !F, %w: !B) {
  // expected-error @+1 {{paints or reads where '!pm.field<[y=8], i1>' holds, expected bools over [x=8]}}
  %a = pm.readout cic %u at %u where %w : !B : !F at !F -> !F
  return
}

// -----

!F = !pm.field<[x=8], f32>
func.func @weights(%u: !F) {
  // expected-error @+1 {{yields 1 values, expected one a mesh dim, 1, and weights, a multiple of 1 meshes}}
  %c = pm.scatter cic [x=8] ins(%u : !F) {
  ^bb0(%e: f32):
    %is = arith.constant true
    pm.yield %e, %is : f32, i1
  } -> !F
  return
}
