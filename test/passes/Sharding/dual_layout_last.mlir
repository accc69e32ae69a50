// RUN: pm-opt %s --pm-sharding | FileCheck %s

// The spec requires row on kz, which has col by default. Therefore col splits the first dual without an axis, so that each rank has a part.

!K = !pm.field<[kx=dual(8), ky=dual(8), kz=half(8)], complex<f32>>
!F = !pm.field<[x=8, y=8, z=8], f32>
pm.mesh @ranks axes = ["row", "col"] extents = [1, 1]
pm.layout "x" -> ["row"]
pm.layout "y" -> ["col"]
pm.layout "kz" -> ["row"]

// CHECK: pm.fft %{{.*}} over ["x", "y", "z"] raw {{.*}} -> !pm.field<[kx=dual(8) on(col), ky=dual(8), kz=half(8) on(row)], complex<f32>>
// CHECK: pm.ifft %{{.*}} -> !pm.field<[x=8 on(row), y=8 on(col), z=8], f32>
func.func @main() {
  %seed = arith.constant 1 : i64
  %f = pm.white_noise %seed -> !F
  %k = pm.fft %f over ["x", "y", "z"] raw : !F -> !K
  %g = pm.ifft %k over ["x", "y", "z"] : !K -> !F
  pm.output "g"(%g : !F)
  return
}
