// RUN: pm-opt %s --split-input-file --verify-diagnostics

!f = !pm.field<[x=8, y=8], f32>
func.func @numbers(%f: !f, %u: !f) -> !f {
  %g = pm.map [x=8, y=8] ins(%u : !f) {
  ^bb0(%p: f32):
    // expected-error@+1 {{has 2 numbers of taps, expected 3 for each of the 1 arguments}}
    %i = pm.interpolate cic (%f : !f) taps [0, -1] {
    ^bb0(%a: f32):
      pm.yield %a : f32
    } at (%p, %p : f32, f32) -> f32
    pm.yield %i : f32
  } -> !f
  return %g : !f
}

// -----

!f = !pm.field<[x=8, y=8], f32>
func.func @mesh(%f: !f, %u: !f) -> !f {
  %g = pm.map [x=8, y=8] ins(%u : !f) {
  ^bb0(%p: f32):
    // expected-error@+1 {{has a tap of mesh 1, and 1 meshes}}
    %i = pm.interpolate cic (%f : !f) taps [1, -1, 0] {
    ^bb0(%a: f32):
      pm.yield %a : f32
    } at (%p, %p : f32, f32) -> f32
    pm.yield %i : f32
  } -> !f
  return %g : !f
}

// -----

!f = !pm.field<[x=8, y=8], f32>
func.func @argument(%f: !f, %u: !f) -> !f {
  %g = pm.map [x=8, y=8] ins(%u : !f) {
  ^bb0(%p: f32):
    // expected-error@+1 {{has a cell with an argument of type 'f64', expected 'f32'}}
    %i = pm.interpolate cic (%f : !f) taps [0, -1, 0] {
    ^bb0(%a: f64):
      %b = arith.truncf %a : f64 to f32
      pm.yield %b : f32
    } at (%p, %p : f32, f32) -> f32
    pm.yield %i : f32
  } -> !f
  return %g : !f
}

// -----

!f = !pm.field<[x=8, y=8], f32>
func.func @yields(%f: !f, %u: !f) -> !f {
  %g = pm.map [x=8, y=8] ins(%u : !f) {
  ^bb0(%p: f32):
    // expected-error@+1 {{has a cell that does not yield 2 numbers, one a value}}
    %i:2 = pm.interpolate cic (%f : !f) taps [0, -1, 0] {
    ^bb0(%a: f32):
      pm.yield %a : f32
    } at (%p, %p : f32, f32) -> f32, f32
    pm.yield %i#0 : f32
  } -> !f
  return %g : !f
}

// -----

pm.mesh @ranks axes = ["row"] extents = [2]
func.func @widths(%r: !pm.displacement_bound) {
  // expected-error@+1 {{has 1 widths below and 2 above}}
  %w = pm.widen_displacement_bound %r below [1] above [1, 0]
  return
}

// -----

func.func @negative(%r: !pm.displacement_bound) {
  // expected-error@+1 {{has the width -1, expected 0 or more}}
  %v = pm.widen_displacement_bound %r below [-1] above [1]
  return
}

// -----

func.func @negative_above(%r: !pm.displacement_bound) {
  // expected-error@+1 {{has the width -1, expected 0 or more}}
  %v = pm.widen_displacement_bound %r below [1] above [-1]
  return
}

// -----

func.func @negative_second(%r: !pm.displacement_bound) {
  // expected-error@+1 {{has the width -2, expected 0 or more}}
  %v = pm.widen_displacement_bound %r below [1, 0] above [0, -2]
  return
}

// -----

!f = !pm.field<[x=8, y=8], f32>
func.func @yields_wide(%f: !f, %u: !f) -> !f {
  %g = pm.map [x=8, y=8] ins(%u : !f) {
  ^bb0(%p: f32):
    // expected-error@+1 {{has a cell that yields a 'f64', expected 'f32'}}
    %i = pm.interpolate cic (%f : !f) taps [0, -1, 0] {
    ^bb0(%a: f32):
      %b = arith.extf %a : f32 to f64
      pm.yield %b : f64
    } at (%p, %p : f32, f32) -> f32
    pm.yield %i : f32
  } -> !f
  return %g : !f
}
