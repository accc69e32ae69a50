// RUN: pm-opt %s --pm-autodiff --split-input-file | FileCheck %s

!F = !pm.field<[x=8, y=6], f32>
!X = !pm.field<[x=8], f32>

// A map's adjoint is a map; what is broadcast gets a sum over the other dims, a
// number of the surrounding code one over the domain.
// CHECK-LABEL: func private @scale.vjp(
// CHECK-SAME: %[[F:[^:]*]]: !pm.field<[x=8, y=6], f32>, %[[A:[^:]*]]: !pm.field<[x=8], f32>, %[[S:[^:]*]]: f64, %[[RB:[^:]*]]: !pm
// CHECK: %[[FB:.*]] = pm.map [x=8, y=6] ins(%[[A]], %[[RB]]
// CHECK: %[[AB:.*]] = pm.reduce sum [x=8, y=6] ins(%[[F]], %[[RB]]
// CHECK: -> !pm.field<[x=8], f32>
// CHECK: %[[SB:.*]] = pm.reduce sum [x=8, y=6] ins(%[[F]], %[[A]], %[[RB]]
// CHECK: arith.extf
// CHECK: scalars f64
// CHECK: return %{{.*}}, %[[FB]], %[[AB]], %[[SB]]
func.func private @scale(%f: !F, %a: !X, %s: f64) -> !F {
  %r = pm.map [x=8, y=6] ins(%f, %a : !F, !X) {
  ^bb0(%e: f32, %b: f32):
    %t = arith.truncf %s : f64 to f32
    %p = arith.mulf %e, %b : f32
    %q = arith.mulf %p, %t : f32
    pm.yield %q : f32
  } -> !F
  return %r : !F
}
func.func @main(%f: !F, %a: !X, %s: f64) -> (!F, !X, f64) {
  %v:4 = pm.vjp @scale(%f, %a, %s) wrt [0, 1, 2] of [0] (%f) schedule keep : (!F, !X, f64), (!F) -> (!F, !F, !X, f64)
  return %v#1, %v#2, %v#3 : !F, !X, f64
}

// -----

!F = !pm.field<[x=8], f32>

// The cotangent of a sum goes to every element; that of a maximum to those that
// have it, in equal shares.
// CHECK-LABEL: func private @sums.vjp(
// CHECK-SAME: %[[F:.*]]: !pm.field<[x=8], f32>, %[[SB:[^:]*]]: f64, %[[MB:[^:]*]]: f64)
// CHECK: %[[M:.*]] = pm.reduce max
// CHECK: %[[N:.*]] = pm.reduce sum [x=8] ins(%[[F]]
// CHECK: arith.cmpf oeq, %{{.*}}, %[[M]]
// CHECK: pm.map [x=8] ins(%[[F]]
// CHECK-DAG: arith.cmpf oeq, %{{.*}}, %[[M]]
// CHECK-DAG: arith.divf
// CHECK: pm.map [x=8] ins(%[[F]]
// CHECK: arith.truncf %[[SB]]
func.func private @sums(%f: !F) -> (f64, f64) {
  %s = pm.reduce sum [x=8] ins(%f : !F) {
  ^bb0(%e: f32):
    %q = arith.mulf %e, %e : f32
    pm.yield %q : f32
  } scalars f64
  %m = pm.reduce max [x=8] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } scalars f64
  return %s, %m : f64, f64
}
func.func @main(%f: !F, %s: f64) -> !F {
  %v:3 = pm.vjp @sums(%f) wrt [0] of [0, 1] (%s, %s) schedule keep : (!F), (f64, f64) -> (f64, f64, !F)
  return %v#2 : !F
}

// -----

!K = !pm.field<[kx=dual(8), ky=half(6)], f64>
!H = !pm.field<[ky=half(6)], f64>
!X = !pm.field<[kx=dual(8)], f64>

