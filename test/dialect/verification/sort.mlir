// What a pm.sort must not be.
// RUN: pm-opt %s --split-input-file --verify-diagnostics

// -----

!F = !pm.field<[x=8, y=6], complex<f32>>
func.func @sort(%f: !F) {
  // expected-error@+1 {{sorts 'complex<f32>', expected f32, f64 or i64}}
  %r = pm.sort values %f along "x" : !F -> !F
  return
}

// -----

!F = !pm.field<[kx=dual(8), y=6], f32>
func.func @sort(%f: !F) {
  // expected-error@+1 {{has the dim 'kx', expected space dims}}
  %r = pm.sort values %f along "y" : !F -> !F
  return
}

// -----

!F = !pm.field<[x=8, y=6], f32>
func.func @sort(%f: !F) {
  // expected-error@+1 {{sorts along 'z', which [x=8, y=6] does not have}}
  %r = pm.sort values %f along "z" : !F -> !F
  return
}

// -----

!F = !pm.field<[x=8 on(row), y=6], f32>
func.func @sort(%f: !F) {
  // expected-error@+1 {{sorts along 'x', which mesh axes split}}
  %r = pm.sort values %f along "x" : !F -> !F
  return
}

// -----

!F = !pm.field<[x=8, y=6], f32>
func.func @sort(%f: !F) {
  // expected-error@+1 {{has the result '!pm.field<[x=8, y=6], f32>', expected [x=8, y=6] of 'i64'}}
  %r = pm.sort order %f along "x" : !F -> !F
  return
}

// -----

!F = !pm.field<[x=8, y=6], f32>
func.func @sort(%f: !F) {
  // expected-error@+1 {{sorts values within others, expected order or ranks}}
  %r = pm.sort values %f along "x" within(%f : !F) : !F -> !F
  return
}

// -----

!F = !pm.field<[x=8, y=6], f32>
!G = !pm.field<[x=8], f32>
!I = !pm.field<[x=8, y=6], i64>
func.func @sort(%f: !F, %g: !G) {
  // expected-error@+1 {{sorts within '!pm.field<[x=8], f32>', expected f32, f64 or i64 over [x=8, y=6]}}
  %r = pm.sort ranks %f along "x" within(%g : !G) : !F -> !I
  return
}
