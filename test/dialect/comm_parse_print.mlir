// RUN: pm-opt %s | pm-opt | FileCheck %s

!F = !pm.field<[x=8 on(row), y=8], f32>
!G = !pm.field<[x=8, y=8 on(row)], f32>
!W = !pm.field<[x=8, y=8], f32>
!H = !pm.halo<[x=8 on(row), y=8], f32>
!N = !pm.partial<f64, max over [row, col]>
!P = !pm.partial<!F, sum over [row]>
!PH = !pm.partial<!H, sum over [row]>
!BF = !pm.buffer<[x=8 on(row), y=8], f32>
!BG = !pm.buffer<[x=8, y=8 on(row)], f32>
!BW = !pm.buffer<[x=8, y=8], f32>

// CHECK-LABEL: func.func @fields
// CHECK-SAME: %{{.*}}: !pm.partial<!pm.field<[x=8, y=8], f32>, sum over [row]>, %{{.*}}: !pm.partial<!pm.field<[x=8, y=8], f32>, max over [row]>, %{{.*}}: !pm.partial<f64, max over [col, row]>
func.func @fields(%f: !F, %w: !pm.partial<!W, sum over [row]>, %x: !pm.partial<!W, max over [row]>, %a: !N, %b: !N) {
  // CHECK: %{{.*}}:2 = pm.all_reduce max over ["row", "col"](%{{.*}}, %{{.*}}) : f64, f64
  %s:2 = pm.all_reduce max over ["row", "col"] (%a, %b) : f64, f64
  // CHECK: pm.reshard %{{.*}} : !pm.field<[x=8 on(row), y=8], f32> -> !pm.field<[x=8, y=8 on(row)], f32>
  %g = pm.reshard %f : !F -> !G
  // CHECK: %[[A:.*]], %[[P:.*]] = pm.reshard_start %{{.*}} : !pm.field<[x=8 on(row), y=8], f32> -> !pm.in_flight<!pm.field<[x=8, y=8 on(row)], f32>> pending
  %arriving, %p = pm.reshard_start %f : !F -> !pm.in_flight<!G> pending
  // CHECK: pm.reshard_wait %{{.*}}, %[[A]], %[[P]] : !pm.field<[x=8 on(row), y=8], f32>, !pm.in_flight<!pm.field<[x=8, y=8 on(row)], f32>> -> !pm.field<[x=8, y=8 on(row)], f32>
  %h = pm.reshard_wait %f, %arriving, %p : !F, !pm.in_flight<!G> -> !G
  // CHECK: pm.reduce_fields sum over ["row"](%{{.*}}) : !pm.field<[x=8, y=8], f32> -> !pm.field<[x=8, y=8], f32>
  %t = pm.reduce_fields sum over ["row"](%w) : !W -> !W
  // CHECK: pm.reduce_fields sum over ["row"](%{{.*}}) : !pm.field<[x=8, y=8], f32> -> !pm.field<[x=8 on(row), y=8], f32>
  %u = pm.reduce_fields sum over ["row"](%w) : !W -> !F
  // CHECK: %{{.*}}:2 = pm.reduce_fields max over ["row"](%{{.*}}, %{{.*}}) : !pm.field<[x=8, y=8], f32>, !pm.field<[x=8, y=8], f32> -> !pm.field<[x=8, y=8], f32>, !pm.field<[x=8 on(row), y=8], f32>
  %v:2 = pm.reduce_fields max over ["row"](%x, %x) : !W, !W -> !W, !F
  // CHECK: %[[R:.*]]:2, %[[Q:.*]] = pm.reduce_fields_start max over ["row"](%[[X:.*]], %[[X]]) : !pm.field<[x=8, y=8], f32>, !pm.field<[x=8, y=8], f32> -> !pm.in_flight<!pm.field<[x=8, y=8], f32>>, !pm.in_flight<!pm.field<[x=8 on(row), y=8], f32>> pending
  %r:2, %q = pm.reduce_fields_start max over ["row"](%x, %x) : !W, !W -> !pm.in_flight<!W>, !pm.in_flight<!F> pending
  // CHECK: pm.reduce_fields_wait %[[Q]](%[[R]]#0, %[[R]]#1) of(%[[X]]) : !pm.in_flight<!pm.field<[x=8, y=8], f32>>, !pm.in_flight<!pm.field<[x=8 on(row), y=8], f32>> of !pm.partial<!pm.field<[x=8, y=8], f32>, max over [row]> -> !pm.field<[x=8, y=8], f32>, !pm.field<[x=8 on(row), y=8], f32>
  %m:2 = pm.reduce_fields_wait %q(%r#0, %r#1) of (%x) : !pm.in_flight<!W>, !pm.in_flight<!F> of !pm.partial<!W, max over [row]> -> !W, !F
  return
}

// CHECK-LABEL: func.func @halos
func.func @halos(%f: !F, %u: !F, %v: !F) -> (!F, !F) {
  // CHECK: %[[R:.*]] = pm.displacement_bound cic [x=8 on(row), y=8] of [x=8 on(row), y=8] ins(%{{.*}}, %{{.*}} : !pm.field<[x=8 on(row), y=8], f32>, !pm.field<[x=8 on(row), y=8], f32>) {
  %r = pm.displacement_bound cic [x=8 on(row), y=8] of [x=8 on(row), y=8] ins(%u, %v : !F, !F) {
  ^bb0(%p: f32, %q: f32):
    pm.yield %p, %q : f32, f32
  }
  // CHECK: pm.displacement_bound ngp [x=8 on(row), y=8] of [x=8 on(row)] free ins
  %free = pm.displacement_bound ngp [x=8 on(row), y=8] of [x=8 on(row)] free ins(%u : !F) {
  ^bb0(%p: f32):
    pm.yield %p : f32
  }
  // CHECK: %[[PART:.*]], %[[HALO:.*]] = pm.scatter cic [x=8 on(row), y=8] bound(%[[R]]) ins(
  // CHECK: } -> !pm.partial<!pm.field<[x=8 on(row), y=8], f32>, sum over [row]> halo !pm.partial<!pm.halo<[x=8 on(row), y=8], f32>, sum over [row]>
  %part, %halo = pm.scatter cic [x=8 on(row), y=8] bound(%r) ins(%u, %v : !F, !F) {
  ^bb0(%p: f32, %q: f32):
    pm.yield %p, %q, %q : f32, f32, f32
  } -> !P halo !PH
  // CHECK: pm.halo_reduce %[[PART]], %[[HALO]] : !pm.partial<!pm.field<[x=8 on(row), y=8], f32>, sum over [row]>, !pm.partial<!pm.halo<[x=8 on(row), y=8], f32>, sum over [row]> -> !pm.field<[x=8 on(row), y=8], f32>
  %mesh = pm.halo_reduce %part, %halo : !P, !PH -> !F
  // CHECK: %[[E:.*]] = pm.halo_exchange %{{.*}} bound %[[R]] : !pm.field<[x=8 on(row), y=8], f32> -> !pm.halo<[x=8 on(row), y=8], f32>
  %e = pm.halo_exchange %f bound %r : !F -> !H
  // CHECK: %[[S:.*]] = pm.halo_exchange start %{{.*}} bound {{.*}} -> !pm.in_flight<!pm.halo<[x=8 on(row), y=8], f32>>
  %s = pm.halo_exchange start %f bound %r : !F -> !pm.in_flight<!H>
  // CHECK: %[[T:.*]] = pm.halo_wait %[[S]] : !pm.in_flight<!pm.halo<[x=8 on(row), y=8], f32>>
  %t = pm.halo_wait %s : !pm.in_flight<!H>
  %g = pm.map [x=8 on(row), y=8] ins(%u, %v : !F, !F) {
  ^bb0(%p: f32, %q: f32):
    // CHECK: pm.interpolate cic(%{{.*}}, %{{.*}} : !pm.field<[x=8 on(row), y=8], f32>, !pm.field<[x=8 on(row), y=8], f32>) halos(%[[E]], %[[T]] : !pm.halo<[x=8 on(row), y=8], f32>, !pm.halo<[x=8 on(row), y=8], f32>) at(%{{.*}}, %{{.*}} : f32, f32) -> f32, f32
    %i:2 = pm.interpolate cic (%f, %f : !F, !F) halos(%e, %t : !H, !H) at (%p, %q : f32, f32) -> f32, f32
    pm.yield %i#0 : f32
  } -> !F
  // CHECK: pm.halo_close %[[E]], %[[T]] : !pm.halo<[x=8 on(row), y=8], f32>, !pm.halo<[x=8 on(row), y=8], f32>
  pm.halo_close %e, %t : !H, !H
  return %g, %mesh : !F, !F
}

// CHECK-LABEL: func.func @buffers
func.func @buffers(%f: !BF, %g: !BG, %w: !BW, %u: !BF) {
  // CHECK: pm.reshard %{{.*}} outs(%{{.*}} : !pm.buffer<[x=8, y=8 on(row)], f32>) : !pm.buffer<[x=8 on(row), y=8], f32>
  pm.reshard %f outs(%g : !BG) : !BF
  // CHECK: %[[P:.*]] = pm.reshard_start %{{.*}} outs(%{{.*}} : !pm.buffer<[x=8, y=8 on(row)], f32>) : !pm.buffer<[x=8 on(row), y=8], f32> pending
  %p = pm.reshard_start %f outs(%g : !BG) : !BF pending
  // CHECK: pm.reshard_wait %{{.*}}, %{{.*}}, %[[P]] outs(
  pm.reshard_wait %f, %g, %p outs(%g : !BG) : !BF, !BG
  // CHECK: pm.reduce_fields sum over ["row"](%{{.*}}) outs(
  pm.reduce_fields sum over ["row"](%w) outs(%w : !BW) : !BW
  // CHECK: %[[Q:.*]] = pm.reduce_fields_start sum over ["row"](%{{.*}}) outs(%{{.*}} : !pm.buffer<[x=8, y=8], f32>) : !pm.buffer<[x=8, y=8], f32> pending
  %q = pm.reduce_fields_start sum over ["row"](%w) outs(%w : !BW) : !BW pending
  // CHECK: pm.reduce_fields_wait %[[Q]](%{{.*}}) outs(%{{.*}} : !pm.buffer<[x=8, y=8], f32>) : !pm.buffer<[x=8, y=8], f32>
  pm.reduce_fields_wait %q(%w) outs(%w : !BW) : !BW
  %r = pm.displacement_bound cic [x=8 on(row), y=8] of [x=8 on(row), y=8] ins(%u : !BF) {
  ^bb0(%e: f32):
    pm.yield %e, %e : f32, f32
  }
  // CHECK: %[[H:.*]] = pm.scatter cic [x=8 on(row), y=8] bound(%{{.*}}) ins(%{{.*}} : {{.*}}) outs(%{{.*}} : !pm.buffer<[x=8 on(row), y=8], f32>) {
  // CHECK: } halo !pm.partial<!pm.halo<[x=8 on(row), y=8], f32>, sum over [row]>
  %h = pm.scatter cic [x=8 on(row), y=8] bound(%r) ins(%u : !BF) outs(%f : !BF) {
  ^bb0(%e: f32):
    pm.yield %e, %e, %e : f32, f32, f32
  } halo !PH
  // CHECK: pm.halo_reduce %{{.*}}, %[[H]] outs(
  pm.halo_reduce %f, %h outs(%f : !BF) : !BF, !PH
  return
}
