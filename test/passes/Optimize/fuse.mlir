// RUN: pm-opt %s --pm-fuse --split-input-file | FileCheck %s
// RUN: pm-opt %s --pm-fuse --split-input-file -o /dev/null --remarks-filter=pm-fuse 2>&1 | FileCheck %s --check-prefix=REMARK

!F = !pm.field<[x=8, y=8], f32>
!K = !pm.field<[kx=dual(8), ky=half(8)], complex<f32>>

// A map goes into a map, which goes into a reduction; its other reader takes
// the result it keeps.
// CHECK-LABEL: @chain
// CHECK: %[[B:.*]] = pm.map {{.*}} ins(%{{.*}} : {{.*}}) {
// CHECK-NOT: pm.map
// CHECK: pm.reduce sum {{.*}} ins(%[[B]]
// CHECK: arith.addf
// CHECK: scalars f64
// CHECK: return %[[B]]
// REMARK: not fused with {{.*}} others read the field too
func.func @chain(%a: !F, %b: !F) -> (!F, f64) {
  %p = pm.map [x=8, y=8] ins(%a, %b : !F, !F) {
  ^bb0(%e: f32, %f: f32):
    %r = arith.mulf %e, %f : f32
    pm.yield %r : f32
  } -> !F
  %q = pm.map [x=8, y=8] ins(%p, %b : !F, !F) {
  ^bb0(%e: f32, %f: f32):
    %r = arith.addf %e, %f : f32
    pm.yield %r : f32
  } -> !F
  %s = pm.reduce sum [x=8, y=8] ins(%q, %q : !F, !F) {
  ^bb0(%e: f32, %f: f32):
    %r = arith.addf %e, %f : f32
    pm.yield %r : f32
  } scalars f64
  return %q, %s : !F, f64
}

// -----

!F = !pm.field<[x=8, y=8], f32>
!K = !pm.field<[kx=dual(8), ky=half(8)], complex<f32>>

// The factor of a transform is computed where it is used, also in a branch.
// CHECK-LABEL: @factor
// CHECK: %[[RAW:.*]] = pm.fft
// CHECK-NEXT: pm.map {{.*}} ins(%[[RAW]]
// CHECK: scf.if
// CHECK: pm.map {{.*}} ins(%[[RAW]]
func.func @factor(%a: !F, %c: i1) {
  %raw = pm.fft %a over ["x", "y"] raw : !F -> !K
  %k = pm.map [kx=dual(8), ky=half(8)] ins(%raw : !K) {
  ^bb0(%e: complex<f32>):
    %n = arith.constant 1.5625e-02 : f32
    %re = complex.re %e : complex<f32>
    %im = complex.im %e : complex<f32>
    %s = arith.mulf %re, %n : f32
    %t = arith.mulf %im, %n : f32
    %r = complex.create %s, %t : complex<f32>
    pm.yield %r : complex<f32>
  } -> !K
  %u = pm.map [kx=dual(8), ky=half(8)] ins(%k : !K) {
  ^bb0(%e: complex<f32>):
    %r = complex.neg %e : complex<f32>
    pm.yield %r : complex<f32>
  } -> !K
  pm.output "u"(%u : !K)
  scf.if %c {
    %v = pm.map [kx=dual(8), ky=half(8)] ins(%k : !K) {
    ^bb0(%e: complex<f32>):
      %r = complex.conj %e : complex<f32>
      pm.yield %r : complex<f32>
    } -> !K
    pm.output "v"(%v : !K)
  }
  return
}

// -----

!F = !pm.field<[x=8, y=8], f32>
!K = !pm.field<[kx=dual(8), ky=half(8)], complex<f32>>

// Two fields end in a sum before a transform: fused behind it, both would live
// through it.
// CHECK-LABEL: @memory
// CHECK: %[[S:.*]] = pm.map
// CHECK: pm.fft
// CHECK: pm.map [x=8, y=8] ins(%[[S]], %{{.*}} :
// CHECK-NOT: pm.map
// CHECK: return
// REMARK: not fused with {{.*}} more fields would be live in between
func.func @memory(%a0: !F, %b0: !F) {
  %k0 = pm.fft %a0 over ["x", "y"] raw : !F -> !K
  %a = pm.ifft %k0 over ["x", "y"] : !K -> !F
  %k1 = pm.fft %b0 over ["x", "y"] raw : !F -> !K
  %b = pm.ifft %k1 over ["x", "y"] : !K -> !F
  %s = pm.map [x=8, y=8] ins(%a, %b : !F, !F) {
  ^bb0(%e: f32, %f: f32):
    %r = arith.addf %e, %f : f32
    pm.yield %r : f32
  } -> !F
  %k2 = pm.fft %a0 over ["x", "y"] raw : !F -> !K
  %c = pm.ifft %k2 over ["x", "y"] : !K -> !F
  %t = pm.map [x=8, y=8] ins(%s, %c : !F, !F) {
  ^bb0(%e: f32, %f: f32):
    %r = arith.subf %e, %f : f32
    pm.yield %r : f32
  } -> !F
  pm.output "t"(%t : !F)
  return
}

