// RUN: pm-opt %s -split-input-file -verify-diagnostics

!f = !pm.field<[x=8], f32>
func.func @arguments(%a: !f) -> !f {
  // expected-error@+1 {{has 1 inputs but 2 block arguments}}
  %r = pm.map [x=8] ins(%a : !f) {
  ^bb0(%e: f32, %g: f32):
    pm.yield %e : f32
  } -> !f
  return %r : !f
}

// -----

!f = !pm.field<[x=8], f32>
func.func @element(%a: !f) -> !f {
  // expected-error@+1 {{block argument 0 is 'f64', expected the element 'f32'}}
  %r = pm.map [x=8] ins(%a : !f) {
  ^bb0(%e: f64):
    %s = arith.truncf %e : f64 to f32
    pm.yield %s : f32
  } -> !f
  return %r : !f
}

// -----

!f = !pm.field<[x=8], f32>
// expected-note@+1 {{the input is made here}}
func.func @subset(%a: !pm.field<[y=8], f32>) -> !f {
  // expected-error@+1 {{input 0 is over [y=8], expected a subset of [x=8]}}
  %r = pm.map [x=8] ins(%a : !pm.field<[y=8], f32>) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !f
  return %r : !f
}

// -----

!f = !pm.field<[x=8, y=8], f32>
// expected-note@+1 {{the input is made here}}
func.func @order(%a: !pm.field<[y=8, x=8], f32>) -> !f {
  // expected-error@+1 {{input 0 is over [y=8, x=8], expected a subset of [x=8, y=8]}}
  %r = pm.map [x=8, y=8] ins(%a : !pm.field<[y=8, x=8], f32>) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !f
  return %r : !f
}

// -----

!f = !pm.field<[x=8], f32>
func.func @terminator(%a: !f) -> !f {
  // expected-error@+1 {{expects pm.yield at the end of its body}}
  %r = pm.map [x=8] ins(%a : !f) {
  ^bb0(%e: f32):
    func.return
  } -> !f
  return %r : !f
}

// -----

!f = !pm.field<[x=8], f32>
func.func @count(%a: !f) -> !f {
  // expected-error@+1 {{yields 2 values for 1 results}}
  %r = pm.map [x=8] ins(%a : !f) {
  ^bb0(%e: f32):
    pm.yield %e, %e : f32, f32
  } -> !f
  return %r : !f
}

// -----

!f = !pm.field<[x=8], f32>
func.func @yielded(%a: !f) -> !pm.field<[x=8], f64> {
  // expected-error@+1 {{yields 'f32' for a result of 'f64'}}
  %r = pm.map [x=8] ins(%a : !f) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !pm.field<[x=8], f64>
  return %r : !pm.field<[x=8], f64>
}

// -----

!f = !pm.field<[x=8], f32>
func.func @over(%a: !f) -> !pm.field<[y=8], f32> {
  // expected-error@+1 {{has a result over [y=8], expected [x=8]}}
  %r = pm.map [x=8] ins(%a : !f) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !pm.field<[y=8], f32>
  return %r : !pm.field<[y=8], f32>
}

// -----

!f = !pm.field<[x=8, y=8], f32>
!g = !pm.field<[x=8], f32>
func.func @both(%a: !f) -> (f64, !g) {
  // expected-error@+1 {{has both scalar and field results}}
  %s, %r = pm.reduce sum [x=8, y=8] ins(%a : !f) {
  ^bb0(%e: f32):
    pm.yield %e, %e : f32, f32
  } scalars f64 -> !g
  return %s, %r : f64, !g
}

// -----

!f = !pm.field<[x=8], complex<f32>>
func.func @reduced(%a: !f) -> f64 {
  // expected-error@+1 {{reduces a 'complex<f32>', expected f32 or f64}}
  %s = pm.reduce sum [x=8] ins(%a : !f) {
  ^bb0(%e: complex<f32>):
    pm.yield %e : complex<f32>
  } scalars f64
  return %s : f64
}

