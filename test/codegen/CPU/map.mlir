// RUN: pm-opt --pm-lower-domains --pm-lower-launches --cse --canonicalize --split-input-file %s | FileCheck %s

// In place: one pointer. What does not depend on z is computed once a row.
// 30 rows of 7 elements, read and written.
// CHECK-LABEL: func.func @in_place
// CHECK-DAG: %[[ROWS:.*]] = arith.constant 30 : i64
// CHECK-DAG: %[[BYTES:.*]] = arith.constant 56 : i64
// CHECK: llvm.call @pmrt_parallel_for({{.*}}, %[[ROWS]], %[[BYTES]])
// CHECK-LABEL: func.func private @kernel.map(
// CHECK-SAME: %[[A:.*]]: !pmk.span<f32> {llvm.noalias}, %[[B:.*]]: !pmk.span<f32> {llvm.noalias}, %[[FROM:.*]]: i64, %[[TO:.*]]: i64)
// CHECK-SAME: internal
// CHECK-SAME: pmk.schedule = #pmk.rows<chunk = 1>
// CHECK: scf.for %[[ROW:.*]] = %[[FROM]] to %[[TO]]
// CHECK: %[[Y:.*]] = arith.remui %[[ROW]], %c5_i64
// CHECK: %[[START:.*]] = pmk.at %[[A]][
// CHECK: %[[LOADED:.*]] = pmk.load %[[B]][%[[Y]]]
// CHECK: %[[ROOT:.*]] = math.sqrt %[[LOADED]]
// CHECK: scf.for %[[Z:.*]] = %c0_i64 to %c7_i64
// CHECK-NEXT: %[[E:.*]] = pmk.load %[[START]][%[[Z]]]
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[E]], %[[ROOT]] fastmath<contract>
// CHECK-NEXT: pmk.store %[[P]], %[[START]][%[[Z]]]
// CHECK-LABEL: llvm.func internal @kernel.map.call
// CHECK: call @kernel.map(
func.func @in_place(%ctx: !llvm.ptr) {
  %0 = pm.alloc 0 : !pm.buffer<[x=6, y=5, z=7], f32>
  %1 = pm.alloc 1 : !pm.buffer<[y=5], f32>
  pm.map [x=6, y=5, z=7] ins(%0, %1 : !pm.buffer<[x=6, y=5, z=7], f32>, !pm.buffer<[y=5], f32>)
      outs(%0 : !pm.buffer<[x=6, y=5, z=7], f32>) {
  ^bb0(%a: f32, %b: f32):
    %c = math.sqrt %b : f32
    %s = arith.mulf %a, %c : f32
    pm.yield %s : f32
  }
  return
}

// -----

// Two allocs of one number are one memory, and one pointer.
// CHECK-LABEL: func.func private @kernel.map(
// CHECK-SAME: %{{.*}}: !pmk.span<f32> {llvm.noalias}, %{{.*}}: i64, %{{.*}}: i64)
func.func @one_memory(%ctx: !llvm.ptr) {
  %0 = pm.alloc 3 : !pm.buffer<[x=6, z=7], f32>
  %1 = pm.alloc 3 : !pm.buffer<[x=6, z=7], f32>
  pm.map [x=6, z=7] ins(%0 : !pm.buffer<[x=6, z=7], f32>) outs(%1 : !pm.buffer<[x=6, z=7], f32>) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    pm.yield %s : f32
  }
  return
}

// -----

// Half dims store 5 of 8 modes; kx counts 0 .. 3, -4 .. -1.
// CHECK-LABEL: func.func private @kernel.map(
// CHECK-SAME: %[[A:.*]]: !pmk.span<complex<f32>>
// CHECK: scf.for
// CHECK: %[[M:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK: %[[LOW:.*]] = arith.cmpi slt, %[[M]], %c4_i32
// CHECK: %[[WRAPPED:.*]] = arith.subi %[[M]], %c8_i32
// CHECK: arith.select %[[LOW]], %[[M]], %[[WRAPPED]]
// CHECK: scf.for %[[I:.*]] = %c0_i64 to %c5_i64
// CHECK: pmk.store %{{.*}}, %{{.*}}[%[[I]]] : complex<f32>, !pmk.span<complex<f32>>
func.func @modes(%ctx: !llvm.ptr) {
  %0 = pm.alloc 0 : !pm.buffer<[kx=dual(8), kz=half(8)], complex<f32>>
  pm.map [kx=dual(8), kz=half(8)] outs(%0 : !pm.buffer<[kx=dual(8), kz=half(8)], complex<f32>>) {
    %x = pm.coordinate "kx"
    %z = pm.coordinate "kz"
    %a = arith.truncf %x : f64 to f32
    %b = arith.truncf %z : f64 to f32
    %s = complex.create %a, %b : complex<f32>
    pm.yield %s : complex<f32>
  }
  return
}

// -----

// The context knows the extent and the offset of a dim that mesh axes split.
// CHECK-LABEL: func.func @split
// CHECK: %[[EXTENT:.*]] = llvm.call @pmrt_local_extent(
// CHECK: %[[OFFSET:.*]] = llvm.call @pmrt_local_offset(
// CHECK: llvm.call @pmrt_parallel_for({{.*}}, %[[EXTENT]], %{{.*}})
// CHECK-LABEL: func.func private @kernel.map(
// CHECK-SAME: !pmk.span<f64> {llvm.noalias}, %{{.*}}: i64, %[[O:.*]]: i64, %{{.*}}: i64, %{{.*}}: i64)
// CHECK: scf.for %[[I:.*]] =
// CHECK: arith.addi %[[I]], %[[O]]
func.func @split(%ctx: !llvm.ptr) {
  %0 = pm.alloc 0 : !pm.buffer<[x=64 on(row), y=5], f64>
  pm.map [x=64 on(row), y=5] outs(%0 : !pm.buffer<[x=64 on(row), y=5], f64>) {
    %x = pm.coordinate "x"
    pm.yield %x : f64
  }
  return
}

// -----

// A short axis: elements are handed out, and the code is short.
// CHECK-LABEL: func.func private @kernel.map(
// CHECK-SAME: %[[FROM:[a-z0-9]*]]: i64, %[[TO:[a-z0-9]*]]: i64)
// CHECK-SAME: "minsize", "optsize"
// CHECK: scf.for %{{.*}} = %[[FROM]] to %[[TO]]
// CHECK-NOT: scf.for
// CHECK: return
func.func @axis(%ctx: !llvm.ptr) {
  %0 = pm.alloc 0 : !pm.buffer<[x=64], f64>
  pm.map [x=64] outs(%0 : !pm.buffer<[x=64], f64>) {
    %x = pm.coordinate "x"
    %c = math.cos %x : f64
    pm.yield %c : f64
  }
  return
}
