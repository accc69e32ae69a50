// RUN: pm-opt %s --pm-autodiff --split-input-file | FileCheck %s

// Each op multiplies by its partial derivatives, forwards and backwards. What
// does not depend on the argument of the derivative has no derivative.

// CHECK-LABEL: func private @f.vjp(
// CHECK-SAME: %[[X:.*]]: f64, %[[Y:.*]]: f64, %[[RB:.*]]: f64) -> (f64, f64, f64)
// CHECK-DAG: %[[S:.*]] = math.sin %[[X]]
// CHECK-DAG: %[[E:.*]] = math.exp %[[Y]]
// CHECK-DAG: %[[R:.*]] = arith.mulf %[[S]], %[[E]]
// CHECK-DAG: %[[SB:.*]] = arith.mulf %[[RB]], %[[E]]
// CHECK-DAG: %[[EB:.*]] = arith.mulf %[[RB]], %[[S]]
// CHECK-DAG: %[[YB:.*]] = arith.mulf %[[EB]], %[[E]]
// CHECK-DAG: %[[C:.*]] = math.cos %[[X]]
// CHECK-DAG: %[[XB:.*]] = arith.mulf %[[SB]], %[[C]]
// CHECK: return %[[R]], %[[XB]], %[[YB]]
// CHECK-LABEL: func private @f.jvp(
// CHECK-SAME: %[[X:.*]]: f64, %[[Y:.*]]: f64, %[[DX:.*]]: f64) -> (f64, f64)
// CHECK: %[[S:.*]] = math.sin %[[X]]
// CHECK: %[[C:.*]] = math.cos %[[X]]
// CHECK: %[[DS:.*]] = arith.mulf %[[DX]], %[[C]]
// CHECK: %[[E:.*]] = math.exp %[[Y]]
// CHECK: %[[R:.*]] = arith.mulf %[[S]], %[[E]]
// CHECK: %[[DR:.*]] = arith.mulf %[[DS]], %[[E]]
// CHECK-NEXT: return %[[R]], %[[DR]]
// CHECK-LABEL: func @main
// CHECK: call @f.jvp
// CHECK: call @f.vjp
// The second derivative of one kind is the same function.
// CHECK: call @f.vjp
// CHECK-NOT: pm.jvp
// CHECK-NOT: pm.vjp
func.func private @f(%x: f64, %y: f64) -> f64 {
  %s = math.sin %x : f64
  %e = math.exp %y : f64
  %r = arith.mulf %s, %e : f64
  return %r : f64
}
func.func @main(%x: f64, %y: f64) -> (f64, f64, f64) {
  %j:2 = pm.jvp @f(%x, %y) wrt [0] along (%y) : (f64, f64), (f64) -> (f64, f64)
  %v:3 = pm.vjp @f(%x, %y) wrt [0, 1] of [0] (%x) schedule keep : (f64, f64), (f64) -> (f64, f64, f64)
  %w:3 = pm.vjp @f(%y, %x) wrt [0, 1] of [0] (%x) schedule keep : (f64, f64), (f64) -> (f64, f64, f64)
  return %j#1, %v#1, %w#2 : f64, f64, f64
}

// -----

// Zero times an infinite derivative is zero, so that a choice hides what it does
// not take.
// CHECK-LABEL: func private @root.vjp(
// CHECK-SAME: %[[X:.*]]: f64, %[[C:.*]]: i1, %[[RB:.*]]: f64)
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: %[[S:.*]] = math.sqrt %[[X]]
// CHECK: %[[SB:.*]] = arith.select %[[C]], %[[RB]], %[[ZERO]]
// CHECK: %[[TWICE:.*]] = arith.addf %[[S]], %[[S]]
// CHECK: %[[Q:.*]] = arith.divf %[[SB]], %[[TWICE]]
// CHECK: %[[IS:.*]] = arith.cmpf oeq, %[[SB]], %[[ZERO]]
// CHECK: arith.select %[[IS]], %[[ZERO]], %[[Q]]
func.func private @root(%x: f64, %c: i1) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = math.sqrt %x : f64
  %r = arith.select %c, %s, %zero : f64
  return %r : f64
}
func.func @main(%x: f64, %c: i1) -> f64 {
  %v:2 = pm.vjp @root(%x, %c) wrt [0] of [0] (%x) schedule keep : (f64, i1), (f64) -> (f64, f64)
  return %v#1 : f64
}

// -----

