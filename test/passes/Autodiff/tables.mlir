// RUN: pm-opt %s --pm-autodiff | FileCheck %s

!F = !pm.field<[x=8], f64>

// A table's derivative by a number is a table over the same x; who reads the
// table adds to the cotangent of the number.
// CHECK-LABEL: func private @look.vjp(
// CHECK-SAME: %[[F:.*]]: !pm.field<[x=8], f64>, %[[S:.*]]: f64, %[[RB:.*]]: !pm.field<[x=8], f64>)
// CHECK: %[[T:.*]] = pm.tabulate
// CHECK: %[[DT:.*]] = pm.tabulate
// CHECK: math.exp
// CHECK: pm.map [x=8] ins(%[[F]], %[[RB]]
// CHECK: pm.lookup slope %[[T]]
// CHECK: %[[SB:.*]] = pm.reduce sum [x=8] ins(%[[F]], %[[RB]]
// CHECK: pm.lookup %[[DT]]
// CHECK: return %{{.*}}, %{{.*}}, %[[SB]]

// A table of a table has one, too.
// CHECK-LABEL: func private @scaled.jvp(
// CHECK-SAME: %[[S:.*]]: f64, %[[DS:.*]]: f64)
// CHECK: %[[T:.*]] = pm.tabulate
// CHECK: %[[DT:.*]] = pm.tabulate
// CHECK: pm.transform %[[T]] {
// CHECK-NEXT: ^bb0(%[[X:.*]]: f64, %[[Y:.*]]: f64):
// CHECK: pm.lookup %[[DT]] at %[[X]]
// CHECK: pm.yield %[[X]]
func.func private @table(%s: f64) -> !pm.table {
  %from = arith.constant 0.0 : f64
  %to = arith.constant 1.0 : f64
  %n = arith.constant 16 : i64
  %t = pm.tabulate %from to %to points %n {
  ^bb0(%x: f64):
    %p = arith.mulf %x, %s : f64
    %e = math.exp %p : f64
    pm.yield %e : f64
  }
  return %t : !pm.table
}
func.func private @look(%f: !F, %s: f64) -> !F {
  %t = call @table(%s) : (f64) -> !pm.table
  %r = pm.map [x=8] ins(%f : !F) {
  ^bb0(%e: f64):
    %y = pm.lookup %t at %e
    pm.yield %y : f64
  } -> !F
  return %r : !F
}
func.func private @scaled(%s: f64) -> f64 {
  %from = arith.constant 0.0 : f64
  %to = arith.constant 1.0 : f64
  %n = arith.constant 16 : i64
  %t = pm.tabulate %from to %to points %n {
  ^bb0(%x: f64):
    %p = arith.mulf %x, %s : f64
    pm.yield %p : f64
  }
  %u = pm.transform %t {
  ^bb0(%x: f64, %y: f64):
    %z = arith.mulf %y, %y : f64
    pm.yield %x, %z : f64, f64
  }
  %y = pm.lookup %u at %to
  return %y : f64
}
func.func @main(%f: !F, %s: f64) -> (!F, f64, f64) {
  %v:3 = pm.vjp @look(%f, %s) wrt [0, 1] of [0] (%f) schedule keep : (!F, f64), (!F) -> (!F, !F, f64)
  %j:2 = pm.jvp @scaled(%s) wrt [0] along (%s) : (f64), (f64) -> (f64, f64)
  return %v#1, %v#2, %j#1 : !F, f64, f64
}