// -----

!f = !pm.field<[x=8], f32>
func.func @target(%a: !f) -> !pm.field<[y=8], f32> {
  // expected-error@+1 {{has a result over [y=8], expected a subset of [x=8]}}
  %r = pm.reduce sum [x=8] ins(%a : !f) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !pm.field<[y=8], f32>
  return %r : !pm.field<[y=8], f32>
}

// -----

!f = !pm.field<[x=8], f32>
func.func @bin(%a: !f) -> !pm.field<[m=3], f64> {
  // expected-error@+1 {{expects to yield an i64 bin first}}
  %r = pm.bins [x=8] ins(%a : !f) {
  ^bb0(%e: f32):
    pm.yield %e, %e : f32, f32
  } -> !pm.field<[m=3], f64>
  return %r : !pm.field<[m=3], f64>
}

// -----

!f = !pm.field<[x=8], f32>
func.func @binned(%a: !f, %bin: i64) -> !pm.field<[m=3], f64> {
  // expected-error@+1 {{sums a 'i64', expected f32 or f64}}
  %r = pm.bins [x=8] ins(%a : !f) {
  ^bb0(%e: f32):
    pm.yield %bin, %bin : i64, i64
  } -> !pm.field<[m=3], f64>
  return %r : !pm.field<[m=3], f64>
}

// -----

!f = !pm.field<[x=8], f32>
func.func @bins_of_modes(%a: !f, %bin: i64) -> !pm.field<[km=dual(3)], f64> {
  // expected-error@+1 {{has a result '!pm.field<[km=dual(3)], f64>', expected f64 over the same space dims}}
  %r = pm.bins [x=8] ins(%a : !f) {
  ^bb0(%e: f32):
    pm.yield %bin, %e : i64, f32
  } -> !pm.field<[km=dual(3)], f64>
  return %r : !pm.field<[km=dual(3)], f64>
}

// -----

!f = !pm.field<[x=8], f32>
func.func @bins_of_several(%a: !f, %bin: i64) -> (!pm.field<[m=3], f64>, !pm.field<[n=3], f64>) {
  // expected-error@+1 {{has a result '!pm.field<[n=3], f64>', expected f64 over the same space dims}}
  %r:2 = pm.bins [x=8] ins(%a : !f) {
  ^bb0(%e: f32):
    pm.yield %bin, %e, %e : i64, f32, f32
  } -> !pm.field<[m=3], f64>, !pm.field<[n=3], f64>
  return %r#0, %r#1 : !pm.field<[m=3], f64>, !pm.field<[n=3], f64>
}

// -----

!f = !pm.field<[x=8], f32>
func.func @bins(%a: !f, %bin: i64) -> !pm.field<[m=3], f32> {
  // expected-error@+1 {{has a result '!pm.field<[m=3], f32>', expected f64 over the same space dims}}
  %r = pm.bins [x=8] ins(%a : !f) {
  ^bb0(%e: f32):
    pm.yield %bin, %e : i64, f32
  } -> !pm.field<[m=3], f32>
  return %r : !pm.field<[m=3], f32>
}

// -----

