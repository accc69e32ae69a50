// A split dim that an index goes along gets a halo; one that is summed over makes partial sums.
// RUN: pm-opt %s --pm-sharding | FileCheck %s

!F = !pm.field<[c=4, x=16], f32>
!W = !pm.field<[o=8, c=4, t=3], f32>
!R = !pm.field<[o=8, x=16], f32>
pm.mesh @ranks axes = ["row"] extents = [1]
pm.layout "x" -> ["row"]
func.func @main() {
  %seed = arith.constant 1 : i64
  %f = pm.white_noise %seed -> !F
  %w = pm.white_noise %seed -> !W
  // CHECK: %[[REACH:.*]] = pm.margin [c=4, x=16 on(row)] below [0, 2] above [0, 0]
  // CHECK: %[[HALO:.*]] = pm.halo_exchange
  // CHECK: %[[R:.*]] = pm.convolve %{{.*}}[0 zero, -2 zero], %{{.*}} halo(%[[HALO]] : {{.*}}) {{.*}} -> !pm.field<[o=8, x=16 on(row)], f32>
  %r = pm.convolve %f[0 zero, -2 zero], %w {divisors = array<i64: 1, 1>, terms = [array<i64: 1, 1>, array<i64: 3, 1, 2, 1>]} : !F, !W -> !R
  // CHECK: %[[D:.*]] = pm.convolve %{{.*}} -> !pm.partial<!pm.field<[o=8, c=4, t=3], f32>, sum over [row]>
  // CHECK: pm.reduce_fields_start sum over ["row"](%[[D]])
  %d = pm.convolve %f[0 zero, -2 zero], %r {divisors = array<i64: 1, 1>, terms = [array<i64: 2, 1>, array<i64: 1, 1, 3, 1>]} : !F, !R -> !W
  pm.output "r"(%r : !R)
  pm.output "d"(%d : !W)
  return
}
