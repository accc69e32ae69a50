// RUN: pm-opt %s --split-input-file --verify-diagnostics

!F = !pm.field<[x=8, y=8], f32>

func.func @tap_of_no_field(%u: !F) -> !F {
  // expected-error @+1 {{has a tap of mesh 2, and 2 meshes}}
  %m = pm.scatter cic [x=8, y=8] ins(%u : !F) {
  ^bb0(%p: f32):
    pm.yield %p, %p, %p, %p : f32, f32, f32, f32
  } taps [2, 0, 0] {
  ^bb0(%a: f32):
    pm.yield %a : f32
  } -> !F
  return %m : !F
}

// -----

!F = !pm.field<[x=8, y=8], f32>

func.func @numbers(%u: !F) -> !F {
  // expected-error @+1 {{has 2 numbers of taps, expected 3 for each of the 1 arguments}}
  %m = pm.scatter cic [x=8, y=8] ins(%u : !F) {
  ^bb0(%p: f32):
    pm.yield %p, %p, %p : f32, f32, f32
  } taps [0, 0] {
  ^bb0(%a: f32):
    pm.yield %a : f32
  } -> !F
  return %m : !F
}

// -----

!F = !pm.field<[x=8, y=8], f32>

func.func @yields(%u: !F) -> !F {
  // expected-error @+1 {{has a cell that does not yield 1 numbers, one a value}}
  %m = pm.scatter cic [x=8, y=8] ins(%u : !F) {
  ^bb0(%p: f32):
    pm.yield %p, %p, %p : f32, f32, f32
  } taps [0, 0, 0] {
  ^bb0(%a: f32):
    pm.yield %a, %a : f32, f32
  } -> !F
  return %m : !F
}

// -----

!D = !pm.field<[x=8, y=8], f64>

func.func @exact(%u: !D, %s: f64) -> (!D, !D) {
  // expected-error @+1 {{is exact and computes cells, expected one of them}}
  %m:2 = pm.scatter cic [x=8, y=8] exact 2 (%s, %s) ins(%u : !D) {
  ^bb0(%p: f64):
    pm.yield %p, %p, %p : f64, f64, f64
  } taps [0, 0, 0] {
  ^bb0(%a: f64):
    pm.yield %a, %a : f64, f64
  } -> !D, !D
  return %m#0, %m#1 : !D, !D
}
