// RUN: pm-opt %s --pm-inline | FileCheck %s
// RUN: pm-opt %s --pm-inline --cse | FileCheck %s --check-prefix=CSE

// Calls of functions that only compute, as all that they call does, are marked.
// Where nothing uses their results they go, with what only they need, and then
// the functions; equal ones are one.

// CHECK-NOT: @growth
// CHECK-NOT: @ode
// CHECK: func.func private @checked
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[A:.*]]: f64
// CHECK-NEXT: call @checked(%[[A]]) : (f64)
// CHECK-NEXT: %[[U:.*]] = call @used(%[[A]]) {pm.pure}
// CHECK-NEXT: %[[V:.*]] = call @used(%[[A]]) {pm.pure}
// CHECK-NEXT: pm.print "{}"(%[[U]], %[[V]])
// CHECK-NEXT: return
// CSE-LABEL: func.func @main
// CSE: %[[U:.*]] = call @used
// CSE-NEXT: pm.print "{}"(%[[U]], %[[U]])
func.func private @ode(%a: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 8 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%y = %a) -> f64 {
    %z = arith.mulf %y, %a : f64
    scf.yield %z : f64
  }
  return %r : f64
}
func.func private @growth(%a: f64) -> f64 {
  %n = arith.constant 8 : i64
  %t = pm.tabulate %a to %a points %n {
  ^bb0(%x: f64):
    %y = func.call @ode(%x) : (f64) -> f64
    pm.yield %y : f64
  }
  %r = pm.lookup %t at %a
  return %r : f64
}
func.func private @used(%a: f64) -> f64 {
  %r = arith.addf %a, %a : f64
  return %r : f64
}
func.func private @checked(%a: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c = arith.cmpf ogt, %a, %zero : f64
  pm.assert %c, "positive"
  return %a : f64
}
func.func @main(%a: f64) {
  %b = arith.addf %a, %a : f64
  %c = call @ode(%b) : (f64) -> f64
  %d = call @growth(%c) : (f64) -> f64
  %e = arith.mulf %d, %c : f64
  %f = call @checked(%a) : (f64) -> f64
  %u = call @used(%a) : (f64) -> f64
  %v = call @used(%a) : (f64) -> f64
  pm.print "{}"(%u, %v)
  return
}
