// RUN: pm-opt %s --split-input-file | pm-opt --split-input-file --pm-lower-launches | FileCheck %s

// What is captured lies in the frame: bits as bytes.
// CHECK-LABEL: func.func @host(
// CHECK-SAME: %[[CTX:.*]]: !llvm.ptr, %[[P:.*]]: !llvm.ptr, %[[BIT:.*]]: i1, %[[N:.*]]: i64)
// CHECK: %[[RECORD:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(ptr, i8)>
// CHECK: %[[CALL:.*]] = llvm.mlir.addressof @kernel.call
// CHECK: %[[FIRST:.*]] = llvm.getelementptr %[[RECORD]][0, 0]
// CHECK: llvm.store %[[P]], %[[FIRST]]
// CHECK: %[[SECOND:.*]] = llvm.getelementptr %[[RECORD]][0, 1]
// CHECK: %[[BYTE:.*]] = arith.extui %[[BIT]] : i1 to i8
// CHECK: llvm.store %[[BYTE]], %[[SECOND]]
// CHECK: llvm.call @pmrt_parallel_for(%[[CTX]], %{{.*}}, %c7_i32, %{{.*}}, %[[CALL]], %[[FIRST]], %[[N]], %[[N]])
// CHECK: llvm.call @pmrt_parallel_reduce({{.*}}, %c2_i64{{[_0-9]*}}, %c2_i32{{[_0-9]*}}, %[[P]])

// The wrapper hands over the record and the part.
// CHECK-LABEL: llvm.func internal @kernel.call(
// CHECK-SAME: %[[RECORD:.*]]: !llvm.ptr, %[[FROM:.*]]: i64, %[[TO:.*]]: i64)
// CHECK: %[[STORED:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK: %[[VIEW:.*]] = pmk.span %[[STORED]] : !llvm.ptr -> !pmk.span<f32>
// CHECK: %[[BYTE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK: %[[BIT:.*]] = arith.trunci %[[BYTE]] : i8 to i1
// CHECK: call @kernel(%[[VIEW]], %[[BIT]], %[[FROM]], %[[TO]])
// CHECK-LABEL: llvm.func internal @reduction.call(
// CHECK-SAME: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %[[SUMS:.*]]: !llvm.ptr)
// CHECK: %[[VIEW:.*]] = pmk.span %[[SUMS]] : !llvm.ptr -> !pmk.span<f64>
// CHECK: call @reduction(%{{.*}}, %{{.*}}, %{{.*}}, %[[VIEW]])
func.func @host(%ctx: !llvm.ptr, %p: !llvm.ptr, %bit: i1, %n: i64) {
  %v = pmk.span %p : !llvm.ptr -> !pmk.span<f32>
  pmk.parallel_for @kernel(%v, %bit) over %n each %n "map" at 7 : !pmk.span<f32>, i1
  pmk.parallel_reduce max @reduction(%v) into %p, 2 over %n each %n "max" at 7 : !pmk.span<f32>
  return
}
func.func private @kernel(%v: !pmk.span<f32>, %bit: i1, %from: i64, %to: i64) {
  return
}
func.func private @reduction(%v: !pmk.span<f32>, %from: i64, %to: i64, %sums: !pmk.span<f64>) {
  return
}

// -----

// Bodies of one record; ratios of a lattice, and the halo view of a split mesh.
// CHECK-LABEL: func.func @paint(
// CHECK-SAME: %[[P:[a-z0-9]*]]: !llvm.ptr, %[[H:[a-z0-9]*]]: !llvm.ptr, %[[N:[a-z0-9]*]]: i64)
// CHECK: %[[NULL:.*]] = llvm.mlir.zero
// CHECK: llvm.call @pmrt_scatter({{.*}}, %c1_i32{{[_0-9]*}}, %{{[0-9]+}}, %[[N]], %[[N]], %[[N]], %c2_i32{{[_0-9]*}}, %[[NULL]], %c0_i32{{[_0-9]*}})
// CHECK: llvm.call @pmrt_scatter_halo({{.*}}, %c2_i32{{[_0-9]*}}, %{{[0-9]+}}, %[[H]], %[[H]], %[[N]], %[[N]], %[[N]], %c3_i32{{[_0-9]*}}, %[[P]], %c1_i32{{[_0-9]*}})
func.func @paint(%ctx: !llvm.ptr, %p: !llvm.ptr, %h: !llvm.ptr, %n: i64) {
  pmk.parallel_scatter bounds @b block @k planes @b list @l copy @c() onto %p of [%n, %n, %n] support 2 "paint" at 1
  pmk.parallel_scatter bounds @b2 block @k2 planes @p2 list @l2 copy @c() onto %p, %h halo %h from %h of [%n, %n, %n] lattice %p support 3 "paint" at 1
  return
}
func.func private @b(%from: i64, %to: i64, %out: !pmk.span<f64>) { return }
func.func private @k(%a: i64, %b: i64, %c: i64, %d: i64) { return }
func.func private @l(%list: !pmk.span<i64>, %n: i64) { return }
func.func private @b2(%from: i64, %to: i64, %out: !pmk.span<f64>) { return }
func.func private @k2(%a: i64, %b: i64, %c: i64, %d: i64) { return }
func.func private @p2(%from: i64, %to: i64, %out: !pmk.span<i32>) { return }
func.func private @c(%from: i64, %to: i64, %meshes: !pmk.span<f32>, %out: !pmk.span<f64>) { return }
func.func private @l2(%list: !pmk.span<i64>, %n: i64) { return }

// -----

// A GPU gets the addresses of the captures, and the kernel's name.
// CHECK: llvm.mlir.global internal constant @pmc.text.1("kernel\00")
// CHECK-LABEL: func.func @device(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %[[P:.*]]: !llvm.ptr, %[[N:.*]]: i64)
// CHECK: %[[NAME:.*]] = llvm.mlir.addressof @pmc.text.1
// CHECK: llvm.call @pmrt_launch({{.*}}, %[[NAME]], %[[N]], %c256_i32{{[_0-9]*}}, %c16_i32{{[_0-9]*}}, %{{.*}}, %[[N]])
// CHECK: llvm.call @pmrt_launch_blocks(
func.func @device(%ctx: !llvm.ptr, %p: !llvm.ptr, %n: i64) {
  %v = pmk.span %p : !llvm.ptr -> !pmk.span<f32>
  pmk.launch @gpu::@kernel(%v) on %n threads of 256 shared 16 moves %n "map" at 7 : !pmk.span<f32>
  pmk.launch @gpu::@kernel(%v) on %n blocks of 256 shared 0 moves %n "map" at 7 : !pmk.span<f32>
  return
}
module @gpu {
  func.func @kernel(%v: !pmk.span<f32>) { return }
}
