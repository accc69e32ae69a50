// RUN: pm-opt %s | pm-opt --pm-to-llvm | FileCheck %s

// A span is an address: kernels get pointers that do not alias.
// CHECK-LABEL: llvm.func @elements(
// CHECK-SAME: %[[V:.*]]: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias}, %[[I:.*]]: i64)
// CHECK: %[[ROW:.*]] = llvm.getelementptr inbounds %[[V]][%[[I]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: %[[AT:.*]] = llvm.getelementptr inbounds %[[ROW]][%[[I]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: %[[X:.*]] = llvm.load %[[AT]] : !llvm.ptr -> f32
// CHECK: %[[WHERE:.*]] = llvm.getelementptr %[[V]][%[[I]]]
// CHECK: llvm.store %[[X]], %[[WHERE]] : f32, !llvm.ptr
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<8xf32>
func.func @elements(%span: !pmk.span<f32> {llvm.noalias, llvm.align = 16 : i64}, %i: i64) -> vector<8xf32> {
  %row = pmk.at %span[%i] : !pmk.span<f32>
  %x = pmk.load %row[%i] : !pmk.span<f32> -> f32
  pmk.store %x, %span[%i] unbounded : f32, !pmk.span<f32>
  %eight = pmk.load %row[%i] : !pmk.span<f32> -> vector<8xf32>
  return %eight : vector<8xf32>
}

// Complex elements are two reals, those of i1 bytes, rows of a table addresses.
// CHECK-LABEL: llvm.func @parts(
// CHECK-SAME: %[[C:.*]]: !llvm.ptr, %[[B:.*]]: !llvm.ptr, %[[T:.*]]: !llvm.ptr, %[[I:.*]]: i64)
// CHECK: %[[TWICE:.*]] = llvm.mul %[[I]], %{{.*}} : i64
// CHECK: %[[RE:.*]] = llvm.getelementptr inbounds %[[C]][%[[TWICE]]] : (!llvm.ptr, i64) -> !llvm.ptr, f64
// CHECK: %[[IM:.*]] = llvm.getelementptr inbounds %[[RE]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f64
// CHECK: llvm.load %[[RE]] : !llvm.ptr -> f64
// CHECK: llvm.load %[[IM]] : !llvm.ptr -> f64
// CHECK-COUNT-2: llvm.store %{{.*}} : f64, !llvm.ptr
// CHECK: %[[BYTE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK: %[[BIT:.*]] = llvm.trunc %[[BYTE]] : i8 to i1
// CHECK: %[[STORED:.*]] = llvm.zext %[[BIT]] : i1 to i8
// CHECK: llvm.store %[[STORED]], %{{.*}} : i8, !llvm.ptr
// CHECK: %[[ROW:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.return %[[ROW]] : !llvm.ptr
func.func @parts(%c: !pmk.span<complex<f64>>, %b: !pmk.span<i1>, %t: !pmk.span<!pmk.span<f32>>, %i: i64) -> !llvm.ptr {
  %z = pmk.load %c[%i] : !pmk.span<complex<f64>> -> complex<f64>
  pmk.store %z, %c[%i] : complex<f64>, !pmk.span<complex<f64>>
  %bit = pmk.load %b[%i] : !pmk.span<i1> -> i1
  pmk.store %bit, %b[%i] : i1, !pmk.span<i1>
  %row = pmk.load %t[%i] : !pmk.span<!pmk.span<f32>> -> !pmk.span<f32>
  %address = pmk.address %row : !pmk.span<f32> -> !llvm.ptr
  return %address : !llvm.ptr
}

// 64 numbers in the frame, as vectors of 64 bytes; a block's memory; additions.
// CHECK-LABEL: llvm.func @places(
// CHECK: %[[FOUR:.*]] = llvm.mlir.constant(4 : i64)
// CHECK: llvm.alloca %[[FOUR]] x vector<16xf32>
// CHECK: llvm.atomicrmw fadd %{{.*}} syncscope("device") monotonic : !llvm.ptr, f32
// CHECK: llvm.atomicrmw fadd %{{.*}} syncscope("block") monotonic : !llvm.ptr<3>, f64
// CHECK: llvm.atomicrmw add %{{.*}} syncscope("device") monotonic : !llvm.ptr, i64
func.func @places(%shared: !llvm.ptr<3>, %sums: !pmk.span<i64>, %i: i64, %w: f32, %x: f64) {
  %chunk = pmk.chunk 64 : !pmk.span<f32>
  pmk.atomic_add device %w, %chunk[%i] : f32, !pmk.span<f32>
  %tile = pmk.span %shared : !llvm.ptr<3> -> !pmk.span<f64, shared>
  pmk.atomic_add block %x, %tile[%i] : f64, !pmk.span<f64, shared>
  pmk.atomic_add device %i, %sums[%i] : i64, !pmk.span<i64>
  return
}
