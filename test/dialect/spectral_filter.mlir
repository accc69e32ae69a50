// RUN: pm-opt %s | pm-opt | FileCheck %s
// RUN: pm-opt %s --mlir-print-op-generic | pm-opt | FileCheck %s
// RUN: pm-opt %s --canonicalize | FileCheck %s --check-prefix=CANON

!F = !pm.field<[x=8, y=8], f32>
!S = !pm.field<[kx=dual(8), ky=half(8)], complex<f32>>
!A = !pm.field<[kx=dual(8)], f32>
!C = !pm.field<[b=3, x=8], complex<f64>>
!D = !pm.field<[b=3, kx=dual(8)], complex<f64>>

// CHECK-LABEL: func.func @reals
func.func @reals(%f: !F, %a: !A) -> !F {
  // CHECK: %[[R:.*]]:2 = pm.spectral_filter %{{.*}} over ["x", "y"] through [kx=dual(8), ky=half(8)] ins(%{{.*}} : !pm.field<[kx=dual(8)], f32>) {
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %[[MODE:.*]]: complex<f32>):
  // CHECK: pm.coordinate "ky"
  // CHECK: pm.yield %{{.*}} : complex<f32>
  // CHECK-NEXT: } : !pm.field<[x=8, y=8], f32> -> !pm.field<[x=8, y=8], f32>, !pm.field<[kx=dual(8), ky=half(8)], complex<f32>>
  // CHECK: return %[[R]]#0
  %r, %memory = pm.spectral_filter %f over ["x", "y"] through [kx=dual(8), ky=half(8)] ins(%a : !A) {
  ^bb0(%e: f32, %mode: complex<f32>):
    %k = pm.coordinate "ky"
    %t = arith.truncf %k : f64 to f32
    %s = arith.mulf %e, %t : f32
    %z = arith.constant 0.0 : f32
    %c = complex.create %s, %z : complex<f32>
    %p = complex.mul %c, %mode : complex<f32>
    pm.yield %p : complex<f32>
  } : !F -> !F, !S
  return %r : !F
}

// CHECK-LABEL: func.func @complexes
func.func @complexes(%f: !C) -> !C {
  // CHECK: pm.spectral_filter %{{.*}} over ["x"] through [b=3, kx=dual(8)] {
  %r, %memory = pm.spectral_filter %f over ["x"] through [b=3, kx=dual(8)] {
  ^bb0(%mode: complex<f64>):
    %n = complex.neg %mode : complex<f64>
    pm.yield %n : complex<f64>
  } : !C -> !C, !D
  return %r : !C
}

// The mode stays the last argument where inputs go.
// CANON-LABEL: func.func @twice
func.func @twice(%f: !F, %a: !A) -> !F {
  // CANON: pm.spectral_filter %{{.*}} ins(%{{.*}} : !pm.field<[kx=dual(8)], f32>) {
  // CANON-NEXT: ^bb0(%{{.*}}: f32, %[[MODE:.*]]: complex<f32>):
  // CANON: complex.mul %{{.*}}, %[[MODE]]
  %r, %memory = pm.spectral_filter %f over ["x", "y"] through [kx=dual(8), ky=half(8)] ins(%a, %a : !A, !A) {
  ^bb0(%e: f32, %same: f32, %mode: complex<f32>):
    %c = complex.create %e, %same : complex<f32>
    %p = complex.mul %c, %mode : complex<f32>
    pm.yield %p : complex<f32>
  } : !F -> !F, !S
  return %r : !F
}

// Nothing uses the result.
// CANON-LABEL: func.func @unused
// CANON-NOT: pm.spectral_filter
// CANON: return
func.func @unused(%f: !C) {
  %r, %memory = pm.spectral_filter %f over ["x"] through [b=3, kx=dual(8)] {
  ^bb0(%mode: complex<f64>):
    pm.yield %mode : complex<f64>
  } : !C -> !C, !D
  return
}
