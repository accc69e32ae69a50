// RUN: pm-opt %s --pm-contract | FileCheck %s

!F = !pm.field<[c=4, x=16], f32>
!P = !pm.field<[c=4, x=16, t=3], f32>
!W = !pm.field<[o=8, c=4, t=3], f32>
!M = !pm.field<[o=8, c=4, x=16, t=3], f32>
!R = !pm.field<[o=8, x=16], f32>

// What reads a field at indices, times weights: one op of the field, and no view of it.
// CHECK-LABEL: func.func @view(
// CHECK-NEXT: %[[R:.*]] = pm.convolve %arg0[0 zero, -1 zero], %arg1 {divisors = array<i64: 1, 1>, terms = [array<i64: 1, 1>, array<i64: 3, 1, 2, 1>]}
// CHECK-NEXT: return %[[R]]
func.func @view(%f: !F, %w: !W) -> !R {
  %p = pm.view %f[0, -1 zero] {terms = [array<i64: 0, 1>, array<i64: 1, 1, 2, 1>]} : !F -> !P
  %m = pm.map [o=8, c=4, x=16, t=3] ins(%p, %w : !P, !W) {
  ^bb0(%a: f32, %b: f32):
    %q = arith.mulf %a, %b : f32
    pm.yield %q : f32
  } -> !M
  %r = pm.reduce sum [o=8, c=4, x=16, t=3] ins(%m : !M) {
  ^bb0(%a: f32):
    pm.yield %a : f32
  } -> !R
  return %r : !R
}

// A moved field; what is periodic reads the least far.
// CHECK-LABEL: func.func @moved(
// CHECK-NEXT: pm.convolve %arg0[0 zero, -1], %arg1
func.func @moved(%f: !F, %w: !pm.field<[o=32, c=4], f32>) -> !pm.field<[o=32, x=16], f32> {
  %p = pm.shift %f[0, 15] : !F
  %r = pm.contract %p, %w : !F, !pm.field<[o=32, c=4], f32> -> !pm.field<[o=32, x=16], f32>
  return %r : !pm.field<[o=32, x=16], f32>
}

// Views whose starts the program knows only stay, and so do those that read every cell where it is.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: pm.convolve
func.func @others(%f: !F, %i: i64, %w: !pm.field<[o=32, c=4], f32>) -> !pm.field<[o=32, x=16], f32> {
  %p = pm.view %f[0, 0] from %i, %i {terms = [array<i64: 0, 1>, array<i64: 1, 1>]} : !F -> !F
  %r = pm.contract %p, %w : !F, !pm.field<[o=32, c=4], f32> -> !pm.field<[o=32, x=16], f32>
  return %r : !pm.field<[o=32, x=16], f32>
}
