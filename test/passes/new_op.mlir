// RUN: pm-test-opt %s --pm-lower-to-buffers | FileCheck %s

// An op of another dialect takes part in every pass by its interfaces alone: the
// map before it is computed in its body, its sine becomes a table, and it writes
// over the field that ends in it.

!F = !pm.field<[x=8, y=8], f64>

// CHECK: %[[T:.*]] = pm.alloc 1 : !pm.buffer<[x=8], f64>
// CHECK: pm.white_noise %{{.*}} outs(%[[F:[0-9]+]] :
// CHECK: pm.map [x=8] outs(%[[T]] :
// CHECK: math.sin
// CHECK: pmtest.linear [x=8, y=8] ins(%[[F]], %[[T]] : {{.*}}) outs(%[[F]] :
// CHECK-NEXT: ^bb0(%[[E:.*]]: f64, %[[S:.*]]: f64):
// CHECK-NEXT: %[[A:.*]] = arith.addf %[[E]], %[[E]]
// CHECK-NEXT: arith.mulf %[[A]], %[[S]]
// CHECK: pm.output "r"(%[[F]] :
func.func @main() {
  %seed = arith.constant 1 : i64
  %f = pm.white_noise %seed -> !F
  %g = pm.map [x=8, y=8] ins(%f : !F) {
  ^bb0(%e: f64):
    %t = arith.addf %e, %e : f64
    pm.yield %t : f64
  } -> !F
  %r = pmtest.linear [x=8, y=8] ins(%g : !F) {
  ^bb0(%e: f64):
    %x = pm.coordinate "x"
    %s = math.sin %x : f64
    %t = arith.mulf %e, %s : f64
    pm.yield %t : f64
  } -> !F
  pm.output "r"(%r : !F)
  return
}
