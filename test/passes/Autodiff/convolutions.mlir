// The derivatives of a convolution are convolutions: in the field with the offsets turned around, in the weights of the same field.
// RUN: pm-opt %s --pm-autodiff --pm-inline | FileCheck %s

!F = !pm.field<[c=4, x=16], f32>
!W = !pm.field<[o=8, c=4, t=3], f32>
!R = !pm.field<[o=8, x=16], f32>

func.func private @product(%f: !F, %w: !W) -> !R {
  %r = pm.convolve %f[0 zero, -1 zero], %w {divisors = array<i64: 1, 1>, terms = [array<i64: 1, 1>, array<i64: 3, 1, 2, 1>]} : !F, !W -> !R
  return %r : !R
}
// CHECK-LABEL: func.func @main
// CHECK-DAG: pm.convolve %{{.*}}[0 zero, -1 zero], %{{.*}} {{.*}} : !pm.field<[c=4, x=16], f32>, !pm.field<[o=8, x=16], f32> -> !pm.field<[o=8, c=4, t=3], f32>
// CHECK-DAG: pm.convolve %{{.*}}[0 {{.*}}, 1 zero], %{{.*}}array<i64: 3, 1, 2, -1>{{.*}} : !pm.field<[o=8, x=16], f32>, !pm.field<[o=8, c=4, t=3], f32> -> !pm.field<[c=4, x=16], f32>
func.func @main() {
  %seed = arith.constant 1 : i64
  %f = pm.white_noise %seed -> !F
  %w = pm.white_noise %seed -> !W
  %c = pm.white_noise %seed -> !R
  %v:3 = pm.vjp @product(%f, %w) wrt [0, 1] of [0](%c) schedule keep : (!F, !W), (!R) -> (!R, !F, !W)
  pm.output "f"(%v#1 : !F)
  pm.output "w"(%v#2 : !W)
  return
}

// Of an index that falls along the result, the adjoint's index falls, too, from the same offset on: x' = 14 - x + t for x = 14 - x' + t.
func.func private @mirrored(%f: !F, %w: !W) -> !R {
  %r = pm.convolve %f[0 zero, 14 zero], %w {divisors = array<i64: 1, 1>, terms = [array<i64: 1, 1>, array<i64: 3, -1, 2, 1>]} : !F, !W -> !R
  return %r : !R
}
// CHECK-LABEL: func.func @turned
// CHECK: pm.convolve %{{.*}}[0 {{.*}}, 14 zero], %{{.*}}array<i64: 3, -1, 2, 1>{{.*}} : !pm.field<[o=8, x=16], f32>, !pm.field<[o=8, c=4, t=3], f32> -> !pm.field<[c=4, x=16], f32>
func.func @turned() {
  %seed = arith.constant 1 : i64
  %f = pm.white_noise %seed -> !F
  %w = pm.white_noise %seed -> !W
  %c = pm.white_noise %seed -> !R
  %v:2 = pm.vjp @mirrored(%f, %w) wrt [0] of [0](%c) schedule keep : (!F, !W), (!R) -> (!R, !F)
  pm.output "turned"(%v#1 : !F)
  return
}
