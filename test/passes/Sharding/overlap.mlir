// RUN: pm-opt %s --pm-sharding | FileCheck %s
// RUN: pm-opt %s --pm-sharding --pm-plan-memory --pm-verify-stage=stage=buffers | FileCheck %s --check-prefix=PLAN

!F = !pm.field<[x=8, y=8], f32>
pm.mesh @ranks axes = ["row"] extents = [1]
pm.layout "x" -> ["row"]

// The gathered maxima arrive while the map runs; they are waited for where they are
// read. In memory they stay where they arrived.
// CHECK: %[[W:.*]] = pm.reshard %[[F:.*]] {bytes
// CHECK: %[[L:.*]] = pm.reduce max [x=8, y=8 on(row)] ins(%[[W]] :
// CHECK: %[[A:.*]], %[[P:.*]] = pm.reshard_start %[[L]] {bytes = "8*8*(row-1)/(row)"}
// CHECK: pm.map [x=8 on(row), y=8] ins(%[[F]] :
// CHECK: pm.output "g"
// CHECK: %[[T:.*]] = pm.reshard_wait %[[L]], %[[A]], %[[P]]
// CHECK: pm.output "top"(%[[T]] :

// PLAN: pm.reduce max {{.*}} outs(%[[L:.*]] : !pm.buffer<[y=8 on(row)], f64>)
// PLAN: %[[P:.*]] = pm.reshard_start %[[L]] outs(%[[A:.*]] : !pm.buffer<[y=8], f64>)
// PLAN: pm.reshard_wait %[[L]], %[[A]], %[[P]] outs(%[[A]] :
// PLAN: pm.output "top"(%[[A]] :
func.func @main() {
  %seed = arith.constant 1 : i64
  %f = pm.white_noise %seed -> !F
  %top = pm.reduce max [x=8, y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !pm.field<[y=8], f64>
  %g = pm.map [x=8, y=8] ins(%f : !F) {
  ^bb0(%e: f32):
    %s = arith.addf %e, %e : f32
    pm.yield %s : f32
  } -> !F
  pm.output "g"(%g : !F)
  pm.output "top"(%top : !pm.field<[y=8], f64>)
  return
}
