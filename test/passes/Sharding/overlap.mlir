// RUN: pm-opt %s --pm-overlap --pm-note-bytes | FileCheck %s
// RUN: pm-opt %s --pm-overlap --pm-plan-memory --pm-verify-stage=stage=buffers | FileCheck %s --check-prefix=PLAN

!F = !pm.field<[x=8 on(row), y=8], f32>
!Y = !pm.field<[y=8], f64>
!S = !pm.field<[y=8 on(row)], f64>
pm.mesh @ranks axes = ["row"] extents = [1]
pm.layout "x" -> ["row"]

// What is gathered arrives while the map runs, and is waited for where it is read. In memory it stays where it arrived.
// CHECK: %[[F:.*]] = pm.white_noise %{{.*}} -> !pm.field<[x=8 on(row), y=8], f32>
// CHECK: %[[L:.*]] = pm.white_noise %{{.*}} -> !pm.field<[y=8 on(row)], f64>
// CHECK: %[[A:.*]], %[[P:.*]] = pm.reshard_start %[[L]] {bytes = #cost.expr<"8*(8/row*row-8/row)">} : !pm.field<[y=8 on(row)], f64> -> !pm.in_flight<!pm.field<[y=8], f64>> pending
// CHECK: pm.map [x=8 on(row), y=8] ins(%[[F]] :
// CHECK: pm.output "g"
// CHECK: %[[T:.*]] = pm.reshard_wait %[[L]], %[[A]], %[[P]]
// CHECK: pm.output "top"(%[[T]] :
// There is nothing to do meanwhile.
// CHECK: pm.reshard %[[T]] {bytes = #cost.expr<"0">}

// PLAN: pm.white_noise {{.*}} outs(%[[L:.*]] : !pm.buffer<[y=8 on(row)], f64>)
// PLAN: %[[P:.*]] = pm.reshard_start %[[L]] outs(%[[A:.*]] : !pm.buffer<[y=8], f64>)
// PLAN: pm.reshard_wait %[[L]], %[[A]], %[[P]] outs(%[[A]] :
// PLAN: pm.output "top"(%[[A]] :
func.func @main() {
  %seed = arith.constant 1 : i64
  %f = pm.white_noise %seed -> !F
  %l = pm.white_noise %seed -> !S
  %top = pm.reshard %l : !S -> !Y
  %g = pm.map [x=8 on(row), y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    %s = arith.addf %e, %e : f32
    pm.yield %s : f32
  } -> !F
  pm.output "g"(%g : !F)
  pm.output "top"(%top : !Y)
  %part = pm.reshard %top : !Y -> !S
  pm.output "part"(%part : !S)
  return
}
