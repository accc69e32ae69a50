// RUN: pm-opt %s --pm-compute-at-readers="elements=64 tiles=true" | FileCheck %s

// On GPUs, a thread computes the cells of one particle. One mesh is enough, also of one dim. The domain has the dims of the mesh.

!F = !pm.field<[x=8, y=8], f32>
!L = !pm.field<[x=64], f32>

// CHECK-LABEL: func.func @one(
func.func @one(%f: !L, %u: !L) -> !L {
  // CHECK: pm.interpolate cic(%{{.*}} : {{.*}}) taps [0, -1, 0, 1] {
  %a = pm.map [x=64] {
    %l = pm.neighbor %f[-1] : !L -> f32
    %r = pm.neighbor %f[1] : !L -> f32
    %d = arith.subf %r, %l : f32
    pm.yield %d : f32
  } -> !L
  %r = pm.map [x=64] ins(%u : !L) {
  ^bb0(%e: f32):
    %v = pm.interpolate cic (%a : !L) at (%e : f32) -> f32
    pm.yield %v : f32
  } -> !L
  return %r : !L
}

// CHECK-LABEL: func.func @batch(
func.func @batch(%f: !F, %u: !pm.field<[x=8, y=8, b=3], f32>) -> !pm.field<[x=8, y=8, b=3], f32> {
  // CHECK: pm.neighbor
  // CHECK-NOT: taps
  %a = pm.map [x=8, y=8] {
    %l = pm.neighbor %f[-1, 0] : !F -> f32
    pm.yield %l : f32
  } -> !F
  %r = pm.map [x=8, y=8, b=3] ins(%u : !pm.field<[x=8, y=8, b=3], f32>) {
  ^bb0(%e: f32):
    %v = pm.interpolate cic (%a : !F) at (%e, %e : f32, f32) -> f32
    pm.yield %v : f32
  } -> !pm.field<[x=8, y=8, b=3], f32>
  return %r : !pm.field<[x=8, y=8, b=3], f32>
}
