// RUN: pm-opt %s --pm-expand-all --pm-optimize --pm-sharding=overlap=false | FileCheck %s
// RUN: pm-opt %s --pm-lower-to-buffers | FileCheck %s --check-prefix=BUFFERS

// One exchange a field and loop, as wide as all offsets along split dims, none for others; nothing is measured.
// BUFFERS-NOT: pm.displacement_bound

!f = !pm.field<[x=12, y=8, z=4], f32>
!line = !pm.field<[x=12], f32>
pm.mesh @ranks axes = ["row", "col"] extents = [1, 1]
pm.layout "x" -> ["row"]
pm.layout "y" -> ["col"]

// CHECK-NOT: pm.displacement_bound
func.func @main() {
  %seed = arith.constant 1 : i64
  // CHECK: %[[F:.*]] = pm.white_noise
  %f = pm.white_noise %seed -> !f

  // CHECK: %[[M:.*]] = pm.margin [x=12 on(row), y=8 on(col), z=4] below [2, 0, 0] above [1, 3, 0]
  // CHECK: %[[H:.*]] = pm.halo_exchange %[[F]] bound %[[M]] {bytes = #cost.expr<"4*(4*seen(12/row, 2, 1)*seen(8/col, 0, 3)-4*12/row*8/col)">}
  // CHECK: pm.map
  // CHECK-DAG: pm.neighbor %[[F]][1, 3, 0] halo(%[[H]] :
  // CHECK-DAG: pm.neighbor %[[F]][-2 clamp, 0, 0] halo(%[[H]] :
  // CHECK-DAG: pm.neighbor %[[F]][0, 0, 1] : !pm.field
  // CHECK: pm.halo_close %[[H]]
  %a = pm.shift %f[1, 3, 0] : !f
  %b = pm.shift %f[-2 clamp, 0, 0] : !f
  %c = pm.shift %f[0, 0, 1] : !f
  %sum = pm.map [x=12, y=8, z=4] ins(%a, %b, %c : !f, !f, !f) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.addf %p, %q : f32
    %t = arith.mulf %s, %r : f32
    pm.yield %t : f32
  } -> !f
  pm.output "sum" (%sum : !f)

  // A reflected cell lies on the other side.
  // CHECK: pm.margin {{.*}} below [0, 2, 0] above [0, 2, 0]
  %d = pm.shift %f[0, 2 reflect, 0] : !f
  pm.output "reflected" (%d : !f)

  // What a loop does not change is exchanged once, before it.
  // CHECK: pm.margin {{.*}} below [1, 0, 0] above [0, 0, 0]
  // CHECK: %[[ONCE:.*]] = pm.halo_exchange %[[F]]
  // CHECK: %[[LOOP:.*]] = scf.for
  // CHECK: %[[EACH:.*]] = pm.halo_exchange
  // CHECK-DAG: pm.neighbor %[[F]][-1, 0, 0] halo(%[[ONCE]] :
  // CHECK-DAG: pm.neighbor %{{.*}}[0, 1, 0] halo(%[[EACH]] :
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %five = arith.constant 5 : index
  %u = scf.for %i = %zero to %five step %one iter_args(%v = %f) -> (!f) {
    %before = pm.shift %f[-1, 0, 0] : !f
    %beside = pm.shift %v[0, 1, 0] : !f
    %next = pm.map [x=12, y=8, z=4] ins(%before, %beside : !f, !f) {
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      pm.yield %s : f32
    } -> !f
    scf.yield %next : !f
  }
  pm.output "loop" (%u : !f)

  // A field over fewer dims is split as the loop is.
  // CHECK: %[[LINE:.*]] = pm.white_noise {{.*}} -> !pm.field<[x=12 on(row)], f32>
  // CHECK: pm.margin [x=12 on(row)] below [0] above [1]
  // CHECK: pm.neighbor %[[LINE]][1 zero] halo(
  %line = pm.white_noise %seed -> !line
  %e = pm.shift %line[1 zero] : !line
  %g = pm.map [x=12, y=8, z=4] ins(%f, %e : !f, !line) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.mulf %p, %q : f32
    pm.yield %s : f32
  } -> !f
  pm.output "broadcast" (%g : !f)
  return
}
