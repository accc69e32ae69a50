// RUN: pm-opt %s -split-input-file -verify-diagnostics

!f = !pm.field<[x=8], i1>
func.func @transposed(%f: !f) {
  // expected-error@+1 {{transposes '!pm.field<[x=8], i1>', expected real or complex elements}}
  %a = pm.view transposed %f[0] {terms = [array<i64: 0, 1>]} : !f -> !f
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @elements(%f: !f) {
  // expected-error@+1 {{expected the same elements}}
  %a = pm.view %f[0] {terms = [array<i64: 0, 1>]} : !f -> !pm.field<[p=8], f64>
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @count(%f: !f) {
  // expected-error@+1 {{has 1 offsets, 1 edges and 2 lists of terms, expected one each a dim of [x=8]}}
  %a = pm.view %f[0] {terms = [array<i64: 0, 1>, array<i64: 0, 1>]} : !f -> !f
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @starts(%f: !f, %i: i64) {
  // expected-error@+1 {{has 2 starts, expected none, or one a dim of [x=8]}}
  %a = pm.view %f[0] from %i, %i {terms = [array<i64: 0, 1>]} : !f -> !f
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @terms(%f: !f) {
  // expected-error@+1 {{has the terms array<i64: 0, 1, 1> of 'x', expected one or two dims with their numbers}}
  %a = pm.view %f[0] {terms = [array<i64: 0, 1, 1>]} : !f -> !f
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @position(%f: !f) {
  // expected-error@+1 {{has the terms array<i64: 1, 1> of 'x', expected each position in [p=4] once}}
  %a = pm.view %f[0] {terms = [array<i64: 1, 1>]} : !f -> !pm.field<[p=4], f32>
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @number(%f: !f) {
  // expected-error@+1 {{has the number 0 in the index of 'x', expected 1 or more}}
  %a = pm.view %f[0] {terms = [array<i64: 0, 0>]} : !f -> !pm.field<[p=4], f32>
  return
}

// -----

!f = !pm.field<[kx=half(8)], complex<f32>>
func.func @halved(%f: !f) {
  // expected-error@+1 {{reads 'kx' along 'p', expected a dim of all modes along space dims, or the same dim}}
  %a = pm.view %f[0] {terms = [array<i64: 0, 1>]} : !f -> !pm.field<[p=4], complex<f32>>
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @one(%f: !f) {
  // expected-error@+1 {{has the terms array<i64: 0, 2, 1, 3> of 'x', expected a 1 among its numbers}}
  %a = pm.view %f[0] {terms = [array<i64: 0, 2, 1, 3>]} : !f -> !pm.field<[p=2, q=2], f32>
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @named(%f: !f) {
  // expected-error@+1 {{names not all dims of [p=2, q=2] in its terms, expected each once}}
  %a = pm.view %f[0] {terms = [array<i64: 0, 1>]} : !f -> !pm.field<[p=2, q=2], f32>
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @edge(%f: !f, %i: i64) {
  // expected-error@+1 {{has starts and the edge 'zero' along 'x', expected no edges}}
  %a = pm.view %f[1 zero] from %i {terms = [array<i64: 0, 1>]} : !f -> !pm.field<[p=4], f32>
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @reflect(%f: !f) {
  // expected-error@+1 {{reads 'x' from -8 to -5 with 'reflect', expected less beyond the ends than its 8 cells}}
  %a = pm.view %f[-8 reflect] {terms = [array<i64: 0, 1>]} : !f -> !pm.field<[p=4], f32>
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @outside(%f: !f, %i: i64) {
  // expected-error@+1 {{expects to be in the body of a domain op}}
  %a = pm.cell %f[%i] low [0] high [0] near [false] : !f -> f32
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @indices(%f: !f, %i: i64) {
  %r = pm.map [x=8] {
    // expected-error@+1 {{has 1 indices, 2 lows, 1 highs and 1 nears, expected one each a dim of [x=8]}}
    %a = pm.cell %f[%i] low [0, 0] high [0] near [false] : !f -> f32
    pm.yield %a : f32
  } -> !f
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @near(%f: !f, %i: i64) {
  %r = pm.map [y=8] {
    // expected-error@+1 {{reads a field over [x=8], expected 'x' to go with a dim of [y=8] and to be split as it is}}
    %a = pm.cell %f[%i] low [0] high [0] near [true] : !f -> f32
    pm.yield %a : f32
  } -> !pm.field<[y=8], f32>
  return
}

// -----

pm.mesh @ranks axes = ["row"] extents = [2]
!f = !pm.field<[x=8 on(row)], f32>
func.func @split(%f: !f, %i: i64) {
  %r = pm.map [y=8] {
    // expected-error@+1 {{reads a field over [x=8 on(row)], expected no axis to split 'x'}}
    %a = pm.cell %f[%i] low [0] high [0] near [false] : !f -> f32
    pm.yield %a : f32
  } -> !pm.field<[y=8], f32>
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @element(%f: !f, %i: i64) {
  %r = pm.map [x=8] {
    // expected-error@+1 {{gives 'f64' of '!pm.field<[x=8], f32>', expected its element}}
    %a = pm.cell %f[%i] low [0] high [0] near [false] : !f -> f64
    pm.yield %a : f64
  } -> !pm.field<[x=8], f64>
  return
}

// -----

pm.mesh @ranks axes = ["row"] extents = [2]
!f = !pm.field<[x=8 on(row)], f32>
func.func @halo(%f: !f, %i: i64) {
  %r = pm.map [x=8 on(row)] {
    // expected-error@+1 {{has no halo, expected one, as axes split a dim that is read beyond a part in [x=8 on(row)]}}
    %a = pm.cell %f[%i] low [0] high [1] near [true] : !f -> f32
    pm.yield %a : f32
  } -> !f
  return
}
