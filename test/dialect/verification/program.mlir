// RUN: pm-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{has 2 axes but 1 extents}}
pm.mesh @m axes = ["row", "col"] extents = [1]

// -----

// expected-error@+1 {{has an extent 0, expected >= 1}}
pm.mesh @m axes = ["row"] extents = [0]

// -----

// expected-error@+1 {{declares axis "row" twice}}
pm.mesh @m axes = ["row", "row"] extents = [1, 1]

// -----

// expected-note@+1 {{the first one is here}}
pm.mesh @a axes = ["row"] extents = [1]
// expected-error@+1 {{is the second mesh of its module}}
pm.mesh @b axes = ["col"] extents = [1]

// -----

pm.mesh @m axes = ["row"] extents = [1]
// expected-error@+1 {{expects at least one axis}}
pm.layout "x" -> []

// -----

pm.mesh @m axes = ["row"] extents = [1]
// expected-error@+1 {{names axis "row" twice}}
pm.layout "x" -> ["row", "row"]

// -----

pm.mesh @m axes = ["row"] extents = [1]
// expected-error@+1 {{names axis "col", which no mesh declares}}
pm.layout "x" -> ["col"]

// -----

pm.mesh @m axes = ["row", "col"] extents = [1, 1]
// expected-note@+1 {{the first one is here}}
pm.layout "x" -> ["row"]
pm.layout "y" -> ["row"]
// expected-error@+1 {{is the second layout of dim 'x'}}
pm.layout "x" -> ["col"]

// -----

// expected-error@+1 {{has the type 'f32', expected f64, i64 or i1}}
pm.param "box" : f32 "f64"

// -----

// expected-error@+1 {{has a default of type 'i64', expected 'f64'}}
pm.param "box" : f64 "f64" {default_value = 1 : i64}

// -----

// expected-error@+1 {{expects a body from 0 to 1 f64}}
pm.dim "x" = 8 length {
  %one = arith.constant 1 : i64
  pm.yield %one : i64
}

// -----

func.func @tabulate(%x: f64, %n: i64) {
  // expected-error@+1 {{expects a body from 1 to 1 f64}}
  %t = pm.tabulate %x to %x points %n {
  ^bb0(%a: f64):
    pm.yield %a, %a : f64, f64
  }
  return
}

// -----

func.func @transform(%t: !pm.table) {
  // expected-error@+1 {{expects a body from 2 to 2 f64}}
  %r = pm.transform %t {
  ^bb0(%a: f64):
    pm.yield %a, %a : f64, f64
  }
  return
}

// -----

func.func @yield(%x: f64) -> f64 {
  %true = arith.constant true
  %r = scf.if %true -> f64 {
    // expected-error@+1 {{expects to end the body of a domain op, pm.tabulate, pm.transform, pm.interpolate or pm.dim, not of scf.if}}
    pm.yield %x : f64
  } else {
    scf.yield %x : f64
  }
  return %r : f64
}

// -----

func.func @empty() {
  // expected-error@+1 {{expects a value}}
  "pm.output"() <{name = "nothing"}> : () -> ()
  return
}

// -----

func.func @output(%a: f64, %b: !pm.field<[x=8], f64>) {
  // expected-error@+1 {{has values of types 'f64' and '!pm.field<[x=8], f64>'}}
  pm.output "mixed"(%a, %b : f64, !pm.field<[x=8], f64>)
  return
}

// -----

func.func @columns(%a: f64) {
  // expected-error@+1 {{names 2 columns for 1 values}}
  pm.output "columns"(%a : f64) {columns = ["a", "b"]}
  return
}

// -----

func.func @plot() {
  // expected-error@+1 {{expects a field}}
  "pm.plot"() <{name = "nothing"}> : () -> ()
  return
}

// -----

func.func @plot(%a: !pm.field<[x=8, y=8], f32>) {
  // expected-error@+1 {{draws one 2-D field or several 1-D ones, not 2 of rank 2}}
  pm.plot "two"(%a, %a : !pm.field<[x=8, y=8], f32>, !pm.field<[x=8, y=8], f32>)
  return
}

// -----

func.func @plot(%a: !pm.field<[x=8], f32>, %b: !pm.field<[x=8], f64>) {
  // expected-error@+1 {{expects real fields of one type, has '!pm.field<[x=8], f32>' and '!pm.field<[x=8], f64>'}}
  pm.plot "mixed"(%a, %b : !pm.field<[x=8], f32>, !pm.field<[x=8], f64>)
  return
}

// -----

// expected-error@+1 {{has 1 types, 2 starts and 1 ends, expected as many}}
pm.plan [!pm.buffer<[x=8], f32>] starts [0, 1] ends [1]

// -----

// expected-error@+1 {{has a '!pm.field<[x=8], f32>', expected a pm.buffer}}
pm.plan [!pm.field<[x=8], f32>] starts [0] ends [1]

// -----

// expected-error@+1 {{ends buffer 0 at 1, before its start at 2}}
pm.plan [!pm.buffer<[x=8], f32>] starts [2] ends [1]

// -----

// expected-error@+1 {{streams '!pm.table', expected fields}}
pm.input "boxes" : !pm.table {streamed}

// -----

// expected-error@+1 {{has samples, but is not a stream}}
pm.input "boxes" : !pm.field<[x=8], f32> {samples = 3}

// -----

func.func @two_dims(%p: !pm.field<[a=3, b=2], i64>) {
  // expected-error@+1 {{has the index '!pm.field<[a=3, b=2], i64>', expected i64 over one dim}}
  %s = pm.samples "boxes"[%p : !pm.field<[a=3, b=2], i64>] -> !pm.field<[a=3, b=2, x=8], f32>
  return
}

// -----

func.func @real_numbers(%p: !pm.field<[a=3], f64>) {
  // expected-error@+1 {{has the index '!pm.field<[a=3], f64>', expected i64 over one dim}}
  %s = pm.samples "boxes"[%p : !pm.field<[a=3], f64>] -> !pm.field<[a=3, x=8], f32>
  return
}

// -----

func.func @elsewhere(%p: !pm.field<[a=3], i64>) {
  // expected-error@+1 {{has the result '!pm.field<[x=8, a=3], f32>', expected one whose first dim is [a=3]}}
  %s = pm.samples "boxes"[%p : !pm.field<[a=3], i64>] -> !pm.field<[x=8, a=3], f32>
  return
}
