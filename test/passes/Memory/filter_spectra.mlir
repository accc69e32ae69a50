// RUN: pm-opt %s --pm-filter-spectra --remarks-filter=pm-filter-spectra 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t

!F = !pm.field<[x=8, y=8], f32>
!S = !pm.field<[kx=dual(8), ky=half(8)], complex<f32>>
!A = !pm.field<[ky=half(8)], complex<f32>>

// The bytes of fft and ifft are 4 · 64 + 8 · 40, those of the map 2 · 8 · 40 + 8 · 5. The filter has 2 · 4 · 64 + 2 · 8 · 40 + 8 · 5.
// REMARK: a filter of the spectrum; 1192 bytes of memory traffic instead of 1832
// CHECK-LABEL: func.func @filter
// CHECK: %[[R:.*]]:2 = pm.spectral_filter %{{.*}} over ["x", "y"] through [kx=dual(8), ky=half(8)] ins(%{{.*}} : !pm.field<[ky=half(8)], complex<f32>>) {
// CHECK-NEXT: ^bb0(%[[A:.*]]: complex<f32>, %[[MODE:.*]]: complex<f32>):
// CHECK-NEXT: %[[P:.*]] = complex.mul %[[MODE]], %[[A]]
// CHECK-NEXT: pm.yield %[[P]]
// CHECK-NOT: pm.fft
// CHECK: return %[[R]]#0
func.func @filter(%f: !F, %a: !A) -> !F {
  %s = pm.fft %f over ["x", "y"] raw : !F -> !S
  %m = pm.map [kx=dual(8), ky=half(8)] ins(%s, %a : !S, !A) {
  ^bb0(%mode: complex<f32>, %e: complex<f32>):
    %p = complex.mul %mode, %e : complex<f32>
    pm.yield %p : complex<f32>
  } -> !S
  %r = pm.ifft %m over ["x", "y"] : !S -> !F
  return %r : !F
}

// Two readers of the spectrum, and two of the map's result.
// CHECK-LABEL: func.func @readers
// CHECK-NOT: pm.spectral_filter
// CHECK: return
func.func @readers(%f: !F) -> (!F, !F, !F, !S) {
  %s = pm.fft %f over ["x", "y"] raw : !F -> !S
  %m = pm.map [kx=dual(8), ky=half(8)] ins(%s : !S) {
  ^bb0(%mode: complex<f32>):
    pm.yield %mode : complex<f32>
  } -> !S
  %n = pm.map [kx=dual(8), ky=half(8)] ins(%s : !S) {
  ^bb0(%mode: complex<f32>):
    %p = complex.neg %mode : complex<f32>
    pm.yield %p : complex<f32>
  } -> !S
  %r = pm.ifft %m over ["x", "y"] : !S -> !F
  %q = pm.ifft %n over ["x", "y"] : !S -> !F
  %t = pm.fft %f over ["x", "y"] raw : !F -> !S
  %o = pm.map [kx=dual(8), ky=half(8)] ins(%t : !S) {
  ^bb0(%mode: complex<f32>):
    %p = complex.neg %mode : complex<f32>
    pm.yield %p : complex<f32>
  } -> !S
  %u = pm.ifft %o over ["x", "y"] : !S -> !F
  return %r, %q, %u, %o : !F, !F, !F, !S
}

// A map of several results, one that reads neighbors, and one in a loop.
// CHECK-LABEL: func.func @others
// CHECK-NOT: pm.spectral_filter
// CHECK: return
func.func @others(%f: !F, %n: index) -> (!F, !F, !F) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = pm.fft %f over ["x", "y"] raw : !F -> !S
  %m:2 = pm.map [kx=dual(8), ky=half(8)] ins(%s : !S) {
  ^bb0(%mode: complex<f32>):
    %p = complex.neg %mode : complex<f32>
    pm.yield %mode, %p : complex<f32>, complex<f32>
  } -> !S, !S
  %r = pm.ifft %m#0 over ["x", "y"] : !S -> !F
  %q = pm.ifft %m#1 over ["x", "y"] : !S -> !F
  %t = pm.fft %f over ["x", "y"] raw : !F -> !S
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%g = %f) -> !F {
    %o = pm.map [kx=dual(8), ky=half(8)] ins(%t : !S) {
    ^bb0(%mode: complex<f32>):
      %p = complex.neg %mode : complex<f32>
      pm.yield %p : complex<f32>
    } -> !S
    %u = pm.ifft %o over ["x", "y"] : !S -> !F
    scf.yield %u : !F
  }
  return %r, %q, %l : !F, !F, !F
}

// A transform back over one of the dims leaves modes along the other one.
// CHECK-LABEL: func.func @apart
// CHECK-NOT: pm.spectral_filter
// CHECK: return
func.func @apart(%f: !F) -> !pm.field<[x=8, ky=half(8)], complex<f32>> {
  %s = pm.fft %f over ["x", "y"] raw : !F -> !S
  %m = pm.map [kx=dual(8), ky=half(8)] ins(%s : !S) {
  ^bb0(%mode: complex<f32>):
    %p = complex.neg %mode : complex<f32>
    pm.yield %p : complex<f32>
  } -> !S
  %r = pm.ifft %m over ["x"] : !S -> !pm.field<[x=8, ky=half(8)], complex<f32>>
  return %r : !pm.field<[x=8, ky=half(8)], complex<f32>>
}

// Over ranks, with the transposes.
// CHECK-LABEL: func.func @ranks
// CHECK: pm.spectral_filter %{{.*}} over ["x", "y"] through [kx=dual(8), ky=half(8) on(row)]
// CHECK-NOT: pm.ifft
func.func @ranks(%f: !pm.field<[x=8 on(row), y=8], f32>) -> !pm.field<[x=8 on(row), y=8], f32> {
  %s = pm.fft %f over ["x", "y"] raw : !pm.field<[x=8 on(row), y=8], f32> -> !pm.field<[kx=dual(8), ky=half(8) on(row)], complex<f32>>
  %m = pm.map [kx=dual(8), ky=half(8) on(row)] ins(%s : !pm.field<[kx=dual(8), ky=half(8) on(row)], complex<f32>>) {
  ^bb0(%mode: complex<f32>):
    %p = complex.neg %mode : complex<f32>
    pm.yield %p : complex<f32>
  } -> !pm.field<[kx=dual(8), ky=half(8) on(row)], complex<f32>>
  %r = pm.ifft %m over ["x", "y"] : !pm.field<[kx=dual(8), ky=half(8) on(row)], complex<f32>> -> !pm.field<[x=8 on(row), y=8], f32>
  return %r : !pm.field<[x=8 on(row), y=8], f32>
}

pm.mesh @mesh axes = ["row"] extents = [2]
