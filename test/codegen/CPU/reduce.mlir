// RUN: pm-opt --pm-lower-domains --pm-lower-launches --cse --canonicalize --split-input-file %s | FileCheck %s

// Eight lanes of f64, whatever the machine; every stored mode counts once.
// CHECK-LABEL: func.func @total
// CHECK: %[[OUT:.*]] = llvm.alloca %{{.*}} x f64
// CHECK: llvm.call @pmrt_parallel_reduce({{.*}}, %c1_i64, %c0_i32, %[[OUT]])
// CHECK: %[[VIEW:.*]] = pmk.span %[[OUT]]
// CHECK: %[[SUM:.*]] = pmk.load %[[VIEW]][%c0_i64]
// CHECK: return %[[SUM]]
// CHECK-LABEL: func.func private @kernel.sum(
// CHECK-SAME: %[[PARTIAL:[a-z0-9]*]]: !pmk.span<f64> {llvm.noalias}) attributes
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<8xf64>)
// CHECK: scf.for
// CHECK-NOT: arith.select {{.*}} : f32
// A row has five elements, and one group of lanes has them.
// CHECK: arith.select %{{.*}} : vector<8xi1>, vector<8xf32>
// CHECK-NEXT: arith.extf %{{.*}} : vector<8xf32> to vector<8xf64>
// CHECK-NOT: arith.extf
// CHECK: llvm.extractelement
// CHECK: pmk.store %{{.*}}, %[[PARTIAL]][%{{.*}}]
func.func @total(%ctx: !llvm.ptr) -> f64 {
  %0 = pm.alloc 0 : !pm.buffer<[kx=dual(8), kz=half(8)], f32>
  %s = pm.reduce sum [kx=dual(8), kz=half(8)] ins(%0 : !pm.buffer<[kx=dual(8), kz=half(8)], f32>) {
  ^bb0(%a: f32):
    pm.yield %a : f32
  } scalars f64
  return %s : f64
}

// -----

// A row has 21 elements, which eight groups of lanes have.
// CHECK-LABEL: func.func private @kernel.sum(
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<8xf64>)
// CHECK: scf.for
// CHECK-NOT: arith.select
// CHECK-COUNT-8: arith.extf %{{.*}} : vector<8xf32> to vector<8xf64>
// CHECK-NOT: arith.select
// CHECK: llvm.extractelement
func.func @wide(%ctx: !llvm.ptr) -> f64 {
  %0 = pm.alloc 0 : !pm.buffer<[kx=dual(8), kz=half(40)], f32>
  %s = pm.reduce sum [kx=dual(8), kz=half(40)] ins(%0 : !pm.buffer<[kx=dual(8), kz=half(40)], f32>) {
  ^bb0(%a: f32):
    pm.yield %a : f32
  } scalars f64
  return %s : f64
}

// -----

// The number of elements of a part is known at run time: one group of lanes, or eight.
// CHECK-LABEL: func.func private @kernel.sum(
// CHECK: %[[FEW:.*]] = arith.cmpi sle, %{{.*}}, %c8_i64 : i64
// CHECK: scf.if %[[FEW]] -> (vector<8xf64>)
// CHECK: arith.select %{{.*}} : vector<8xi1>, vector<8xf64>
// CHECK-COUNT-1: arith.addf {{.*}} : vector<8xf64>
// CHECK: } else {
// CHECK-COUNT-8: arith.addf {{.*}} : vector<8xf64>
func.func @line(%ctx: !llvm.ptr) -> f64 {
  %0 = pm.alloc 0 : !pm.buffer<[x=100], f64>
  %s = pm.reduce sum [x=100] ins(%0 : !pm.buffer<[x=100], f64>) {
  ^bb0(%a: f64):
    pm.yield %a : f64
  } scalars f64
  return %s : f64
}

// -----

