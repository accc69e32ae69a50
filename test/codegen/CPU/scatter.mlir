// RUN: pm-opt --pm-lower-domains --pm-lower-launches --cse --canonicalize --split-input-file %s | FileCheck %s

// 6 x 5 rows of 7 particles; three cells along a dim; two mesh cells a particle.
// CHECK-LABEL: func.func @lattice
// CHECK: llvm.call @pmrt_zero(
// CHECK: llvm.call @pmrt_scatter({{.*}}, %c6_i64, %c5_i64, %c7_i64, %c3_i32, %{{.*}}, %c1_i32)
// CHECK-DAG: func.func private @kernel.paint.bounds(
// CHECK-DAG: func.func private @kernel.paint.block(
// CHECK-DAG: func.func private @kernel.paint.planes(
// CHECK-DAG: func.func private @kernel.paint.list(
func.func @lattice(%ctx: !llvm.ptr) {
  %0 = pm.alloc 0 : !pm.buffer<[x=6, y=5, z=7], f32>
  %1 = pm.alloc 1 : !pm.buffer<[x*2=12, y*2=10, z*2=14], f32>
  pm.scatter tsc [x=6, y=5, z=7] ins(%0 : !pm.buffer<[x=6, y=5, z=7], f32>)
      outs(%1 : !pm.buffer<[x*2=12, y*2=10, z*2=14], f32>) {
  ^bb0(%u: f32):
    %w = arith.constant 1.0 : f32
    pm.yield %u, %u, %u, %w : f32, f32, f32, f32
  }
  return
}

// -----

// Free positions: no lattice, no ratios. The frame of captures is shared.
// CHECK-LABEL: func.func @free
// CHECK: %[[NULL:.*]] = llvm.mlir.zero
// CHECK: llvm.call @pmrt_scatter({{.*}}, %c100_i64, %c1_i64, %c1_i64, %c2_i32, %[[NULL]], %c0_i32)
// CHECK-LABEL: func.func private @kernel.paint.bounds(
// CHECK-NOT: minimumf {{.*}} vector
// CHECK-LABEL: llvm.func internal @kernel.paint.bounds.call
func.func @free(%ctx: !llvm.ptr) {
  %0 = pm.alloc 0 : !pm.buffer<[p=100], f32>
  %1 = pm.alloc 1 : !pm.buffer<[x=12], f32>
  pm.scatter cic [p=100] free ins(%0 : !pm.buffer<[p=100], f32>) outs(%1 : !pm.buffer<[x=12], f32>) {
  ^bb0(%u: f32):
    %w = arith.constant 1.0 : f32
    pm.yield %u, %w : f32, f32
  }
  return
}

// -----

// All four must agree on the cells: nothing of the body is fused in them.
// CHECK-LABEL: func.func @agree
// CHECK: func.func private @kernel.paint.bounds(
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: math.floor
// CHECK: func.func private @kernel.paint.block(
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: math.floor
func.func @agree(%ctx: !llvm.ptr) {
  %0 = pm.alloc 0 : !pm.buffer<[x=100], f32>
  %1 = pm.alloc 1 : !pm.buffer<[x=100], f32>
  pm.scatter cic [x=100] ins(%0 : !pm.buffer<[x=100], f32>) outs(%1 : !pm.buffer<[x=100], f32>) {
  ^bb0(%u: f32):
    %p = arith.mulf %u, %u : f32
    %s = arith.addf %p, %u : f32
    pm.yield %s, %u : f32, f32
  }
  return
}
