// RUN: pm-opt %s --pm-sharding | FileCheck %s

// The spec requires col on kx: row stays where the fewest transposes put it, z has none.

!K = !pm.field<[kx=dual(8), ky=dual(8), kz=half(8)], complex<f32>>
!F = !pm.field<[x=8, y=8, z=8], f32>
pm.mesh @ranks axes = ["row", "col"] extents = [1, 1]
pm.layout "x" -> ["row"]
pm.layout "y" -> ["col"]
pm.layout "kx" -> ["col"]

// CHECK-NOT: pm.reshard
// CHECK:     %[[F:.*]] = pm.white_noise %{{.*}} -> !pm.field<[x=8 on(row), y=8 on(col), z=8], f32>
// CHECK:     %[[K:.*]] = pm.fft %[[F]] over ["x", "y", "z"] raw {bytes = #cost.expr<"8*(5*8/row*8/col-8/row*8/col*5/row/col)+8*(64*5/row/col-8/col*8/row*5/row/col)">, transposes = 2 : i64} : {{.*}} -> !pm.field<[kx=dual(8) on(col), ky=dual(8) on(row), kz=half(8)], complex<f32>>
// CHECK:     %[[T:.*]] = pm.map [ky=dual(8) on(row)] {
// CHECK:     %[[M:.*]] = pm.map [kx=dual(8) on(col), ky=dual(8) on(row), kz=half(8)] ins(%[[K]], %[[T]] : !pm.field<[kx=dual(8) on(col), ky=dual(8) on(row), kz=half(8)], complex<f32>>, !pm.field<[ky=dual(8) on(row)], f64>)
// CHECK:     %[[G:.*]] = pm.ifft %[[M]] over ["x", "y", "z"] {bytes = #cost.expr<"8*(5*8/col*8/row-8/col*8/row*5/row/col)+8*(64*5/row/col-8/row*8/col*5/row/col)">, transposes = 2 : i64} : {{.*}} -> !pm.field<[x=8 on(row), y=8 on(col), z=8], f32>
// CHECK:     pm.output "g"(%[[G]] :
// CHECK-NOT: pm.reshard
func.func @main() {
  %seed = arith.constant 1 : i64
  %f = pm.white_noise %seed -> !F
  %k = pm.fft %f over ["x", "y", "z"] raw : !F -> !K
  %t = pm.map [ky=dual(8)] {
    %c = pm.coordinate "ky"
    %s = arith.mulf %c, %c : f64
    pm.yield %s : f64
  } -> !pm.field<[ky=dual(8)], f64>
  %m = pm.map [kx=dual(8), ky=dual(8), kz=half(8)] ins(%k, %t : !K, !pm.field<[ky=dual(8)], f64>) {
  ^bb0(%e: complex<f32>, %s: f64):
    %u = arith.truncf %s : f64 to f32
    %re = complex.re %e : complex<f32>
    %v = arith.mulf %re, %u : f32
    %r = complex.create %v, %u : complex<f32>
    pm.yield %r : complex<f32>
  } -> !K
  %g = pm.ifft %m over ["x", "y", "z"] : !K -> !F
  pm.output "g"(%g : !F)
  return
}
