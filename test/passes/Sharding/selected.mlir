// RUN: pm-opt %s --pm-expand-all --pm-fuse --canonicalize --cse --pm-sharding=overlap=false | FileCheck %s

// The displacement bound is that of the particles that are painted or read, also where
// positions are computed in a branch.

!F = !pm.field<[x=8, y=8], f32>
!B = !pm.field<[x=8, y=8], i1>
pm.mesh @ranks axes = ["row"] extents = [1]
pm.layout "x" -> ["row"]
pm.dim "x" = 8 length {
  %l = arith.constant 8.0 : f64
  pm.yield %l : f64
}
pm.dim "y" = 8 length {
  %l = arith.constant 8.0 : f64
  pm.yield %l : f64
}

// CHECK-LABEL: func.func @main(
func.func @main(%u: !F, %w: !B) -> !F {
  // CHECK: pm.displacement_bound cic [x=8 on(row), y=8] of [x=8 on(row), y=8] free
  // CHECK: pm.yield %{{.*}}, %{{.*}}, %{{.*}} : f32, f32, i1
  // CHECK: pm.scatter cic [x=8 on(row), y=8] free
  // CHECK: pm.yield %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : f32, f32, f32, i1
  %m = pm.paint cic free %u, %u where %w : !B : !F, !F -> !F
  // CHECK: pm.displacement_bound tsc [x=8 on(row), y=8] of [x=8 on(row), y=8] free
  // CHECK-NEXT: ^bb0(%[[P:.*]]: f32, %[[C:.*]]: i1):
  // CHECK-NOT: scf.if
  // CHECK: pm.yield %[[P]], %[[P]], %[[C]] : f32, f32, i1
  %r = pm.readout tsc free %m at %u, %u where %w : !B : !F at !F, !F -> !F
  return %r : !F
}
