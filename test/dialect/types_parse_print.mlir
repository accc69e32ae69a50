// Dims print as the user names them.
// RUN: pm-opt %s | pm-opt | FileCheck %s

// CHECK-LABEL: func.func private @types(
// CHECK-SAME: !pm.field<[x=128, y=128, z=128], f32>
func.func private @types(!pm.field<[x=128, y=128, z=128], f32>,
// CHECK-SAME: !pm.field<[kx=dual(128), ky=dual(128), kz=half(128)], complex<f32>>
  !pm.field<[kx=dual(128), ky=dual(128), kz=half(128)], complex<f32>>,
// CHECK-SAME: !pm.field<[x*2=256, kx*2=half(256)], f64>
  !pm.field<[x*2=256, kx*2=half(256)], f64>,
// CHECK-SAME: !pm.field<[x=8 on(row,col), y=8 on(slab)], i1>
  !pm.field<[x=8 on(row,col), y=8 on(slab)], i1>,
// Names that are no identifiers are in quotes.
// CHECK-SAME: !pm.field<["1"=1 on("a b"), k1=dual(1), "two words"*2=8], f64>
  !pm.field<["1"=1 on("a b"), "k1"=dual(1), "two words"*2=8], f64>,
// CHECK-SAME: !pm.buffer<[k=3], i64>
  !pm.buffer<[k=3], i64>,
// CHECK-SAME: !pm.in_flight<!pm.field<[x=8, y=8 on(slab)], f32>>
  !pm.in_flight<!pm.field<[x=8, y=8 on(slab)], f32>>,
// CHECK-SAME: !pm.in_flight<!pm.halo<[x=8 on(row)], f64>>
  !pm.in_flight<!pm.halo<[x=8 on(row)], f64>>,
// Axes are a set.
// CHECK-SAME: !pm.partial<f64, max over [col, row]>
  !pm.partial<f64, max over [row, col]>,
// CHECK-SAME: !pm.partial<!pm.field<[b=4], f64>, sum over ["a b", row]>
  !pm.partial<!pm.field<[b=4], f64>, sum over [row, "a b"]>,
// CHECK-SAME: !pm.row_sums
  !pm.row_sums,
// CHECK-SAME: !pm.table
  !pm.table)

// CHECK: func.func private @attributes() attributes
// CHECK-SAME: a = #pm.dim<kx=dual(16)>, b = #pm.dims<[x=16, y*2=32]>, c = #pm<window tsc>, d = #pm<reduction max>
func.func private @attributes() attributes {a = #pm.dim<kx=dual(16)>, b = #pm.dims<[x=16, y*2=32]>, c = #pm<window tsc>, d = #pm<reduction max>}

// CHECK: a = #pm<window pcs batch [0, 2]>, b = #pm<window of<2, array<f64: 5.000000e-01, 1.000000e+00, 5.000000e-01, -1.000000e+00>>>, c = #pm<window of<3, array<f64: 0.000000e+00, 1.000000e+00, 0.000000e+00>> batch [1]>
func.func private @windows() attributes {
  a = #pm<window pcs batch [0, 2]>, b = #pm<window of<2, array<f64: 0.5, 1.0, 0.5, -1.0>>>, c = #pm<window of<3, array<f64: 0.0, 1.0, 0.0>> batch [1]>}
