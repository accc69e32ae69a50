// RUN: pm-opt %s --pm-inline --mlir-print-debuginfo --mlir-use-nameloc-as-prefix | FileCheck %s

// Functions on fields go into main, with the places of both lines; scalar ones
// stay unless a body calls them; what nothing calls goes.

!F = !pm.field<[x=8], f64>

// CHECK-NOT: @twice
// CHECK-NOT: @onField
// CHECK-NOT: @unused
// CHECK: func.func private @scalar
// CHECK-NOT: @inBody

// CHECK-LABEL: func.func @main
// CHECK: call @scalar
// CHECK: pm.map
// CHECK-NEXT: ^bb0(%[[E:.*]]: f64
// CHECK-NEXT: %[[S:.*]] = arith.mulf %[[E]], %[[E]] : f64 loc(#[[CALL:loc[0-9]+]])
// CHECK-NEXT: %[[T:.*]] = arith.addf %[[S]], %[[S]] : f64
// CHECK-NEXT: pm.yield %[[T]]
// CHECK: loc(callsite(#{{.*}} at #{{.*}}))
func.func private @scalar(%a: f64) -> f64 {
  %r = arith.addf %a, %a : f64
  return %r : f64
}
func.func private @inBody(%a: f64) -> f64 {
  %r = arith.mulf %a, %a : f64
  %s = func.call @inBodyToo(%r) : (f64) -> f64
  return %s : f64
}
func.func private @inBodyToo(%a: f64) -> f64 {
  %r = arith.addf %a, %a : f64
  return %r : f64
}
func.func private @onField(%f: !F) -> !F {
  %r = pm.map [x=8] ins(%f : !F) {
  ^bb0(%e: f64):
    %s = func.call @inBody(%e) : (f64) -> f64
    pm.yield %s : f64
  } -> !F
  return %r : !F
}
func.func private @unused(%a: f64) -> f64 {
  return %a : f64
}
func.func @main() {
  %seed = arith.constant 1 : i64
  %one = arith.constant 1.0 : f64
  %two = call @scalar(%one) : (f64) -> f64
  pm.print "{}"(%two)
  %f = pm.white_noise %seed -> !F
  %g = call @onField(%f) : (!F) -> !F
  pm.output "g"(%g : !F)
  return
}
