// RUN: pm-opt %s --pm-sharding | FileCheck %s

!F = !pm.field<[x=8, y=8], f32>
pm.mesh @ranks axes = ["row", "col"] extents = [1, 1]
pm.layout "x" -> ["row"]
pm.layout "y" -> ["col"]
pm.layout "c" -> ["col"]
func.func @main() {
  %seed = arith.constant 1 : i64
  %f = pm.white_noise %seed -> !F
  // Scalars: two sums travel together, a maximum alone.
  // CHECK: %[[S:.*]]:2 = pm.reduce sum [x=8 on(row), y=8 on(col)] ins(%[[F:.*]] :
  // CHECK: } scalars !pm.partial<f64, sum over [col, row]>, !pm.partial<f64, sum over [col, row]>
  // CHECK: %[[M:.*]] = pm.reduce max
  // CHECK: } scalars !pm.partial<f64, max over [col, row]>
  // CHECK: %[[MAX:.*]] = pm.all_reduce max over ["row", "col"](%[[M]]) {bytes = #cost.expr<"8">} : f64
  // CHECK: %[[V:.*]]:3 = pm.reduce sum
  // CHECK: %[[SUM:.*]]:5 = pm.all_reduce sum over ["row", "col"](%[[S]]#0, %[[S]]#1, %[[V]]#0, %[[V]]#1, %[[V]]#2) {bytes = #cost.expr<"40">} : f64, f64, f64, f64, f64
  // CHECK: pm.print "{} {} {} {}"(%[[SUM]]#0, %[[SUM]]#1, %[[MAX]], %[[SUM]]#3)
  %s:2 = pm.reduce sum [x=8, y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    %q = arith.mulf %e, %e : f32
    pm.yield %e, %q : f32, f32
  } scalars f64, f64
  %m = pm.reduce max [x=8, y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } scalars f64
  %v:3 = pm.reduce sum [x=8, y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    %q = arith.addf %e, %e : f32
    pm.yield %e, %q, %q : f32, f32, f32
  } scalars f64, f64, f64
  pm.print "{} {} {} {}"(%s#0, %s#1, %m, %v#1)
  // Over a dim: a partial sum over its axis.
  // CHECK: %[[P:.*]] = pm.reduce sum [x=8 on(row), y=8 on(col)] ins(%[[F]] :
  // CHECK: } -> !pm.partial<!pm.field<[y=8 on(col)], f64>, sum over [row]>
  // CHECK: %[[ROW:.*]] = pm.reduce_fields sum over ["row"](%[[P]]) {bytes = #cost.expr<"8*(8/col+(8/col)/row*(row-2))">}
  // CHECK: pm.output "row"(%[[ROW]] : !pm.field<[y=8 on(col)], f64>)
  %row = pm.reduce sum [x=8, y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !pm.field<[y=8], f64>
  pm.output "row"(%row : !pm.field<[y=8], f64>)
  // Fields of maxima in the same way, but not in the same message.
  // CHECK: %[[L:.*]] = pm.reduce max [x=8 on(row), y=8 on(col)] ins(%[[F]] :
  // CHECK: %[[TOP:.*]] = pm.reduce_fields max over ["row"](%[[L]]) {bytes = #cost.expr<"8*(8/col+(8/col)/row*(row-2))">} : !pm.field<[y=8 on(col)], f64> -> !pm.field<[y=8 on(col)], f64>
  // CHECK: pm.output "top"(%[[TOP]] :
  %top = pm.reduce max [x=8, y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !pm.field<[y=8], f64>
  pm.output "top"(%top : !pm.field<[y=8], f64>)
  // Bins that are split, too: everybody sums its own. Both travel together.
  // CHECK: %[[B:.*]]:2 = pm.bins [x=8 on(row), y=8 on(col)] ins(
  // CHECK: } -> !pm.partial<!pm.field<[c=4], f64>, sum over [col, row]>, !pm.partial<!pm.field<[c=4], f64>, sum over [col, row]>
  // CHECK: pm.reduce_fields sum over ["row", "col"](%[[B]]#0, %[[B]]#1) {bytes = #cost.expr<"16*(4*row-4/col)">} : !pm.field<[c=4], f64>, !pm.field<[c=4], f64> -> !pm.field<[c=4 on(col)], f64>, !pm.field<[c=4 on(col)], f64>
  %b:2 = pm.bins [x=8, y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    %bin = arith.fptosi %e : f32 to i64
    pm.yield %bin, %e, %e : i64, f32, f32
  } -> !pm.field<[c=4], f64>, !pm.field<[c=4], f64>
  pm.output "b"(%b#0, %b#1 : !pm.field<[c=4], f64>, !pm.field<[c=4], f64>)
  // CHECK: %[[D:.*]] = pm.bins
  // CHECK: pm.reduce_fields sum over ["row", "col"](%[[D]]) {bytes = #cost.expr<"8*(4/row/col*(row*col-2)+4)">} : !pm.field<[d=4], f64> -> !pm.field<[d=4], f64>
  %d = pm.bins [x=8, y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    %bin = arith.fptosi %e : f32 to i64
    pm.yield %bin, %e : i64, f32
  } -> !pm.field<[d=4], f64>
  pm.output "d"(%d : !pm.field<[d=4], f64>)
  return
}
