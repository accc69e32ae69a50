// RUN: pm-opt %s --pm-sharding | FileCheck %s
// RUN: pm-opt %s --pm-sharding=overlap=false | FileCheck %s --check-prefix=TOGETHER
// RUN: pm-opt %s --pm-sharding --pm-plan-memory --pm-verify-stage=stage=buffers | FileCheck %s --check-prefix=PLAN

// What was painted is reduced and read where it is.
// PLAN: %[[H:.*]] = pm.scatter cic {{.*}} outs(%[[M:.*]] : !pm.buffer<[x*2=16 on(row), y*2=16], f32>) attributes {pm.boxes = {{[0-9]+}} : i64} {
// PLAN: pm.halo_reduce %[[M]], %[[H]] outs(%[[M]] :
// PLAN: pm.halo_exchange start %[[M]]
// PLAN: pm.interpolate cic(%[[M]],
// PLAN: pm.halo_reduce %[[C:.*]], %{{.*}} outs(%[[C]] :
// PLAN: pm.reduce_fields sum over ["col"](%[[C]]) outs(%[[C]] :
// PLAN-NOT: pm.copy

// TOGETHER-NOT: start
// TOGETHER: pm.halo_exchange %{{.*}}, %{{.*}} bound
// TOGETHER-NOT: pm.halo_wait

!F = !pm.field<[x=8, y=8], f32>
!M = !pm.field<[x*2=16, y*2=16], f32>
!P = !pm.field<[p=8], f32>
!Q = !pm.field<[q=8], f32>
pm.mesh @ranks axes = ["row", "col"] extents = [1, 1]
pm.layout "x" -> ["row"]
pm.layout "p" -> ["row", "col"]
func.func @main() {
  %seed = arith.constant 1 : i64
  %one = arith.constant 2 : i64
  %two = arith.constant 3 : i64
  %u = pm.white_noise %seed -> !F
  %v = pm.white_noise %one -> !F
  %w = pm.white_noise %two -> !F
  %scale = arith.constant 2.0 : f32
  // The displacement bound is measured once for the paint and the readout of the same
  // positions, though their bodies differ.
  // CHECK: %[[R:.*]] = pm.displacement_bound cic [x=8 on(row), y=8] of [x*2=16 on(row), y*2=16] ins(%[[U:.*]], %[[V:.*]] : {{.*}}) attributes {bytes = #cost.expr<"40">} {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
  // CHECK-NEXT:   %[[P:.*]] = arith.mulf %[[A]],
  // CHECK-NEXT:   %[[Q:.*]] = arith.mulf %[[B]],
  // CHECK-NEXT:   pm.yield %[[P]], %[[Q]] : f32, f32
  // CHECK: %[[PART:.*]], %[[HALO:.*]] = pm.scatter cic [x=8 on(row), y=8] bound(%[[R]]) ins(
  // CHECK: %[[M:.*]] = pm.halo_reduce %[[PART]], %[[HALO]] {bytes = #cost.expr<"4*(16*view(2*8/row, lo_x, hi_x)-32*8/row)">}
  %m = pm.scatter cic [x=8, y=8] ins(%w, %u, %v : !F, !F, !F) {
  ^bb0(%weight: f32, %a: f32, %b: f32):
    %p = arith.mulf %a, %scale : f32
    %q = arith.mulf %b, %scale : f32
    pm.yield %p, %q, %weight : f32, f32, f32
  } -> !M
  // The first mesh leaves while the second one is made.
  // CHECK: %[[START:.*]] = pm.halo_exchange start %[[M]] bound %[[R]] {bytes = #cost.expr<"4*(16*seen(2*8/row, lo_x, hi_x)-32*8/row)">}
  // CHECK: %[[N:.*]] = pm.map [x*2=16 on(row), y*2=16] ins(%[[M]] :
  %n = pm.map [x*2=16, y*2=16] ins(%m : !M) {
  ^bb0(%e: f32):
    %r = arith.addf %e, %e : f32
    pm.yield %r : f32
  } -> !M
  // CHECK-NOT: pm.displacement_bound
  // CHECK: %[[HN:.*]] = pm.halo_exchange %[[N]] bound %[[R]]
  // CHECK: %[[HM:.*]] = pm.halo_wait %[[START]]
  // CHECK: pm.map [x=8 on(row), y=8]
  // CHECK: pm.interpolate cic(%[[M]], %[[N]] : {{.*}}) halos(%[[HM]], %[[HN]] : {{.*}}) at(
  // CHECK: pm.halo_close %[[HN]], %[[HM]]
  %g:2 = pm.map [x=8, y=8] ins(%u, %v, %w : !F, !F, !F) {
  ^bb0(%a: f32, %b: f32, %weight: f32):
    %p = arith.mulf %a, %scale : f32
    %q = arith.mulf %b, %scale : f32
    %i:2 = pm.interpolate cic (%m, %n : !M, !M) at (%p, %q : f32, f32) -> f32, f32
    %r = arith.mulf %i#0, %weight : f32
    pm.yield %r, %i#1 : f32, f32
  } -> !F, !F
  pm.output "g"(%g#0, %g#1 : !F, !F)
  // Free particles over more axes than the mesh: the rest is a sum.
  // CHECK: %[[RC:.*]] = pm.displacement_bound ngp [p=8 on(row,col)] of [x=8 on(row), y=8] free ins(
  // CHECK: pm.scatter ngp [p=8 on(row,col)] free bound(%[[RC]])
  // CHECK: %[[C:.*]] = pm.halo_reduce
  // CHECK: pm.reduce_fields sum over ["col"](%[[C]])
  %x = pm.white_noise %seed -> !P
  %c = pm.scatter ngp [p=8] free ins(%x : !P) {
  ^bb0(%a: f32):
    pm.yield %a, %a, %a : f32, f32, f32
  } -> !F
  pm.output "c"(%c : !F)
  // Free particles that every rank has: each paints its share, of which it takes
  // a slice.
  // CHECK: %[[Y:.*]] = pm.reshard %{{.*}} {bytes = #cost.expr<"0">} : !pm.field<[q=8], f32> -> !pm.field<[q=8 on(row)], f32>
  // CHECK: pm.scatter ngp [q=8 on(row)] free bound(%{{.*}}) ins(%[[Y]] :
  // CHECK: %[[D:.*]] = pm.halo_reduce
  // CHECK: pm.output "d"(%[[D]] :
  %y = pm.white_noise %seed -> !Q
  %d = pm.scatter ngp [q=8] free ins(%y : !Q) {
  ^bb0(%a: f32):
    pm.yield %a, %a, %a : f32, f32, f32
  } -> !F
  pm.output "d"(%d : !F)
  return
}
