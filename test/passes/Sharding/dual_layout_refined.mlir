// RUN: pm-opt %s --pm-sharding | FileCheck %s
// RUN: sed 's/\*2=/\/2=/g; s/\*2"/\/2"/g' %s | pm-opt --pm-sharding | FileCheck %s --check-prefix=COARSE

// The layout of a dual is also that of the duals of finer and coarser dims.

!K = !pm.field<[kx*2=dual(16), ky*2=dual(16), kz*2=half(16)], complex<f32>>
!F = !pm.field<[x*2=16, y*2=16, z*2=16], f32>
pm.mesh @ranks axes = ["row", "col"] extents = [1, 1]
pm.layout "x" -> ["row"]
pm.layout "y" -> ["col"]
pm.layout "kx" -> ["col"]

// CHECK: pm.fft %{{.*}} over ["x*2", "y*2", "z*2"] raw {{.*}} -> !pm.field<[kx*2=dual(16) on(col), ky*2=dual(16) on(row), kz*2=half(16)], complex<f32>>
// COARSE: pm.fft %{{.*}} over ["x/2", "y/2", "z/2"] raw {{.*}} -> !pm.field<[kx/2=dual(16) on(col), ky/2=dual(16) on(row), kz/2=half(16)], complex<f32>>
func.func @main() {
  %seed = arith.constant 1 : i64
  %f = pm.white_noise %seed -> !F
  %k = pm.fft %f over ["x*2", "y*2", "z*2"] raw : !F -> !K
  %g = pm.ifft %k over ["x*2", "y*2", "z*2"] : !K -> !F
  pm.output "g"(%g : !F)
  return
}
