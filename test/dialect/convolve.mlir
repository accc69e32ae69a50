// Contractions of a field that is read at indices: what is printed is read again.
// RUN: pm-opt %s | pm-opt | FileCheck %s

!F = !pm.field<[c=4, x=64], f32>
!W = !pm.field<[t=3, c=4, o=16], f32>
!R = !pm.field<[o=16, x=64], f32>

// CHECK-LABEL: func.func @values(
func.func @values(%f: !F, %w: !W, %r: !R) {
  // CHECK: pm.convolve %{{.*}}[0 zero, -1 zero], %{{.*}} {divisors = array<i64: 1, 1>, terms = [array<i64: 1, 1>, array<i64: 3, 1, 0, 1>]} : !pm.field<[c=4, x=64], f32>, !pm.field<[t=3, c=4, o=16], f32> -> !pm.field<[o=16, x=64], f32>
  %a = pm.convolve %f[0 zero, -1 zero], %w {divisors = array<i64: 1, 1>, terms = [array<i64: 1, 1>, array<i64: 3, 1, 0, 1>]} : !F, !W -> !R
  // Of another field, with a divisor and a number below 0: as an adjoint of one with a stride.
  // CHECK: pm.convolve %{{.*}}[0 zero, 1], %{{.*}} {divisors = array<i64: 1, 2>
  %b = pm.convolve %r[0 zero, 1], %w {divisors = array<i64: 1, 2>, terms = [array<i64: 2, 1>, array<i64: 3, 1, 0, -1>]} : !R, !W -> !pm.field<[c=4, x*2=128], f32>
  return
}

// CHECK-LABEL: func.func @buffers(
func.func @buffers(%f: !pm.buffer<[c=4, x=64], f32>, %w: !pm.buffer<[t=3, c=4, o=16], f32>, %r: !pm.buffer<[o=16, x=64], f32>) {
  // CHECK: pm.convolve %{{.*}}[0, -1], %{{.*}} outs(%{{.*}} : !pm.buffer<[o=16, x=64], f32>) {divisors
  pm.convolve %f[0, -1], %w outs(%r : !pm.buffer<[o=16, x=64], f32>) {divisors = array<i64: 1, 1>, terms = [array<i64: 1, 1>, array<i64: 3, 1, 0, 1>]} :
    !pm.buffer<[c=4, x=64], f32>, !pm.buffer<[t=3, c=4, o=16], f32>
  return
}
