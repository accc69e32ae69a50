// RUN: pm-opt %s --pm-sharding | FileCheck %s

// Loops, branches and choices hand on parts. A halo lives in the loop that reads it;
// a table is split where it is made, before the loop.

!F = !pm.field<[x=8, y=8], f32>
!K = !pm.field<[kx=dual(8), ky=half(8)], complex<f32>>
!T = !pm.field<[ky=half(8)], f32>
pm.mesh @ranks axes = ["row"] extents = [1]
pm.layout "x" -> ["row"]
pm.input "given" : !F {optional}

// CHECK: pm.input "given" : !pm.field<[x=8 on(row), y=8], f32>
func.func @main() {
  %seed = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %isGiven = pm.given "given"
  // CHECK: %[[START:.*]] = scf.if %{{.*}} -> (!pm.field<[x=8 on(row), y=8], f32>) {
  %start = scf.if %isGiven -> !F {
    %f = pm.input_value "given" -> !F
    scf.yield %f : !F
  } else {
    %f = pm.white_noise %seed -> !F
    scf.yield %f : !F
  }
  %other = pm.white_noise %seed -> !F
  // CHECK: %[[CHOICE:.*]] = arith.select %{{.*}}, %[[START]], %{{.*}} : !pm.field<[x=8 on(row), y=8], f32>
  %choice = arith.select %isGiven, %start, %other : !F
  // CHECK: %[[T:.*]] = pm.map [ky=half(8) on(row)] {
  %t = pm.map [ky=half(8)] {
    %c = pm.coordinate "ky"
    %s = arith.truncf %c : f64 to f32
    pm.yield %s : f32
  } -> !T
  // CHECK: scf.for {{.*}} iter_args(%[[U:.*]] = %[[CHOICE]]) -> (!pm.field<[x=8 on(row), y=8], f32>) {
  %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%u = %choice) -> (!F) {
    // CHECK-NOT: pm.map [ky
    // CHECK: pm.fft
    %k = pm.fft %u over ["x", "y"] raw : !F -> !K
    // CHECK: pm.map [kx=dual(8), ky=half(8) on(row)] ins(%{{.*}}, %[[T]] :
    %l = pm.map [kx=dual(8), ky=half(8)] ins(%k, %t : !K, !T) {
    ^bb0(%e: complex<f32>, %s: f32):
      %re = complex.re %e : complex<f32>
      %m = arith.mulf %re, %s : f32
      %r = complex.create %m, %s : complex<f32>
      pm.yield %r : complex<f32>
    } -> !K
    %g = pm.ifft %l over ["x", "y"] : !K -> !F
    // CHECK: pm.displacement_bound
    // CHECK: pm.halo_exchange
    %v = pm.map [x=8, y=8] ins(%u : !F) {
    ^bb0(%e: f32):
      // CHECK: pm.interpolate
      %s = pm.interpolate cic (%g : !F) at (%e, %e : f32, f32) -> f32
      pm.yield %s : f32
    } -> !F
    // CHECK: pm.halo_close
    // CHECK-NEXT: scf.yield %{{.*}} : !pm.field<[x=8 on(row), y=8], f32>
    scf.yield %v : !F
  }
  pm.output "end"(%end : !F)
  return
}
