// RUN: pm-opt %s --pm-check-ranges --split-input-file | FileCheck %s

!F = !pm.field<[x=8], f32>

// The param is checked once, however often it is rounded; 1/e is another number.
// CHECK-LABEL: @main
// CHECK: %[[E:.*]] = pm.param_value "e"
// CHECK: %[[SIZE:.*]] = math.absf %[[E]]
// CHECK: arith.cmpf ogt, %[[SIZE]]
// CHECK: pm.assert %{{.*}}, "a number here, {} in working units,
// CHECK-SAME: (%[[SIZE]])
// CHECK: arith.divf
// CHECK: pm.assert
// CHECK-NOT: pm.assert
// CHECK: return
pm.input "f" : !F
pm.param "e" : f64 "f64"
func.func @main() {
  %f = pm.input_value "f" -> !F
  %e = pm.param_value "e" : f64
  %one = arith.constant 1.0 : f64
  %a = pm.map [x=8] ins(%f : !F) {
  ^bb0(%v: f32):
    %r = arith.truncf %e : f64 to f32
    %w = arith.mulf %v, %r : f32
    pm.yield %w : f32
  } -> !F
  %b = pm.map [x=8] ins(%a : !F) {
  ^bb0(%v: f32):
    %again = pm.param_value "e" : f64
    %r = arith.truncf %again : f64 to f32
    %inverse = arith.divf %one, %e : f64
    %s = arith.truncf %inverse : f64 to f32
    %w = arith.mulf %r, %s : f32
    pm.yield %w : f32
  } -> !F
  pm.output "b"(%b : !F)
  return
}

// -----

!F = !pm.field<[x=8], f32>

// Of coordinates, the largest (7) and the smallest other than 0 (1) count.
// 7^4 / 1e-50 is infinite in f32, 7 is not. What depends on an element, or is
// under a condition, is not checked.
// CHECK-LABEL: @main
// CHECK: pm.assert %false{{[_0-9]*}}, "a number here, at most {} in working units,
// CHECK-NOT: pm.assert
// CHECK: return
pm.input "f" : !F
func.func @main() {
  %f = pm.input_value "f" -> !F
  %tiny = arith.constant 1.0e-50 : f64
  %a = pm.map [x=8] ins(%f : !F) {
  ^bb0(%v: f32):
    %x = pm.coordinate "x"
    %plain = arith.truncf %x : f64 to f32
    %x2 = arith.mulf %x, %x : f64
    %x4 = arith.mulf %x2, %x2 : f64
    %q = arith.divf %x4, %tiny : f64
    %r = arith.truncf %q : f64 to f32
    %wide = arith.extf %v : f32 to f64
    %own = arith.divf %wide, %tiny : f64
    %s = arith.truncf %own : f64 to f32
    %isLarge = arith.cmpf ogt, %v, %plain : f32
    %t = scf.if %isLarge -> (f32) {
      %three = arith.addf %q, %q : f64
      %u = arith.truncf %three : f64 to f32
      scf.yield %u : f32
    } else {
      scf.yield %r : f32
    }
    %w = arith.addf %s, %t : f32
    pm.yield %w : f32
  } -> !F
  pm.output "a"(%a : !F)
  return
}

// -----

// A quotient by a coordinate is largest at 1: 1e38 fits, and 1e39 is infinite in f32.
// CHECK-LABEL: @main
// CHECK: pm.assert %false{{[_0-9]*}}, "a number here, at most {} in working units,
// CHECK-NOT: pm.assert
// CHECK: return
func.func @main() {
  %fits = arith.constant 1.0e38 : f64
  %large = arith.constant 1.0e39 : f64
  %a = pm.map [x=8] {
    %x = pm.coordinate "x"
    %q = arith.divf %fits, %x : f64
    %r = arith.truncf %q : f64 to f32
    %p = arith.divf %large, %x : f64
    %s = arith.truncf %p : f64 to f32
    %w = arith.addf %r, %s : f32
    pm.yield %w : f32
  } -> !pm.field<[x=8], f32>
  pm.output "a"(%a : !pm.field<[x=8], f32>)
  return
}

// -----

!K = !pm.field<[kx=dual(8)], f32>

// Of modes, 4 and 1: 4e38 is infinite. 0 in some elements is allowed, so that
// 1 / m^100 is not checked to death: it is 1 at the mode 1.
// CHECK-LABEL: @main
// CHECK: pm.assert %false{{[_0-9]*}},
// CHECK-NOT: pm.assert
// CHECK: return
func.func @main() {
  %large = arith.constant 1.0e38 : f64
  %hundred = arith.constant -100.0 : f64
  %a = pm.map [kx=dual(8)] {
    %m = pm.coordinate "kx"
    %q = arith.mulf %m, %large : f64
    %r = arith.truncf %q : f64 to f32
    %p = math.powf %m, %hundred : f64
    %s = arith.truncf %p : f64 to f32
    %w = arith.addf %r, %s : f32
    pm.yield %w : f32
  } -> !K
  pm.output "a"(%a : !K)
  return
}

// -----

!F = !pm.field<[x=8], f32>