// A complex number is two real ones; a part that is zero adds nothing.
// CHECK-LABEL: func private @square.vjp(
// CHECK-SAME: %[[Z:.*]]: complex<f64>, %[[RB:.*]]: f64)
// CHECK-DAG: %[[RE:.*]] = complex.re %[[Z]]
// CHECK-DAG: %[[IM:.*]] = complex.im %[[Z]]
// CHECK-DAG: %[[A:.*]] = arith.mulf %[[RB]], %[[RE]]
// CHECK-DAG: %[[REB:.*]] = arith.addf %[[A]], %[[A]]
// CHECK-DAG: %[[B:.*]] = arith.mulf %[[RB]], %[[IM]]
// CHECK-DAG: %[[IMB:.*]] = arith.addf %[[B]], %[[B]]
// CHECK: %[[ZB:.*]] = complex.create %[[REB]], %[[IMB]]
// CHECK: return %{{.*}}, %[[ZB]]
func.func private @square(%z: complex<f64>) -> f64 {
  %re = complex.re %z : complex<f64>
  %im = complex.im %z : complex<f64>
  %a = arith.mulf %re, %re : f64
  %b = arith.mulf %im, %im : f64
  %r = arith.addf %a, %b : f64
  return %r : f64
}
func.func @main(%z: complex<f64>, %one: f64) -> complex<f64> {
  %v:2 = pm.vjp @square(%z) wrt [0] of [0] (%one) schedule keep : (complex<f64>), (f64) -> (f64, complex<f64>)
  return %v#1 : complex<f64>
}

// -----

// Of two equal numbers the first one counts.
// CHECK-LABEL: func private @larger.vjp(
// CHECK-SAME: %[[X:.*]]: f64, %[[Y:.*]]: f64, %[[RB:.*]]: f64)
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: %[[IS:.*]] = arith.cmpf oge, %[[X]], %[[Y]]
// CHECK: %[[XB:.*]] = arith.select %[[IS]], %[[RB]], %[[ZERO]]
// CHECK: %[[YB:.*]] = arith.select %[[IS]], %[[ZERO]], %[[RB]]
// CHECK: return %{{.*}}, %[[XB]], %[[YB]]
func.func private @larger(%x: f64, %y: f64) -> f64 {
  %r = arith.maximumf %x, %y : f64
  return %r : f64
}
func.func @main(%x: f64, %y: f64) -> (f64, f64) {
  %v:3 = pm.vjp @larger(%x, %y) wrt [0, 1] of [0] (%x) schedule keep : (f64, f64), (f64) -> (f64, f64, f64)
  return %v#1, %v#2 : f64, f64
}

// -----

// Steps have the derivative zero, and so has an integer.
// CHECK-LABEL: func private @steps.vjp(
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: return %{{.*}}, %[[ZERO]]
func.func private @steps(%x: f64) -> f64 {
  %f = math.floor %x : f64
  %i = arith.fptosi %x : f64 to i64
  %g = arith.sitofp %i : i64 to f64
  %r = arith.addf %f, %g : f64
  return %r : f64
}
func.func @main(%x: f64) -> f64 {
  %v:2 = pm.vjp @steps(%x) wrt [0] of [0] (%x) schedule keep : (f64), (f64) -> (f64, f64)
  return %v#1 : f64
}

// -----

// A remainder grows with the dividend, and falls by the whole quotient where the divisor grows: (r - x)/y.
// CHECK-LABEL: func private @rest.vjp(
// CHECK-SAME: %[[X:.*]]: f64, %[[Y:.*]]: f64, %[[RB:.*]]: f64)
// CHECK: %[[R:.*]] = arith.remf %[[X]], %[[Y]]
// CHECK: %[[LESS:.*]] = arith.subf %[[R]], %[[X]]
// CHECK: %[[Q:.*]] = arith.divf %[[LESS]], %[[Y]]
// CHECK: %[[YB:.*]] = arith.mulf %[[RB]], %[[Q]]
// CHECK: return %[[R]], %[[RB]],
func.func private @rest(%x: f64, %y: f64) -> f64 {
  %r = arith.remf %x, %y : f64
  return %r : f64
}
func.func @main(%x: f64, %y: f64) -> (f64, f64) {
  %v:3 = pm.vjp @rest(%x, %y) wrt [0, 1] of [0] (%x) schedule keep : (f64, f64), (f64) -> (f64, f64, f64)
  return %v#1, %v#2 : f64, f64
}