// Along a half dim that stays, both sides are half spectra and there is no
// factor. A sum over it counts elements and the inner product modes: the adjoint
// of the sum divides by the modes of an element, that of a broadcast multiplies.
// CHECK-LABEL: func private @spread.vjp(
// CHECK-NOT: pm.coordinate
// CHECK: pm.reduce sum [kx=dual(8), ky=half(6)]
// CHECK-NOT: pm.coordinate
// CHECK: -> !pm.field<[ky=half(6)], f64>
// CHECK-LABEL: func private @gather.vjp(
// CHECK-NOT: pm.coordinate
// CHECK: pm.map [kx=dual(8), ky=half(6)]
// CHECK-NOT: pm.coordinate
// CHECK: return
// CHECK-LABEL: func private @total.vjp(
// CHECK-DAG: %[[HALF:.*]] = arith.constant 5.000000e-01 : f64
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f64
// CHECK: pm.map [kx=dual(8), ky=half(6)]
// CHECK: %[[SHARE:.*]] = arith.select %{{.*}}, %[[ONE]], %[[HALF]] : f64
// CHECK: arith.mulf %{{.*}}, %[[SHARE]]
// CHECK-LABEL: func private @lift.vjp(
// CHECK: pm.reduce sum [kx=dual(8), ky=half(6)]
// CHECK: %[[PAIRS:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : f64
// CHECK: arith.mulf %{{.*}}, %[[PAIRS]]
// CHECK: -> !pm.field<[kx=dual(8)], f64>
func.func private @spread(%h: !H) -> !K {
  %r = pm.map [kx=dual(8), ky=half(6)] ins(%h : !H) {
  ^bb0(%e: f64):
    pm.yield %e : f64
  } -> !K
  return %r : !K
}
func.func private @gather(%k: !K) -> !H {
  %r = pm.reduce sum [kx=dual(8), ky=half(6)] ins(%k : !K) {
  ^bb0(%e: f64):
    pm.yield %e : f64
  } -> !H
  return %r : !H
}
func.func private @total(%k: !K) -> f64 {
  %r = pm.reduce sum [kx=dual(8), ky=half(6)] ins(%k : !K) {
  ^bb0(%e: f64):
    pm.yield %e : f64
  } scalars f64
  return %r : f64
}
func.func private @lift(%x: !X) -> !K {
  %r = pm.map [kx=dual(8), ky=half(6)] ins(%x : !X) {
  ^bb0(%e: f64):
    pm.yield %e : f64
  } -> !K
  return %r : !K
}
func.func @main(%h: !H, %k: !K, %x: !X, %s: f64) -> (!H, !K, !K, !X) {
  %v:2 = pm.vjp @spread(%h) wrt [0] of [0] (%k) schedule keep : (!H), (!K) -> (!K, !H)
  %w:2 = pm.vjp @gather(%k) wrt [0] of [0] (%h) schedule keep : (!K), (!H) -> (!H, !K)
  %t:2 = pm.vjp @total(%k) wrt [0] of [0] (%s) schedule keep : (!K), (f64) -> (f64, !K)
  %l:2 = pm.vjp @lift(%x) wrt [0] of [0] (%k) schedule keep : (!X), (!K) -> (!K, !X)
  return %v#1, %w#1, %t#1, %l#1 : !H, !K, !K, !X
}

// -----

!F = !pm.field<[x=8], f64>
!B = !pm.field<[bin=4], f64>

// Every element reads the cotangent of its bin, if it has one.
// CHECK-LABEL: func private @histogram.vjp(
// CHECK-SAME: %{{.*}}, %[[RB:.*]]: !pm.field<[bin=4], f64>)
// CHECK: pm.map [x=8]
// CHECK: %[[BIN:.*]] = arith.fptosi
// CHECK: arith.cmpi ult, %[[BIN]]
// CHECK: pm.cell %[[RB]][
func.func private @histogram(%f: !F) -> !B {
  %r = pm.bins [x=8] ins(%f : !F) {
  ^bb0(%e: f64):
    %i = arith.fptosi %e : f64 to i64
    %q = arith.mulf %e, %e : f64
    pm.yield %i, %q : i64, f64
  } -> !B
  return %r : !B
}
func.func @main(%f: !F, %b: !B) -> !F {
  %v:2 = pm.vjp @histogram(%f) wrt [0] of [0] (%b) schedule keep : (!F), (!B) -> (!B, !F)
  return %v#1 : !F
}
