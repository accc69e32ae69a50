// What a pm.convolve must not be.
// RUN: pm-opt %s --split-input-file --verify-diagnostics

// -----

!F = !pm.field<[c=4, x=64], f64>
!W = !pm.field<[t=3, c=4, o=16], f32>
!R = !pm.field<[o=16, x=64], f32>
func.func @convolve(%f: !F, %w: !W) {
  // expected-error@+1 {{has the elements 'f64', 'f32' and 'f32', expected one real type, or bf16 or f16 to read}}
  %r = pm.convolve %f[0, -1], %w {divisors = array<i64: 1, 1>, terms = [array<i64: 1, 1>, array<i64: 3, 1, 0, 1>]} : !F, !W -> !R
  return
}

// -----

!F = !pm.field<[c=4, kx=dual(64)], f32>
!W = !pm.field<[t=3, c=4, o=16], f32>
!R = !pm.field<[o=16, x=64], f32>
func.func @convolve(%f: !F, %w: !W) {
  // expected-error@+1 {{has the dim 'kx', expected space dims}}
  %r = pm.convolve %f[0, -1], %w {divisors = array<i64: 1, 1>, terms = [array<i64: 1, 1>, array<i64: 3, 1, 0, 1>]} : !F, !W -> !R
  return
}

// -----

!F = !pm.field<[c=4, x=64], f32>
!W = !pm.field<[t=3, c=4, o=16], f32>
!R = !pm.field<[o=16, x=64], f32>
func.func @convolve(%f: !F, %w: !W) {
  // expected-error@+1 {{has 1 offsets, 2 divisors and 2 lists of terms, expected one each a dim of [c=4, x=64]}}
  %r = pm.convolve %f[0], %w {divisors = array<i64: 1, 1>, terms = [array<i64: 1, 1>, array<i64: 3, 1, 0, 1>]} : !F, !W -> !R
  return
}

// -----

!F = !pm.field<[c=4, x=64], f32>
!W = !pm.field<[t=3, c=4, o=16], f32>
!R = !pm.field<[o=16, x=64], f32>
func.func @convolve(%f: !F, %w: !W) {
  // expected-error@+1 {{has the terms array<i64: 1> of 'c', expected one or two dims with their numbers}}
  %r = pm.convolve %f[0, -1], %w {divisors = array<i64: 1, 1>, terms = [array<i64: 1>, array<i64: 3, 1, 0, 1>]} : !F, !W -> !R
  return
}

// -----

!F = !pm.field<[c=4, x=64], f32>
!W = !pm.field<[t=3, c=4, o=16], f32>
!R = !pm.field<[o=16, x=64], f32>
func.func @convolve(%f: !F, %w: !W) {
  // expected-error@+1 {{has the terms array<i64: 3, 1, 1, 1> of 'x', expected positions in [t=3, c=4, o=16, x=64], each once, and no number 0}}
  %r = pm.convolve %f[0, -1], %w {divisors = array<i64: 1, 1>, terms = [array<i64: 1, 1>, array<i64: 3, 1, 1, 1>]} : !F, !W -> !R
  return
}

// -----

!F = !pm.field<[c=4, x=64], f32>
!W = !pm.field<[t=3, c=4, o=16], f32>
!R = !pm.field<[o=16, x=64], f32>
func.func @convolve(%f: !F, %w: !W) {
  // expected-error@+1 {{has the divisor 0 of 'x', expected 1 or more}}
  %r = pm.convolve %f[0, -1], %w {divisors = array<i64: 1, 0>, terms = [array<i64: 1, 1>, array<i64: 3, 1, 0, 1>]} : !F, !W -> !R
  return
}

// -----

!F = !pm.field<[c=4, x=64], f32>
!W = !pm.field<[t=3, c=4, o=16], f32>
!R = !pm.field<[o=16, x=64], f32>
func.func @convolve(%f: !F, %w: !W) {
  // expected-error@+1 {{has the divisor 2 of 'x' with 'clamp', expected 1}}
  %r = pm.convolve %f[0, -1 clamp], %w {divisors = array<i64: 1, 2>, terms = [array<i64: 1, 1>, array<i64: 3, 1, 0, 1>]} : !F, !W -> !R
  return
}