!f = !pm.field<[x=8], f32>
func.func @meshes(%a: !f) {
  // expected-error@+1 {{expects results or outs, has 0 and 0}}
  pm.scatter cic [x=8] ins(%a : !f) {
  ^bb0(%e: f32):
    pm.yield %e, %e : f32, f32
  }
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @offsets(%a: !f) -> !f {
  // expected-error@+1 {{yields 1 values, expected one a mesh dim, 1, and weights, a multiple of 1 meshes}}
  %r = pm.scatter cic [x=8] ins(%a : !f) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !f
  return %r : !f
}

// -----

!f = !pm.field<[x=8], f32>
func.func @exact_on_f32(%a: !f, %s: f64) -> !f {
  // expected-error@+1 {{is exact on '!pm.field<[x=8], f32>', expected f64}}
  %r = pm.scatter cic [x=8] exact 1(%s) ins(%a : !f) {
  ^bb0(%e: f32):
    pm.yield %e, %e : f32, f32
  } -> !f
  return %r : !f
}

// -----

!f = !pm.field<[x=8], f64>
func.func @words(%a: !f, %s: f64) -> !f {
  // expected-error@+1 {{has 1 meshes and 1 steps, expected a step a mesh, and a multiple of 2 words}}
  %r = pm.scatter cic [x=8] exact 2(%s) ins(%a : !f) {
  ^bb0(%e: f64):
    pm.yield %e, %e : f64, f64
  } -> !f
  return %r : !f
}

// -----

!f = !pm.field<[x=8], f32>
func.func @weight(%a: !f, %n: i64) -> !f {
  // expected-error@+1 {{yields a 'i64', expected f32 or f64}}
  %r = pm.scatter cic [x=8] ins(%a : !f) {
  ^bb0(%e: f32):
    pm.yield %e, %n : f32, i64
  } -> !f
  return %r : !f
}

// -----

!f = !pm.field<[x=8], f32>
func.func @refines(%a: !f) -> !pm.field<[x=12], f32> {
  // expected-error@+1 {{paints on [x=12], which does not refine [x=8]}}
  %r = pm.scatter cic [x=8] ins(%a : !f) {
  ^bb0(%e: f32):
    pm.yield %e, %e : f32, f32
  } -> !pm.field<[x=12], f32>
  return %r : !pm.field<[x=12], f32>
}

// -----

func.func @coordinate() -> f64 {
  // expected-error@+1 {{expects to be in the body of a domain op}}
  %x = pm.coordinate "x"
  return %x : f64
}

// -----

!f = !pm.field<[x=8], f64>
func.func @named() -> !f {
  %r = pm.map [x=8] {
    // expected-error@+1 {{names dim 'y', which is not in the domain [x=8]}}
    %y = pm.coordinate "y"
    pm.yield %y : f64
  } -> !f
  return %r : !f
}

// -----

!f = !pm.field<[x=8], f32>
func.func @interpolate(%a: !f) -> !f {
  %r = pm.map [x=8] ins(%a : !f) {
  ^bb0(%e: f32):
    // expected-error@+1 {{has 1 meshes but 2 values}}
    %v:2 = pm.interpolate cic (%a : !f) at (%e : f32) -> f32, f32
    pm.yield %v#0 : f32
  } -> !f
  return %r : !f
}

// -----

!f = !pm.field<[x=8], f32>
func.func @interpolate(%a: !f, %b: !pm.field<[x=8], f64>) -> !f {
  %r = pm.map [x=8] ins(%a : !f) {
  ^bb0(%e: f32):
    // expected-error@+1 {{expects real meshes of one type, has '!pm.field<[x=8], f32>' and '!pm.field<[x=8], f64>'}}
    %v:2 = pm.interpolate cic (%a, %b : !f, !pm.field<[x=8], f64>) at (%e : f32) -> f32, f64
    pm.yield %v#0 : f32
  } -> !f
  return %r : !f
}

// -----

!f = !pm.field<[x=8], f32>
func.func @interpolate(%a: !f) -> !f {
  %r = pm.map [x=8] ins(%a : !f) {
  ^bb0(%e: f32):
    // expected-error@+1 {{has 2 offsets for 1 dims}}
    %v = pm.interpolate cic (%a : !f) at (%e, %e : f32, f32) -> f32
    pm.yield %v : f32
  } -> !f
  return %r : !f
}

// -----

!f = !pm.field<[x=8], f32>
func.func @no_results(%a: !f) {
  // expected-error@+1 {{yields 0 values for 0 results}}
  "pm.map"(%a) <{domain = #pm.dims<[x=8]>, operandSegmentSizes = array<i32: 1, 0, 0>}> ({
  ^bb0(%e: f32):
    pm.yield
  }) : (!f) -> ()
  return
}
