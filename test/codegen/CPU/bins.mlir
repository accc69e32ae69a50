// RUN: pm-opt --pm-lower-domains --pm-lower-launches --cse --canonicalize --split-input-file %s | FileCheck %s

// Values go to a local array first; bins outside of [0, 4) are left out.
// CHECK-LABEL: func.func @few
// CHECK: llvm.call @pmrt_parallel_reduce({{.*}}, %c8_i64, %c0_i32, %{{.*}})
// CHECK-LABEL: func.func private @kernel.bins(
// CHECK: scf.for
// CHECK: arith.fptosi
// CHECK: scf.for
// CHECK: %[[BIN:.*]] = pmk.load %{{.*}} : !pmk.span<i64> -> i64
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[BIN]], %c4_i64
// CHECK: scf.if %[[IN]]
func.func @few(%ctx: !llvm.ptr) {
  %0 = pm.alloc 0 : !pm.buffer<[x=6, z=7], f64>
  %1 = pm.alloc 1 : !pm.buffer<[m=4], f64>
  %2 = pm.alloc 2 : !pm.buffer<[m=4], f64>
  pm.bins [x=6, z=7] ins(%0 : !pm.buffer<[x=6, z=7], f64>) outs(%1, %2 : !pm.buffer<[m=4], f64>, !pm.buffer<[m=4], f64>) {
  ^bb0(%a: f64):
    %b = arith.fptosi %a : f64 to i64
    %c = math.sqrt %a : f64
    pm.yield %b, %a, %c : i64, f64, f64
  }
  return
}

// -----

// Too many accumulators for a frame: a pass a result, into its own buffer.
// CHECK-LABEL: func.func @many
// CHECK-COUNT-2: llvm.call @pmrt_parallel_reduce({{.*}}, %c40000_i64, %c0_i32, %{{.*}})
func.func @many(%ctx: !llvm.ptr) {
  %0 = pm.alloc 0 : !pm.buffer<[x=6, z=7], f64>
  %1 = pm.alloc 1 : !pm.buffer<[m=40000], f64>
  %2 = pm.alloc 2 : !pm.buffer<[m=40000], f64>
  pm.bins [x=6, z=7] ins(%0 : !pm.buffer<[x=6, z=7], f64>) outs(%1, %2 : !pm.buffer<[m=40000], f64>, !pm.buffer<[m=40000], f64>) {
  ^bb0(%a: f64):
    %b = arith.fptosi %a : f64 to i64
    %c = math.sqrt %a : f64
    pm.yield %b, %a, %c : i64, f64, f64
  }
  return
}
