// RUN: pm-opt %s --split-input-file --verify-diagnostics

!F = !pm.field<[x=8, y=8], f32>
!S = !pm.field<[kx=dual(8), ky=half(8)], complex<f32>>
func.func @dims(%f: !F) {
  // expected-error@+1 {{the input [x=8, y=8] does not have all the dims to transform}}
  %r, %memory = pm.spectral_filter %f over ["x", "z"] through [kx=dual(8), ky=half(8)] {
  ^bb0(%mode: complex<f32>):
    pm.yield %mode : complex<f32>
  } : !F -> !F, !S
  return
}

// -----

!F = !pm.field<[x=8, y=8], f32>
!S = !pm.field<[kx=dual(8), ky=half(8)], complex<f32>>
func.func @domain(%f: !F) {
  // expected-error@+1 {{has the domain [kx=dual(8), ky=dual(8)], expected [kx=dual(8), ky=half(8)]}}
  %r, %memory = pm.spectral_filter %f over ["x", "y"] through [kx=dual(8), ky=dual(8)] {
  ^bb0(%mode: complex<f32>):
    pm.yield %mode : complex<f32>
  } : !F -> !F, !S
  return
}

// -----

!F = !pm.field<[x=8, y=8], f32>
!S = !pm.field<[kx=dual(8), ky=half(8)], complex<f32>>
func.func @arguments(%f: !F) {
  // expected-error@+1 {{has 0 inputs but 2 block arguments}}
  %r, %memory = pm.spectral_filter %f over ["x", "y"] through [kx=dual(8), ky=half(8)] {
  ^bb0(%more: f32, %mode: complex<f32>):
    pm.yield %mode : complex<f32>
  } : !F -> !F, !S
  return
}

// -----

!F = !pm.field<[x=8, y=8], f32>
!S = !pm.field<[kx=dual(8), ky=half(8)], complex<f32>>
func.func @modes(%f: !F) {
  // expected-error@+1 {{has modes of 'complex<f64>', expected 'complex<f32>'}}
  %r, %memory = pm.spectral_filter %f over ["x", "y"] through [kx=dual(8), ky=half(8)] {
  ^bb0(%mode: complex<f64>):
    pm.yield %mode : complex<f64>
  } : !F -> !F, !S
  return
}

// -----

!F = !pm.field<[x=8, y=8], f32>
!S = !pm.field<[kx=dual(8), ky=half(8)], complex<f32>>
func.func @yields(%f: !F) {
  // expected-error@+1 {{expects to yield one value of 'complex<f32>'}}
  %r, %memory = pm.spectral_filter %f over ["x", "y"] through [kx=dual(8), ky=half(8)] {
  ^bb0(%mode: complex<f32>):
    pm.yield %mode, %mode : complex<f32>, complex<f32>
  } : !F -> !F, !S
  return
}

// -----

!F = !pm.field<[x=8, y=8], f32>
!S = !pm.field<[kx=dual(8), ky=half(8)], complex<f32>>
func.func @results(%f: !F) {
  // expected-error@+1 {{expects two results or two outs, has 1}}
  %r = pm.spectral_filter %f over ["x", "y"] through [kx=dual(8), ky=half(8)] {
  ^bb0(%mode: complex<f32>):
    pm.yield %mode : complex<f32>
  } : !F -> !F
  return
}

// -----

!F = !pm.field<[x=8, y=8], f32>
!S = !pm.field<[kx=dual(8), ky=half(8)], complex<f32>>
func.func @result(%f: !F) {
  // expected-error@+1 {{has the result '!pm.field<[x=8, y=8], f64>', expected '!pm.field<[x=8, y=8], f32>'}}
  %r, %memory = pm.spectral_filter %f over ["x", "y"] through [kx=dual(8), ky=half(8)] {
  ^bb0(%mode: complex<f32>):
    pm.yield %mode : complex<f32>
  } : !F -> !pm.field<[x=8, y=8], f64>, !S
  return
}

// -----

!F = !pm.field<[x=8, y=8], f32>
!S = !pm.field<[kx=dual(8), ky=half(8)], complex<f32>>
func.func @memory(%f: !F) {
  // expected-error@+1 {{has memory of '!pm.field<[x=8, y=8], f32>', expected '!pm.field<[kx=dual(8), ky=half(8)], complex<f32>>'}}
  %r, %memory = pm.spectral_filter %f over ["x", "y"] through [kx=dual(8), ky=half(8)] {
  ^bb0(%mode: complex<f32>):
    pm.yield %mode : complex<f32>
  } : !F -> !F, !F
  return
}

// -----

!F = !pm.field<[x=8, y=8], f32>
!S = !pm.field<[kx=dual(8), ky=half(8)], complex<f32>>
func.func @uses(%f: !F) {
  // expected-error@+1 {{expects no use of its memory}}
  %r, %memory = pm.spectral_filter %f over ["x", "y"] through [kx=dual(8), ky=half(8)] {
  ^bb0(%mode: complex<f32>):
    pm.yield %mode : complex<f32>
  } : !F -> !F, !S
  %u = pm.ifft %memory over ["x", "y"] : !S -> !F
  return
}