// -----

!F = !pm.field<[x=8, y=8], f32>
!K = !pm.field<[kx=dual(8), ky=half(8)], complex<f32>>

// Siblings that read the same fields become one loop, which can write in
// place; with a transform in between they do not.
// CHECK-LABEL: @siblings
// CHECK: %[[S:.*]]:2 = pm.map {{.*}} ins(%arg0, %arg1 :
// CHECK-NOT: pm.map {{.*}} ins(%arg0
// CHECK: return %[[S]]#0, %[[S]]#1
func.func @siblings(%a: !F, %b: !F, %w: f32) -> (!F, !F) {
  %p = pm.map [x=8, y=8] ins(%a, %b : !F, !F) {
  ^bb0(%e: f32, %f: f32):
    %r = arith.addf %e, %f : f32
    pm.yield %r : f32
  } -> !F
  %v = arith.mulf %w, %w : f32
  %q = pm.map [x=8, y=8] ins(%a, %b : !F, !F) {
  ^bb0(%e: f32, %f: f32):
    %g = arith.mulf %v, %f : f32
    %r = arith.subf %e, %g : f32
    pm.yield %r : f32
  } -> !F
  return %p, %q : !F, !F
}

// CHECK-LABEL: @apart
// CHECK: pm.map
// CHECK: pm.ifft
// CHECK: pm.map
// CHECK: pm.ifft
func.func @apart(%k: !K) -> (!F, !F) {
  %p = pm.map [kx=dual(8), ky=half(8)] ins(%k : !K) {
  ^bb0(%e: complex<f32>):
    %r = complex.neg %e : complex<f32>
    pm.yield %r : complex<f32>
  } -> !K
  %f = pm.ifft %p over ["x", "y"] : !K -> !F
  %q = pm.map [kx=dual(8), ky=half(8)] ins(%k : !K) {
  ^bb0(%e: complex<f32>):
    %r = complex.conj %e : complex<f32>
    pm.yield %r : complex<f32>
  } -> !K
  %g = pm.ifft %q over ["x", "y"] : !K -> !F
  return %f, %g : !F, !F
}

// -----

!F = !pm.field<[x=8, y=8], f32>

// A mesh that is read at other places must be whole before.
// CHECK-LABEL: @interpolated
// CHECK: %[[M:.*]] = pm.map
// CHECK: pm.map
// CHECK: pm.interpolate cic(%[[M]]
// REMARK: not fused with {{.*}} at other elements too
func.func @interpolated(%a: !F, %b: !F) -> !F {
  %m = pm.map [x=8, y=8] ins(%a, %b : !F, !F) {
  ^bb0(%e: f32, %f: f32):
    %r = arith.addf %e, %f : f32
    pm.yield %r : f32
  } -> !F
  %v = pm.map [x=8, y=8] ins(%a, %b : !F, !F) {
  ^bb0(%e: f32, %f: f32):
    %r = pm.interpolate cic (%m : !F) at (%e, %f : f32, f32) -> f32
    pm.yield %r : f32
  } -> !F
  return %v : !F
}

// -----

!F = !pm.field<[x=8, y=8], f32>

// What nothing reads is not computed.
// CHECK-LABEL: @unused
// CHECK: %[[R:.*]] = pm.map [x=8, y=8] ins(%arg0 :
// CHECK-NOT: arith.addf
// CHECK: return %[[R]]
func.func @unused(%a: !F, %b: !F) -> !F {
  %m:2 = pm.map [x=8, y=8] ins(%a, %b : !F, !F) {
  ^bb0(%e: f32, %f: f32):
    %r = arith.addf %e, %f : f32
    %s = arith.mulf %e, %e : f32
    pm.yield %r, %s : f32, f32
  } -> !F, !F
  return %m#1 : !F
}
