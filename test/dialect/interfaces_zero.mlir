// Null tangents are zero: what does not depend on the arguments has none.
// RUN: not pm-test-opt %s --test-pm-tangent 2>&1 | FileCheck %s

!f = !pm.field<[x=8], f64>

// CHECK: [[#@LINE+1]]:1: error: a result does not depend on the arguments
func.func @constant(%a: !f) -> !f {
  %b = pmtest.linear [x=8] {
    %zero = arith.constant 0.0 : f64
    pm.yield %zero : f64
  } -> !f
  return %b : !f
}