// -----

!F = !pm.field<[c=4, x=64], f32>
!W = !pm.field<[t=3, c=4, o=16], f32>
!R = !pm.field<[o=16, x=64], f32>
func.func @convolve(%f: !F, %w: !W) {
  // expected-error@+1 {{has 't' in no index, expected it in one, or in [t=3, c=4, o=16] and the result}}
  %r = pm.convolve %f[0, -1], %w {divisors = array<i64: 1, 1>, terms = [array<i64: 1, 1>, array<i64: 3, 1>]} : !F, !W -> !R
  return
}

// -----

!F = !pm.field<[x=8], f32>
!W = !pm.field<[t=3], f32>
!R = !pm.field<[x=6], f32>
func.func @farthest_reflections(%f: !F, %w: !W) {
  %below = pm.convolve %f[-7 reflect], %w {divisors = array<i64: 1>, terms = [array<i64: 1, 1, 0, 1>]} : !F, !W -> !R
  %above = pm.convolve %f[7 reflect], %w {divisors = array<i64: 1>, terms = [array<i64: 1, 1, 0, 1>]} : !F, !W -> !R
  // expected-error@+1 {{reads 'x' from 8 to 15 with 'reflect', expected less beyond the ends than its 8 cells}}
  %r = pm.convolve %f[8 reflect], %w {divisors = array<i64: 1>, terms = [array<i64: 1, 1, 0, 1>]} : !F, !W -> !R
  return
}

// -----

!F = !pm.field<[x=8], f32>
!W = !pm.field<[t=3], f32>
!R = !pm.field<[x=6], f32>
func.func @beyond_the_first_cell(%f: !F, %w: !W) {
  // expected-error@+1 {{reads 'x' from -8 to -1 with 'reflect', expected less beyond the ends than its 8 cells}}
  %r = pm.convolve %f[-8 reflect], %w {divisors = array<i64: 1>, terms = [array<i64: 1, 1, 0, 1>]} : !F, !W -> !R
  return
}

// -----

!F = !pm.field<[c=4, x=64], f32>
!W = !pm.field<[t=3, c=4, o=16], f32>
!R = !pm.field<[o=16, x=64], f32>
func.func @convolve(%f: !F, %w: !W) {
  // expected-error@+1 {{reads 'x' from -70 to -5 with 'reflect', expected less beyond the ends than its 64 cells}}
  %r = pm.convolve %f[0, -70 reflect], %w {divisors = array<i64: 1, 1>, terms = [array<i64: 1, 1>, array<i64: 3, 1, 0, 1>]} : !F, !W -> !R
  return
}

// -----

!F = !pm.field<[c=4, x=64 on(row)], f32>
!W = !pm.field<[t=3, c=4, o=16], f32>
!R = !pm.field<[o=16, x=64], f32>
func.func @convolve(%f: !F, %w: !W) {
  // expected-error@+1 {{reads 'x', which axes split, expected an index along a dim that is split as it is}}
  %r = pm.convolve %f[0, -1], %w {divisors = array<i64: 1, 1>, terms = [array<i64: 1, 1>, array<i64: 3, 1, 0, 1>]} : !F, !W -> !R
  return
}

// -----

!F = !pm.field<[c=4, x=64 on(row)], f32>
!W = !pm.field<[t=3, c=4, o=16], f32>
!R = !pm.field<[o=16, x=64 on(row)], f32>
func.func @convolve(%f: !F, %w: !W) {
  // expected-error@+1 {{has no halo, expected one, as axes split a dim that is read beyond a part in [c=4, x=64 on(row)]}}
  %r = pm.convolve %f[0, -1], %w {divisors = array<i64: 1, 1>, terms = [array<i64: 1, 1>, array<i64: 3, 1, 0, 1>]} : !F, !W -> !R
  return
}
