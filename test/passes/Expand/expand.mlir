// RUN: pm-opt %s --pm-expand | FileCheck %s

!P = !pm.field<[x=4, y=4], f32>
!M = !pm.field<[x*2=8, y*2=8], f32>
!K = !pm.field<[kx*2=dual(8), ky*2=half(8)], complex<f32>>

pm.dim "x" = 4 length {
  %b = pm.param_value "box" : f64
  pm.yield %b : f64
}
// A length of a length.
pm.dim "y" = 4 length {
  %l = pm.length "x"
  %m = arith.addf %l, %l : f64
  pm.yield %m : f64
}

// CHECK-LABEL: func.func @main
func.func @main() {
  %seed = arith.constant 1 : i64
  %px = pm.white_noise %seed -> !P
  %py = pm.white_noise %seed -> !P

  // Mesh cells, not the lattice's, in a unit of length.
  // CHECK: %[[CELLS:.*]] = arith.constant 8.000000e+00 : f64
  // CHECK: %[[X:.*]] = arith.divf %[[CELLS]], %{{.*}} : f64
  // CHECK: %[[HX:.*]] = arith.truncf %[[X]] : f64 to f32
  // CHECK: %[[BOX:.*]] = pm.param_value "box"
  // CHECK: %[[LY:.*]] = arith.addf %[[BOX]], %[[BOX]]
  // CHECK: arith.divf %{{.*}}, %[[LY]]
  // CHECK: %[[HY:.*]] = arith.truncf
  // CHECK: %[[MESH:.*]] = pm.scatter cic [x=4, y=4]
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
  // CHECK-NEXT: %[[U:.*]] = arith.mulf %[[A]], %[[HX]]
  // CHECK-NEXT: %[[V:.*]] = arith.mulf %[[B]], %[[HY]]
  // CHECK-NEXT: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
  // CHECK-NEXT: pm.yield %[[U]], %[[V]], %[[ONE]]
  %mesh = pm.paint cic %px, %py : !P, !P -> !M

  // 1/64.
  // CHECK: %[[RAW:.*]] = pm.fft %[[MESH]] over ["x*2", "y*2"] raw
  // CHECK-NEXT: pm.map {{.*}} ins(%[[RAW]]
  // CHECK: arith.constant 1.562500e-02 : f32
  %k = pm.fft %mesh over ["x*2", "y*2"] : !M -> !K
  %g = pm.ifft %k over ["x*2", "y*2"] : !K -> !M

  // CHECK: pm.map [x=4, y=4]
  // CHECK: %[[I:.*]]:2 = pm.interpolate cic(%{{.*}}, %[[MESH]] {{.*}}) at(
  // CHECK-NEXT: pm.yield %[[I]]#0, %[[I]]#1
  %r:2 = pm.readout cic %g, %mesh at %px, %py : !M, !M at !P, !P -> !P, !P
  // CHECK-NOT: pm.length
  pm.output "r"(%r#0, %r#1 : !P, !P)
  return
}
