// RUN: pm-opt --pm-lower --cse --canonicalize --split-input-file %s | FileCheck %s

!U = !pm.buffer<[x=6 on(row), y=5, z=7], f32>
!M = !pm.buffer<[x*2=12 on(row), y*2=10, z*2=14], f32>
!H = !pm.halo<[x*2=12 on(row), y*2=10, z*2=14], f32>

// Particles are looked at only where ranks share the mesh; else nothing reaches out.
// CHECK-LABEL: func.func private @pmc.entry
// CHECK: %[[LOCAL:.*]] = llvm.call @pmrt_local_extent(%arg0, %c3_i32)
// CHECK: %[[REACH:.*]] = llvm.alloca %c24_i64 x i64
// CHECK: %[[MESH:.*]] = llvm.call @pmrt_buffer(%arg0, %c1_i32)
// CHECK: %[[ABOVE:.*]] = llvm.getelementptr %[[REACH]][12]
// CHECK-COUNT-6: pmk.store %c0_i64
// CHECK: %[[SPLIT:.*]] = arith.cmpi slt, %[[LOCAL]], %c12_i64
// CHECK: scf.if %[[SPLIT]] {
// CHECK: llvm.call @pmrt_parallel_reduce({{.*}}, %c4_i64, %c1_i32, %{{.*}})
// CHECK: llvm.call @pmrt_displacement_bound({{.*}}, %c2_i32, %[[REACH]], %[[ABOVE]])
// CHECK: }

// The exchanged view, of which the kernel gets the members.
// CHECK: %[[VIEW:.*]] = llvm.call @pmrt_halo_exchange_start({{.*}}, %[[REACH]], %[[ABOVE]])
// CHECK: llvm.call @pmrt_halo_wait({{.*}}, %[[VIEW]])
// CHECK: %[[ROWS:.*]] = llvm.getelementptr %[[VIEW]][0, 0]
// CHECK: llvm.load %[[ROWS]] : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.call @pmrt_parallel_for
// CHECK: llvm.call @pmrt_halo_close({{.*}}, %[[VIEW]])

// Paint into zeros, the own rows being those of the mesh; then the sum.
// CHECK: llvm.call @pmrt_zero
// CHECK: %[[OPEN:.*]] = llvm.call @pmrt_halo_open({{.*}}, %[[REACH]], %[[ABOVE]])
// CHECK: llvm.call @pmrt_scatter_halo({{.*}}, %[[OPEN]], %{{.*}}, %{{.*}}, %c5_i64, %c7_i64, %c2_i32, %{{.*}}, %c1_i32)
// CHECK: llvm.call @pmrt_halo_reduce({{.*}}, %[[OPEN]])
// CHECK-NOT: pmrt_copy
// CHECK: return

// Cells of the whole box, counted from the rank's own nodes; the body as it is,
// for others have to find the same cells.
// CHECK-LABEL: func.func private @kernel.displacement_bound(
// CHECK: %[[X:.*]] = arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: math.floor %[[X]]
// CHECK: %[[SITE:.*]] = arith.addi %{{.*}}, %{{.*}} : i64
// CHECK: %[[SHORT:.*]] = arith.trunci %[[SITE]] : i64 to i32
// CHECK: arith.sitofp %[[SHORT]] : i32 to f64
// CHECK: arith.negf %{{.*}} : f64
// CHECK: arith.minimumf %{{.*}} : vector<8xf64>
// CHECK-NOT: arith.maximumf

// The readout: positions as above; then the mesh, with rows where one rank has
// them, or else where the view's table says.
// CHECK-LABEL: func.func private @kernel.readout(
// CHECK: %[[X:.*]] = arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: math.floor %[[X]]
// CHECK: scf.if
// CHECK-NOT: pmk.load %{{.*}} -> !pmk.span<f32>
// CHECK: } else {
// CHECK-COUNT-4: pmk.load %{{.*}} -> !pmk.span<f32>
// CHECK-NOT: pmk.load %{{.*}} -> !pmk.span<f32>
// CHECK: return
pm.mesh @ranks axes = ["row"] extents = [1]
pm.plan [!U, !M, !U] starts [0, 0, 0] ends [9, 9, 9]
func.func @main() {
  %u = pm.alloc 0 : !U
  %mesh = pm.alloc 1 : !M
  %v = pm.alloc 2 : !U
  %r = pm.displacement_bound cic [x=6 on(row), y=5, z=7] of [x*2=12 on(row), y*2=10, z*2=14] ins(%u : !U) {
  ^bb0(%a: f32):
    %p = arith.mulf %a, %a : f32
    pm.yield %p, %a, %a : f32, f32, f32
  }
  %s = pm.halo_exchange start %mesh bound %r : !M -> !pm.in_flight<!H>
  %h = pm.halo_wait %s : !pm.in_flight<!H>
  pm.map [x=6 on(row), y=5, z=7] ins(%u : !U) outs(%v : !U) {
  ^bb0(%a: f32):
    %p = arith.mulf %a, %a : f32
    %f = pm.interpolate cic (%mesh : !M) halos(%h : !H) at (%p, %a, %a : f32, f32, f32) -> f32
    pm.yield %f : f32
  }
  pm.halo_close %h : !H
  %part = pm.scatter cic [x=6 on(row), y=5, z=7] bound(%r) ins(%u : !U) outs(%mesh : !M) {
  ^bb0(%a: f32):
    %w = arith.constant 1.0 : f32
    %p = arith.mulf %a, %a : f32
    pm.yield %p, %a, %a, %w : f32, f32, f32, f32
  } halo !pm.partial<!H, sum over [row]>
  pm.halo_reduce %mesh, %part outs(%mesh : !M) : !M, !pm.partial<!H, sum over [row]>
  return
}

// -----

// A reading in a branch of the body, too: with one rank the view's places are cells of the mesh, not numbers of rows.
!U = !pm.buffer<[x=6 on(row), y=5], f32>
!H = !pm.halo<[x=6 on(row), y=5], f32>
// CHECK-LABEL: func.func private @pmc.entry
// CHECK-LABEL: func.func private @kernel.map(
// CHECK: scf.if
// CHECK: scf.if %{{.*}} -> (f32) {
// CHECK-NOT: pmk.load %{{.*}} -> !pmk.span<f32>
// CHECK: } else {
// CHECK: pmk.load %{{.*}} -> !pmk.span<f32>
// CHECK: return
pm.mesh @ranks axes = ["row"] extents = [1]
pm.plan [!U, !U] starts [0, 0] ends [9, 9]
func.func @main() {
  %mesh = pm.alloc 0 : !U
  %v = pm.alloc 1 : !U
  %r = pm.displacement_bound cic [x=6 on(row), y=5] of [x=6 on(row), y=5] ins(%mesh : !U) {
  ^bb0(%a: f32):
    pm.yield %a, %a : f32, f32
  }
  %h = pm.halo_exchange %mesh bound %r : !U -> !H
  pm.map [x=6 on(row), y=5] ins(%mesh : !U) outs(%v : !U) {
  ^bb0(%a: f32):
    %zero = arith.constant 0.0 : f32
    %some = arith.cmpf olt, %a, %zero : f32
    %f = scf.if %some -> (f32) {
      %g = pm.interpolate cic (%mesh : !U) halos(%h : !H) at (%a, %a : f32, f32) -> f32
      scf.yield %g : f32
    } else {
      scf.yield %zero : f32
    }
    pm.yield %f : f32
  }
  pm.halo_close %h : !H
  return
}
