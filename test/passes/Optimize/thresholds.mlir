// Thresholds are options: what is recognized, computed again or sent together changes with them.
// RUN: pm-opt %s --pm-contract | FileCheck %s --check-prefix=CALL
// RUN: pm-opt %s --pm-contract=fewest-products=4096 | FileCheck %s --check-prefix=LOOP
// RUN: pm-opt %s --pm-fuse | FileCheck %s --check-prefix=AGAIN
// RUN: pm-opt %s --pm-fuse=cheap-operations=0 | FileCheck %s --check-prefix=ONCE
// RUN: pm-opt %s --pm-batch-collectives | FileCheck %s --check-prefix=TOGETHER
// RUN: pm-opt %s --pm-batch-collectives=small-bytes=64 | FileCheck %s --check-prefix=APART

!A = !pm.field<[i=16, k=8], f32>
!B = !pm.field<[k=8, j=16], f32>
!P = !pm.field<[i=16, k=8, j=16], f32>
!C = !pm.field<[i=16, j=16], f32>
pm.mesh @ranks axes = ["data"] extents = [2]

// CALL-LABEL: @product
// CALL: pm.contract
// LOOP-LABEL: @product
// LOOP-NOT: pm.contract
// LOOP: pm.reduce sum
func.func @product(%a: !A, %b: !B) -> !C {
  %p = pm.map [i=16, k=8, j=16] ins(%a, %b : !A, !B) {
  ^bb0(%x: f32, %y: f32):
    %q = arith.mulf %x, %y : f32
    pm.yield %q : f32
  } -> !P
  %c = pm.reduce sum [i=16, k=8, j=16] ins(%p : !P) {
  ^bb0(%x: f32):
    pm.yield %x : f32
  } -> !C
  return %c : !C
}

// AGAIN-LABEL: @square
// AGAIN-NOT: pm.map
// AGAIN: return
// ONCE-LABEL: @square
// ONCE: pm.map
// ONCE: return
func.func @square(%a: !A) -> (f64, f64) {
  %p = pm.map [i=16, k=8] ins(%a : !A) {
  ^bb0(%x: f32):
    %q = arith.mulf %x, %x : f32
    pm.yield %q : f32
  } -> !A
  %s = pm.reduce sum [i=16, k=8] ins(%p : !A) {
  ^bb0(%x: f32):
    pm.yield %x : f32
  } scalars f64
  %m = pm.reduce max [i=16, k=8] ins(%p : !A) {
  ^bb0(%x: f32):
    pm.yield %x : f32
  } scalars f64
  return %s, %m : f64, f64
}

// TOGETHER-LABEL: @sums
// TOGETHER: pm.reduce_fields sum over ["data"](%{{.*}}, %{{.*}})
// APART-LABEL: @sums
// APART-COUNT-2: pm.reduce_fields sum over ["data"](%{{[a-z0-9]*}})
func.func @sums(%a: !pm.partial<!A, sum over [data]>, %b: !pm.partial<!A, sum over [data]>) -> (!A, !A) {
  %s = pm.reduce_fields sum over ["data"](%a) : !A -> !A
  %t = pm.reduce_fields sum over ["data"](%b) : !A -> !A
  return %s, %t : !A, !A
}
