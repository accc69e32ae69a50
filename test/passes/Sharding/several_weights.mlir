// RUN: pm-opt %s --pm-sharding=overlap=false | FileCheck %s

// One displacement bound and one paint of several meshes, each with a halo of its own. A mesh
// that is read with several windows is exchanged once. Checkpoint stores hold parts.

!F = !pm.field<[x=8, y=8], f32>
pm.mesh @ranks axes = ["row"] extents = [1]
pm.layout "x" -> ["row"]

// CHECK-LABEL: func.func @main(
func.func @main() {
  %seed = arith.constant 1 : i64
  %u = pm.white_noise %seed -> !F
  %other = arith.constant 2 : i64
  %v = pm.white_noise %other -> !F
  // CHECK: %[[R:.*]] = pm.displacement_bound cic
  // CHECK: %[[P:.*]]:2, %[[H:.*]]:2 = pm.scatter cic [x=8 on(row), y=8] bound(%[[R]])
  // CHECK: } -> !pm.partial<!pm.field<[x=8 on(row), y=8], f32>, sum over [row]>, !pm.partial<!pm.field<[x=8 on(row), y=8], f32>, sum over [row]> halo !pm.partial<!pm.halo<[x=8 on(row), y=8], f32>, sum over [row]>, !pm.partial<!pm.halo<[x=8 on(row), y=8], f32>, sum over [row]>
  %m:2 = pm.scatter cic [x=8, y=8] ins(%u, %v : !F, !F) {
  ^bb0(%a: f32, %b: f32):
    pm.yield %a, %b, %a, %b : f32, f32, f32, f32
  } -> !F, !F
  // CHECK-DAG: %[[F:.*]] = pm.halo_reduce %[[P]]#0, %[[H]]#0
  // CHECK-DAG: %[[G:.*]] = pm.halo_reduce %[[P]]#1, %[[H]]#1
  // CHECK: %[[X:.*]]:2 = pm.halo_exchange %[[F]], %[[G]] bound %[[R]]
  // CHECK: pm.interpolate cic(%[[F]], %[[G]], %[[F]] : {{.*}}) halos(%[[X]]#0, %[[X]]#1, %[[X]]#0 : {{.*}}) {{.*}}orders
  %r = pm.map [x=8, y=8] ins(%u, %v : !F, !F) {
  ^bb0(%a: f32, %b: f32):
    %w:3 = pm.interpolate cic (%m#0, %m#1, %m#0 : !F, !F, !F) at (%a, %b : f32, f32) {orders = array<i64: 0, 0, 0, 0, 1, 0>} -> f32, f32, f32
    %s = arith.addf %w#0, %w#1 : f32
    %t = arith.addf %s, %w#2 : f32
    pm.yield %t : f32
  } -> !F
  // CHECK: %[[T:.*]] = pm.checkpoint_store %{{.*}} of [!pm.field<[x=8 on(row), y=8], f32>, f64]
  %store = pm.checkpoint_store %seed of [!F, f64]
  %one = arith.constant 1.0 : f64
  // CHECK: pm.save %[[T]] at %{{.*}}(%{{.*}}, %{{.*}} : !pm.field<[x=8 on(row), y=8], f32>, f64)
  pm.save %store at %seed (%r, %one : !F, f64)
  // CHECK: pm.restore %[[T]] at %{{.*}} -> !pm.field<[x=8 on(row), y=8], f32>, f64
  %g, %n = pm.restore %store at %seed -> !F, f64
  pm.output "g"(%g : !F)
  return
}