// A number that follows from a reduction is checked where it is made, once for two maps. One that is made in a map is
// checked before the map. A lookup is checked over the rows of its table, but not its slope.
// CHECK-LABEL: @main
// CHECK: %[[S:.*]] = pm.reduce
// CHECK: %[[P:.*]] = arith.mulf %[[S]], %[[S]]
// CHECK: %[[SIZE:.*]] = math.absf %[[P]]
// CHECK: pm.assert %{{.*}}, "a number here, {} in working units,
// CHECK-SAME: (%[[SIZE]])
// CHECK-NOT: pm.assert
// CHECK: pm.map
// CHECK: pm.yield
// CHECK: %[[Q:.*]] = arith.addf %[[S]], %[[S]]
// CHECK: math.absf %[[Q]]
// CHECK: pm.assert
// CHECK: pm.map
// CHECK: %[[TABLE:.*]] = pm.tabulate
// CHECK: scf.for
// CHECK: pm.row_y %[[TABLE]]
// CHECK: arith.maximumf
// CHECK: pm.assert %{{.*}}, "a number of a table here, at most {} in working units,
// CHECK-NOT: pm.assert
// CHECK: return
pm.input "f" : !F
func.func @main() {
  %f = pm.input_value "f" -> !F
  %s = pm.reduce sum [x=8] ins(%f : !F) {
  ^bb0(%v: f32):
    pm.yield %v : f32
  } scalars f64
  %p = arith.mulf %s, %s : f64
  %a = pm.map [x=8] ins(%f : !F) {
  ^bb0(%v: f32):
    %r = arith.truncf %p : f64 to f32
    %w = arith.mulf %v, %r : f32
    pm.yield %w : f32
  } -> !F
  %b = pm.map [x=8] ins(%a : !F) {
  ^bb0(%v: f32):
    %r = arith.truncf %p : f64 to f32
    %q = arith.addf %s, %s : f64
    %t = arith.truncf %q : f64 to f32
    %w = arith.mulf %r, %t : f32
    pm.yield %w : f32
  } -> !F
  %from = arith.constant 0.0 : f64
  %to = arith.constant 4.0 : f64
  %points = arith.constant 5 : i64
  %table = pm.tabulate %from to %to points %points {
  ^bb0(%x: f64):
    %y = arith.mulf %x, %s : f64
    pm.yield %y : f64
  }
  %c = pm.map [x=8] ins(%b : !F) {
  ^bb0(%v: f32):
    %i = pm.coordinate "x"
    %y = pm.lookup %table at %i
    %r = arith.truncf %y : f64 to f32
    %d = pm.lookup slope %table at %i
    %t = arith.truncf %d : f64 to f32
    %w = arith.mulf %r, %t : f32
    pm.yield %w : f32
  } -> !F
  pm.output "c"(%c : !F)
  return
}

// -----

!F = !pm.field<[x=8], f32>

// The table of an input is checked behind the conversion of its units. The message is at the declaration and begins with the file. The x of
// an element is compared with the points, which are checked, too.
// CHECK-LABEL: @main
// CHECK: %[[TABLE:.*]] = pm.transform
// CHECK-DAG: pm.row_y %[[TABLE]]
// CHECK-DAG: pm.assert %{{.*}}, "column 'P': its largest number, {} in working units, {{.*}}checked_input = "P"
// CHECK-DAG: pm.row_x %[[TABLE]]
// CHECK-DAG: pm.assert %{{.*}}, "column 'k': its largest number
// CHECK-DAG: pm.assert %{{.*}}, "column 'k': its smallest number
// CHECK: pm.map
// CHECK-NOT: pm.assert
// CHECK: return
pm.input "f" : !F
pm.input "P" : !pm.table {columns = ["k", "P"]}
func.func @main() {
  %f = pm.input_value "f" -> !F
  %given = pm.input_value "P" table !pm.table
  %thousand = arith.constant 1.0e3 : f64
  %table = pm.transform %given attributes {pm.conversion} {
  ^bb0(%x: f64, %y: f64):
    %z = arith.mulf %y, %thousand : f64
    pm.yield %x, %z : f64, f64
  }
  %a = pm.map [x=8] ins(%f : !F) {
  ^bb0(%v: f32):
    %wide = arith.extf %v : f32 to f64
    %y = pm.lookup %table at %wide
    %r = arith.truncf %y : f64 to f32
    pm.yield %r : f32
  } -> !F
  pm.output "a"(%a : !F)
  return
}

// -----

!F = !pm.field<[x=8], f32>

// A number that a loop carries is checked where it is rounded, but not in a loop that computes derivatives.
// CHECK-LABEL: @main
// CHECK: scf.for
// CHECK: pm.assert %{{.*}}, "a number here that a loop carries, {} in working units,
// CHECK: pm.map
// CHECK: scf.for
// CHECK-NOT: pm.assert
// CHECK: return
func.func @main() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %ten = arith.constant 10 : index
  %half = arith.constant 0.5 : f64
  %f = pm.input_value "f" -> !F
  %u, %s = scf.for %i = %zero to %ten step %one iter_args(%c = %f, %t = %half) -> (!F, f64) {
    %a = pm.map [x=8] ins(%c : !F) {
    ^bb0(%v: f32):
      %r = arith.truncf %t : f64 to f32
      %w = arith.mulf %v, %r : f32
      pm.yield %w : f32
    } -> !F
    %next = arith.mulf %t, %half : f64
    scf.yield %a, %next : !F, f64
  }
  %w, %q = scf.for %i = %zero to %ten step %one iter_args(%c = %u, %t = %half) -> (!F, f64) {
    %a = pm.map [x=8] ins(%c : !F) {
    ^bb0(%v: f32):
      %r = arith.truncf %t : f64 to f32
      %w = arith.mulf %v, %r : f32
      pm.yield %w : f32
    } -> !F
    %next = arith.mulf %t, %half : f64
    scf.yield %a, %next : !F, f64
  } {pm.reversed}
  pm.output "a"(%w : !F)
  return
}
pm.input "f" : !F
