// RUN: pm-opt %s --pm-count-modes | FileCheck %s

!F = !pm.field<[x=4, y=8], f32>
!K = !pm.field<[kx=dual(4), ky=half(8)], complex<f32>>
!R = !pm.field<[kx=dual(4), ky=half(8)], f32>
!B = !pm.field<[bin=6], f64>

pm.input "f" : !F
func.func @main() {
  %f = pm.input_value "f" -> !F
  %k = pm.fft %f over ["x", "y"] : !F -> !K
  // The square of a mode is that of its conjugate: it counts twice off the planes
  // 0 and 4 of ky.
  // CHECK: pm.reduce sum
  // CHECK-NEXT: ^bb0(%[[E:.*]]: f32):
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1.0{{.*}} : f32
  // CHECK-DAG: %[[TWO:.*]] = arith.constant 2.0{{.*}} : f32
  // CHECK: %[[PAIRS:.*]] = arith.select %{{.*}}, %[[ONE]], %[[TWO]]
  // CHECK: %[[V:.*]] = arith.mulf %[[E]], %[[PAIRS]]
  // CHECK: pm.yield %[[V]]
  %square = pm.map [kx=dual(4), ky=half(8)] ins(%k : !K) {
  ^bb0(%e: complex<f32>):
    %re = complex.re %e : complex<f32>
    %im = complex.im %e : complex<f32>
    %re2 = arith.mulf %re, %re : f32
    %im2 = arith.mulf %im, %im : f32
    %s = arith.addf %re2, %im2 : f32
    pm.yield %s : f32
  } -> !R
  %sum = pm.reduce sum [kx=dual(4), ky=half(8)] ins(%square : !R) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } scalars f64
  pm.output "sum"(%sum : f64)

  // The same with the attribute `stored` keeps its body.
  // CHECK: pm.reduce sum
  // CHECK-NEXT: ^bb0(%[[E:.*]]: f32):
  // CHECK-NEXT: pm.yield %[[E]]
  %stored = pm.reduce sum [kx=dual(4), ky=half(8)] ins(%square : !R) attributes {stored} {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } scalars f64
  pm.output "stored"(%stored : f64)

  // The mode -ky is in another bin: bins of the mirrored modes are added. On the
  // planes, these count in no bin.
  // CHECK: %[[OWN:.*]] = pm.bins
  // CHECK: %[[OTHER:.*]] = pm.bins
  // CHECK: arith.subf %{{.*}}, %{{.*}} : f64
  // CHECK: arith.select %{{.*}}, %c-1_i64, %{{.*}} : i64
  // CHECK: %[[BOTH:.*]] = pm.map [bin=6] ins(%[[OWN]], %[[OTHER]]
  // CHECK: pm.output "bins"(%[[BOTH]]
  %bins = pm.bins [kx=dual(4), ky=half(8)] ins(%k : !K) {
  ^bb0(%e: complex<f32>):
    %ky = pm.coordinate "ky"
    %re = complex.re %e : complex<f32>
    %bin = arith.fptosi %ky : f64 to i64
    pm.yield %bin, %re : i64, f32
  } -> !B
  pm.output "bins"(%bins : !B)
  return
}
