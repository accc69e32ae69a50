// Each invalid pm.friends has an error.
// RUN: pm-opt %s -split-input-file -verify-diagnostics

!F = !pm.field<[x=8, y=6], f32>
!I = !pm.field<[x=8, y=6], i64>
func.func @no_positions(%b: f64) {
  // expected-error @+1 {{has 0 positions, expected one to three}}
  %r = "pm.friends"(%b) {operandSegmentSizes = array<i32: 0, 1, 0, 0>} : (f64) -> !I
  return
}

// -----

!F = !pm.field<[x=8, y=6], f32>
!I = !pm.field<[x=8, y=6], i64>
func.func @sides(%f: !F, %b: f64) {
  // expected-error @+1 {{has a box with 1 sides, expected 2}}
  %r = pm.friends %f, %f within %b box(%b) : !F, !F -> !I
  return
}

// -----

!F = !pm.field<[x=8, y=6], f32>
!G = !pm.field<[x=8, y=6], f64>
!I = !pm.field<[x=8, y=6], i64>
func.func @types(%f: !F, %g: !G, %b: f64) {
  // expected-error @+1 {{has positions '!pm.field<[x=8, y=6], f64>' and '!pm.field<[x=8, y=6], f32>', expected one type}}
  %r = pm.friends %f, %g within %b box(%b, %b) : !F, !G -> !I
  return
}

// -----

!I = !pm.field<[x=8, y=6], i64>
func.func @element(%f: !I, %b: f64) {
  // expected-error @+1 {{has positions of 'i64', expected f32 or f64}}
  %r = pm.friends %f within %b box(%b) : !I -> !I
  return
}

// -----

!F = !pm.field<[kx=dual(8), y=6], f32>
!I = !pm.field<[kx=dual(8), y=6], i64>
func.func @modes(%f: !F, %b: f64) {
  // expected-error @+1 {{has the dim 'kx', expected space dims}}
  %r = pm.friends %f within %b box(%b) : !F -> !I
  return
}

// -----

!F = !pm.field<[x=8, y=6], f32>
!I = !pm.field<[x=8], i64>
func.func @result(%f: !F, %b: f64) {
  // expected-error @+1 {{has the result '!pm.field<[x=8], i64>', expected [x=8, y=6] of i64}}
  %r = pm.friends %f within %b box(%b) : !F -> !I
  return
}
