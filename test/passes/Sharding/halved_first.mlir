// RUN: pm-opt %s --pm-sharding | FileCheck %s

// The axis of y moves to kz, which is full, although the halved kx is the first dim without an axis.

!F = !pm.field<[x=8, y=8, z=8], f32>
!H = !pm.field<[kx=half(8), y=8, z=8], complex<f32>>
!K = !pm.field<[kx=half(8), ky=dual(8), kz=dual(8)], complex<f32>>
pm.mesh @ranks axes = ["row"] extents = [1]
pm.layout "y" -> ["row"]

// CHECK: pm.fft %{{.*}} over ["x"] raw {{.*}} -> !pm.field<[kx=half(8), y=8 on(row), z=8], complex<f32>>
// CHECK: pm.fft %{{.*}} over ["y", "z"] raw {{.*}} -> !pm.field<[kx=half(8), ky=dual(8), kz=dual(8) on(row)], complex<f32>>
func.func @main() {
  %seed = arith.constant 1 : i64
  %f = pm.white_noise %seed -> !F
  %h = pm.fft %f over ["x"] raw : !F -> !H
  %k = pm.fft %h over ["y", "z"] raw : !H -> !K
  %l = pm.ifft %k over ["y", "z"] : !K -> !H
  %g = pm.ifft %l over ["x"] : !H -> !F
  pm.output "g"(%g : !F)
  return
}
