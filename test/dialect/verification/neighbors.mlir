// RUN: pm-opt %s -split-input-file -verify-diagnostics

!f = !pm.field<[x=8, y=4], f32>
func.func @count(%f: !f) {
  // expected-error@+1 {{has 1 offsets and 1 edges, expected one a dim of [x=8, y=4]}}
  %a = pm.shift %f[1] : !f
  return
}

// -----

!f = !pm.field<[x=8, y=4], f32>
func.func @edge(%f: !f) {
  // expected-error@+1 {{expected an edge, has 'open'}}
  %a = pm.shift %f[1 open, 0] : !f
  return
}

// -----

!f = !pm.field<[kx=dual(8), ky=half(4)], complex<f32>>
func.func @fourier(%f: !f) {
  // expected-error@+1 {{has offset 1 along 'ky', expected 0, as it has half of its modes}}
  %a = pm.shift %f[0, 1] : !f
  return
}

// -----

!f = !pm.field<[x=8, y=4], f32>
func.func @reflect(%f: !f) {
  // expected-error@+1 {{has offset -4 along 'y' with 'reflect', expected less than its 4 cells}}
  %a = pm.shift %f[0, -4 reflect] : !f
  return
}

// -----

!f = !pm.field<[x=8], i1>
func.func @transposed(%f: !f) {
  // expected-error@+1 {{transposes '!pm.field<[x=8], i1>', expected real or complex elements}}
  %a = pm.shift transposed %f[1] : !f
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @place(%f: !f) {
  // expected-error@+1 {{expects to be in the body of a domain op}}
  %a = pm.neighbor %f[1] : !f -> f32
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @nested(%f: !f, %c: i1) -> !f {
  %r = pm.map [x=8] {
    %v = scf.if %c -> f32 {
      // expected-error@+1 {{expects to be in the body of a domain op}}
      %a = pm.neighbor %f[1] : !f -> f32
      scf.yield %a : f32
    } else {
      %b = arith.constant 0.0 : f32
      scf.yield %b : f32
    }
    pm.yield %v : f32
  } -> !f
  return %r : !f
}

// -----

!f = !pm.field<[x=8], f32>
func.func @subset(%f: !pm.field<[y=8], f32>) -> !f {
  %r = pm.map [x=8] {
    // expected-error@+1 {{reads a field over [y=8], expected some of the dims, or refinements or coarsenings, of [x=8]}}
    %a = pm.neighbor %f[1] : !pm.field<[y=8], f32> -> f32
    pm.yield %a : f32
  } -> !f
  return %r : !f
}

// -----

!f = !pm.field<[x=8], f32>
func.func @element(%f: !f) -> !pm.field<[x=8], f64> {
  %r = pm.map [x=8] {
    // expected-error@+1 {{gives 'f64' of '!pm.field<[x=8], f32>', expected its element}}
    %a = pm.neighbor %f[1] : !f -> f64
    pm.yield %a : f64
  } -> !pm.field<[x=8], f64>
  return %r : !pm.field<[x=8], f64>
}

// -----

!f = !pm.field<[x=8], f32>
func.func @far(%f: !f) -> !f {
  %r = pm.map [x=8] {
    // expected-error@+1 {{has offset 9 along 'x', which has 8 cells}}
    %a = pm.neighbor %f[9] : !f -> f32
    pm.yield %a : f32
  } -> !f
  return %r : !f
}

// -----

!f = !pm.field<[x=8 on(row)], f32>
pm.mesh @ranks axes = ["row"] extents = [2]
func.func @missing(%f: !f) -> !f {
  %r = pm.map [x=8 on(row)] {
    // expected-error@+1 {{has no halo, expected one, as axes split a dim that is read beyond a part in [x=8 on(row)]}}
    %a = pm.neighbor %f[1] : !f -> f32
    pm.yield %a : f32
  } -> !f
  return %r : !f
}

// -----

!f = !pm.field<[x=8 on(row), y=4], f32>
!h = !pm.halo<[x=8 on(row), y=4], f32>
pm.mesh @ranks axes = ["row"] extents = [2]
func.func @superfluous(%f: !f) -> !f {
  %m = pm.margin [x=8 on(row), y=4] below [0, 0] above [1, 0]
  %h = pm.halo_exchange %f bound %m : !f -> !h
  %r = pm.map [x=8 on(row), y=4] {
    // expected-error@+1 {{has a halo, expected none, as no axis splits a dim that is read beyond a part in [x=8 on(row), y=4]}}
    %a = pm.neighbor %f[0, 1] halo(%h : !h) : !f -> f32
    pm.yield %a : f32
  } -> !f
  return %r : !f
}

// -----

!f = !pm.field<[x=8 on(row)], f32>
!h = !pm.halo<[x=8 on(row)], f64>
func.func @other(%f: !f, %h: !h) -> !f {
  %r = pm.map [x=8 on(row)] {
    // expected-error@+1 {{has the halo '!pm.halo<[x=8 on(row)], f64>' of the mesh '!pm.field<[x=8 on(row)], f32>'}}
    %a = pm.neighbor %f[1] halo(%h : !h) : !f -> f32
    pm.yield %a : f32
  } -> !f
  return %r : !f
}

// -----

func.func @margins() {
  // expected-error@+1 {{has 1 widths, expected one a dim of [x=8, y=4]}}
  %m = pm.margin [x=8, y=4] below [0, 0] above [1]
  return
}

// -----

func.func @meeting() {
  // expected-error@+1 {{has larger widths where parts meet, expected smaller ones}}
  %m = pm.margin [x=8, y=4] below [0, 1] above [1, 0] of [0, 2] below [0, 2] above [1, 0]
  return
}

// -----

func.func @of() {
  // expected-error@+1 {{has 1 widths, expected one a dim of [x=8, y=4]}}
  %m = pm.margin [x=8, y=4] below [0, 1] above [1, 0] of [2] below [0, 0] above [1, 0]
  return
}

// -----

func.func @negative() {
  // expected-error@+1 {{has the width -1, expected 0 or more}}
  %m = pm.margin [x=8, y=4] below [0, -1] above [1, 0]
  return
}

// -----

func.func @views(%f: !pm.field<[x=8, y=4], f32>) {
  // expected-error@+1 {{makes '!pm.field<[x/2=4, y=4], f64>' of '!pm.field<[x=8, y=4], f32>', expected the same elements, and dims that are the same, finer or coarser, these without an offset and once of their name}}
  %a = pm.shift %f[0, 0] : !pm.field<[x=8, y=4], f32> -> !pm.field<[x/2=4, y=4], f64>
  return
}

// -----

func.func @moved(%f: !pm.field<[x=8, y=4], f32>) {
  // expected-error@+1 {{expected the same elements}}
  %a = pm.shift %f[1, 0] : !pm.field<[x=8, y=4], f32> -> !pm.field<[x/2=4, y=4], f32>
  return
}

// -----

func.func @twice(%f: !pm.field<[x=8, x*2=16], f32>) {
  // expected-error@+1 {{expected the same elements}}
  %a = pm.shift %f[0, 0] : !pm.field<[x=8, x*2=16], f32> -> !pm.field<[x/2=4, x*2=16], f32>
  return
}

// -----

!f = !pm.field<[x=8 on(row)], f32>
!c = !pm.field<[x/2=4 on(row)], f32>
pm.mesh @ranks axes = ["row"] extents = [2]
func.func @odd_parts(%f: !f) -> !c {
  %r = pm.map [x/2=4 on(row)] {
    // expected-error@+1 {{has no halo, expected one, as axes split a dim that is read beyond a part in [x=8 on(row)]}}
    %a = pm.neighbor %f[0] : !f -> f32
    pm.yield %a : f32
  } -> !c
  return %r : !c
}

// -----

func.func @bounds(%f: !pm.field<[x=8, y=4], f32>, %i: i64) {
  // expected-error@+1 {{has bounds along 'y', expected a dim that it reduces over}}
  %a = pm.reduce sum [x=8, y=4] within "y"(%i, %i) ins(%f : !pm.field<[x=8, y=4], f32>) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !pm.field<[y=4], f32>
  return
}

// -----

func.func @bound(%f: !pm.field<[x=8, y=4], f32>, %i: i64) {
  // expected-error@+1 {{has 1 bounds, expected two of a dim, or none}}
  %a = pm.reduce sum [x=8, y=4] within "x"(%i) ins(%f : !pm.field<[x=8, y=4], f32>) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !pm.field<[y=4], f32>
  return
}

// -----

func.func @part(%f: !pm.field<[x=8, y=4], f32>, %i: i64) {
  // expected-error@+1 {{has bounds along 'z', expected a dim of [x=8, y=4]}}
  %a = pm.map [x=8, y=4] within "z"(%i, %i) ins(%f : !pm.field<[x=8, y=4], f32>) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !pm.field<[x=8, y=4], f32>
  return
}

// -----

func.func @part_bounds(%f: !pm.field<[x=8, y=4], f32>, %i: i64) {
  // expected-error@+1 {{has 1 bounds, expected two of a dim, or none}}
  %a = pm.map [x=8, y=4] within "x"(%i) ins(%f : !pm.field<[x=8, y=4], f32>) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !pm.field<[x=8, y=4], f32>
  return
}
