// RUN: pm-opt %s --pm-sharding | FileCheck %s

// A batch dim and a dim of space: transforms do not touch the axis of the batch, a
// sum over the batch is a sum over its axis.

!F = !pm.field<[b=4, x=8, y=8], f32>
!K = !pm.field<[b=4, kx=dual(8), ky=half(8)], complex<f32>>
!S = !pm.field<[x=8, y=8], f32>
pm.mesh @ranks axes = ["data", "row"] extents = [1, 1]
pm.layout "b" -> ["data"]
pm.layout "x" -> ["row"]

// CHECK: %[[K:.*]] = pm.fft %{{.*}} over ["x", "y"] raw {bytes = #cost.expr<"8*(5*4/data*8/row-4/data*8/row*5/row)">, transposes = 1 : i64} : !pm.field<[b=4 on(data), x=8 on(row), y=8], f32> -> !pm.field<[b=4 on(data), kx=dual(8), ky=half(8) on(row)], complex<f32>>
// CHECK: pm.ifft %[[K]] {{.*}} transposes = 1
// CHECK: %[[P:.*]] = pm.reduce sum [b=4 on(data), x=8 on(row), y=8] ins(
// CHECK: } -> !pm.partial<!pm.field<[x=8 on(row), y=8], f32>, sum over [data]>
// CHECK: %[[S:.*]] = pm.reduce_fields sum over ["data"](%[[P]]) {bytes = #cost.expr<"4*(8*8/row+(8*8/row)/data*(data-2))">} : !pm.field<[x=8 on(row), y=8], f32> -> !pm.field<[x=8 on(row), y=8], f32>
// CHECK: pm.output "mean"(%[[S]] :
func.func @main() {
  %seed = arith.constant 1 : i64
  %f = pm.white_noise %seed -> !F
  %k = pm.fft %f over ["x", "y"] raw : !F -> !K
  %g = pm.ifft %k over ["x", "y"] : !K -> !F
  %mean = pm.reduce sum [b=4, x=8, y=8] ins(%g : !F) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !S
  pm.output "mean"(%mean : !S)
  return
}