// NaN wins.
// CHECK-LABEL: func.func private @kernel.max(
// CHECK: arith.maximumf {{.*}} : vector<8xf64>
func.func @largest(%ctx: !llvm.ptr) -> f64 {
  %0 = pm.alloc 0 : !pm.buffer<[kx=dual(8), kz=half(8)], f64>
  %s = pm.reduce max [kx=dual(8), kz=half(8)] ins(%0 : !pm.buffer<[kx=dual(8), kz=half(8)], f64>) {
  ^bb0(%a: f64):
    pm.yield %a : f64
  } scalars f64
  return %s : f64
}

// -----

// Leading dims are reduced: rows are handed out, 7 accumulators a thread.
// CHECK-LABEL: func.func @leading
// CHECK: llvm.call @pmrt_parallel_reduce({{.*}}, %c30_i64, %c56_i64, %c7_i64, %c0_i32, %{{.*}})
func.func @leading(%ctx: !llvm.ptr) {
  %0 = pm.alloc 0 : !pm.buffer<[x=6, y=5, z=7], f32>
  %1 = pm.alloc 1 : !pm.buffer<[z=7], f32>
  pm.reduce sum [x=6, y=5, z=7] ins(%0 : !pm.buffer<[x=6, y=5, z=7], f32>) outs(%1 : !pm.buffer<[z=7], f32>) {
  ^bb0(%a: f32):
    pm.yield %a : f32
  }
  return
}

// -----

// Two successive reductions use the same memory for their sums. It is large enough for the larger one, which may be either of them.
// CHECK-LABEL: func.func @growing
// CHECK: %[[SUMS:.*]] = llvm.alloca %c9_i64 x f64
// CHECK-NOT: llvm.alloca
// CHECK: llvm.call @pmrt_parallel_reduce({{.*}}, %c7_i64, %c0_i32, %[[SUMS]])
// CHECK: llvm.call @pmrt_parallel_reduce({{.*}}, %c9_i64, %c0_i32, %[[SUMS]])
// CHECK: llvm.call @pmrt_parallel_reduce({{.*}}, %c5_i64, %c0_i32, %[[SUMS]])
func.func @growing(%ctx: !llvm.ptr) {
  %0 = pm.alloc 0 : !pm.buffer<[x=60, z=7], f32>
  %1 = pm.alloc 1 : !pm.buffer<[z=7], f32>
  %2 = pm.alloc 2 : !pm.buffer<[x=60, y=9], f32>
  %3 = pm.alloc 3 : !pm.buffer<[y=9], f32>
  %4 = pm.alloc 4 : !pm.buffer<[x=60, w=5], f32>
  %5 = pm.alloc 5 : !pm.buffer<[w=5], f32>
  pm.reduce sum [x=60, z=7] ins(%0 : !pm.buffer<[x=60, z=7], f32>) outs(%1 : !pm.buffer<[z=7], f32>) {
  ^bb0(%a: f32):
    pm.yield %a : f32
  }
  pm.reduce sum [x=60, y=9] ins(%2 : !pm.buffer<[x=60, y=9], f32>) outs(%3 : !pm.buffer<[y=9], f32>) {
  ^bb0(%a: f32):
    pm.yield %a : f32
  }
  pm.reduce sum [x=60, w=5] ins(%4 : !pm.buffer<[x=60, w=5], f32>) outs(%5 : !pm.buffer<[w=5], f32>) {
  ^bb0(%a: f32):
    pm.yield %a : f32
  }
  return
}

// -----

// Trailing dims are reduced: results are handed out.
// CHECK-LABEL: func.func @trailing
// CHECK-NOT: pmrt_parallel_reduce
// CHECK: llvm.call @pmrt_parallel_for({{.*}}, %c6_i64, %{{.*}})
func.func @trailing(%ctx: !llvm.ptr) {
  %0 = pm.alloc 0 : !pm.buffer<[x=6, y=5, z=7], f32>
  %1 = pm.alloc 1 : !pm.buffer<[x=6], f32>
  pm.reduce sum [x=6, y=5, z=7] ins(%0 : !pm.buffer<[x=6, y=5, z=7], f32>) outs(%1 : !pm.buffer<[x=6], f32>) {
  ^bb0(%a: f32):
    pm.yield %a : f32
  }
  return
}
