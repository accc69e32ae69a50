// A dim that is summed over and split makes partial sums; the others are local.
// RUN: pm-opt %s --pm-sharding | FileCheck %s

!A = !pm.field<[i=16, k=8], f32>
!B = !pm.field<[k=8, j=16], f32>
!C = !pm.field<[i=16, j=16], f32>
pm.mesh @ranks axes = ["row", "col"] extents = [1, 1]
pm.layout "k" -> ["row"]
pm.layout "j" -> ["col"]
func.func @main() {
  %seed = arith.constant 1 : i64
  %a = pm.white_noise %seed -> !A
  %b = pm.white_noise %seed -> !B
  // CHECK: %[[C:.*]] = pm.contract %{{.*}}, %{{.*}} : !pm.field<[i=16, k=8 on(row)], f32>, !pm.field<[k=8 on(row), j=16 on(col)], f32> -> !pm.partial<!pm.field<[i=16, j=16 on(col)], f32>, sum over [row]>
  // CHECK: %[[SUM:.*]] = pm.reduce_fields sum over ["row"](%[[C]])
  // CHECK: pm.output "c"(%[[SUM]] :
  %c = pm.contract %a, %b : !A, !B -> !C
  pm.output "c"(%c : !C)
  // CHECK: %[[D:.*]] = pm.contract %{{.*}}, %{{.*}} : {{.*}} -> !pm.partial<!pm.field<[i=16, k=8 on(row)], f32>, sum over [col]>
  // CHECK: %[[E:.*]] = pm.reduce_fields sum over ["col"](%[[D]])
  // CHECK: pm.output "d"(%[[E]] :
  %d = pm.contract %c, %b : !C, !B -> !A
  pm.output "d"(%d : !A)
  return
}
