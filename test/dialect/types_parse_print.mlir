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
// CHECK-SAME: !pm.buffer<[k=3], i64>
  !pm.buffer<[k=3], i64>,
// CHECK-SAME: !pm.table
  !pm.table)

// CHECK: func.func private @attributes() attributes
// CHECK-SAME: a = #pm.dim<kx=dual(16)>, b = #pm.dims<[x=16, y*2=32]>, c = #pm<window tsc>, d = #pm<reduction max>
func.func private @attributes() attributes {a = #pm.dim<kx=dual(16)>, b = #pm.dims<[x=16, y*2=32]>, c = #pm<window tsc>, d = #pm<reduction max>}
