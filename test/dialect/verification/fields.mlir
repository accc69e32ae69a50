// RUN: pm-opt %s -split-input-file -verify-diagnostics

!f = !pm.field<[x=8], f32>
func.func @paint(%a: !f) {
  // expected-error@+1 {{has 2 displacements for 1 mesh dims}}
  %r = pm.paint cic %a, %a : !f, !f -> !f
  return
}

// -----

!f = !pm.field<[x=8, y=8], f32>
!d = !pm.field<[x=8, y=8], f64>
func.func @paint(%a: !f, %b: !d) {
  // expected-error@+1 {{expects real displacements of one type, has '!pm.field<[x=8, y=8], f32>' and '!pm.field<[x=8, y=8], f64>'}}
  %r = pm.paint cic %a, %b : !f, !d -> !f
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @paint(%a: !f) {
  // expected-error@+1 {{has a mesh over [y=8], which does not refine the lattice [x=8]}}
  %r = pm.paint cic %a : !f -> !pm.field<[y=8], f32>
  return
}

// -----

!f = !pm.field<[x=8], f32>
!d = !pm.field<[x=8], f64>
func.func @paint(%a: !f, %w: !d) {
  // expected-error@+1 {{has a weight '!pm.field<[x=8], f64>', expected '!pm.field<[x=8], f32>'}}
  %r = pm.paint cic %a weight %w : !d : !f -> !f
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @readout(%a: !f) {
  // expected-error@+1 {{has 2 meshes but 1 results}}
  %r = pm.readout cic %a, %a at %a : !f, !f at !f -> !f
  return
}

// -----

!f = !pm.field<[x=8], f32>
!m = !pm.field<[x*2=16], f32>
func.func @readout(%a: !f, %m: !m) {
  // expected-error@+1 {{has meshes over [x=8] and [x*2=16]}}
  %r:2 = pm.readout cic %a, %m at %a : !f, !m at !f -> !f, !f
  return
}

// -----

!f = !pm.field<[x=8], f32>
!m = !pm.field<[x*2=16], f32>
func.func @readout(%a: !f, %m: !m) {
  // expected-error@+1 {{has a result over [x*2=16], expected [x=8]}}
  %r = pm.readout cic %m at %a : !m at !f -> !m
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @fft(%a: !f) {
  // expected-error@+1 {{the input [x=8] does not have all the dims to transform}}
  %r = pm.fft %a over ["x", "y"] : !f -> !pm.field<[kx=half(8)], complex<f32>>
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @fft(%a: !f) {
  // expected-error@+1 {{has the result '!pm.field<[kx=dual(8)], complex<f32>>', expected '!pm.field<[kx=half(8)], complex<f32>>'}}
  %r = pm.fft %a over ["x"] : !f -> !pm.field<[kx=dual(8)], complex<f32>>
  return
}

// -----

!b = !pm.buffer<[x=8], f32>
!k = !pm.buffer<[kx=half(8)], complex<f64>>
func.func @fft(%a: !b, %k: !k) {
  // expected-error@+1 {{has the result '!pm.buffer<[kx=half(8)], complex<f64>>', expected '!pm.field<[kx=half(8)], complex<f32>>'}}
  pm.fft %a over ["x"] outs(%k : !k) : !b
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @fft(%a: !f) {
  // expected-error@+1 {{expects one result or one out, has 0}}
  pm.fft %a over ["x"] : !f
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @ifft(%a: !f) {
  // expected-error@+1 {{the input is not complex}}
  %r = pm.ifft %a over ["x"] : !f -> !f
  return
}

// -----

!f = !pm.field<[x=8], complex<f32>>
func.func @ifft(%a: !f) {
  // expected-error@+1 {{the input [x=8] does not have the duals of all the dims to transform}}
  %r = pm.ifft %a over ["x"] : !f -> !f
  return
}

// -----

!f = !pm.field<[kx=half(8), ky=dual(4)], complex<f32>>
func.func @ifft(%a: !f) {
  // expected-error@+1 {{the halved dim must be the last one of the transform, but 'y' is behind it}}
  %r = pm.ifft %a over ["x", "y"] : !f -> !pm.field<[x=8, y=4], f32>
  return
}

// -----

func.func @noise(%seed: i64) {
  // expected-error@+1 {{has the element 'complex<f32>', expected f32 or f64}}
  %r = pm.white_noise %seed -> !pm.field<[x=8], complex<f32>>
  return
}

// -----

!f = !pm.field<[x=8], f32>
func.func @copy(%a: !f) {
  // expected-error@+1 {{copies '!pm.field<[x=8], f32>' to '!pm.field<[x=8], f64>'}}
  %r = pm.copy %a : !f -> !pm.field<[x=8], f64>
  return
}

// -----

!a = !pm.field<[x=8, y=4], f32>
!b = !pm.field<[y=4, z=3], f64>
func.func @contract(%a: !a, %b: !b) {
  // expected-error@+1 {{has the elements 'f32', 'f64' and 'f32', expected one real type, or bf16 or f16 to read}}
  %r = pm.contract %a, %b : !a, !b -> !pm.field<[x=8, z=3], f32>
  return
}

// -----

!a = !pm.field<[x=8, ky=half(4)], f32>
!b = !pm.field<[ky=half(4), z=3], f32>
func.func @contract(%a: !a, %b: !b) {
  // expected-error@+1 {{has the dim 'ky', expected space dims}}
  %r = pm.contract %a, %b : !a, !b -> !pm.field<[x=8, z=3], f32>
  return
}

// -----

!a = !pm.field<[x=8, y=4], f32>
!b = !pm.field<[y=4, z=3], f32>
func.func @contract(%a: !a, %b: !b) {
  // expected-error@+1 {{has a result over [x=8, t=3], expected dims of [x=8, y=4] or [y=4, z=3]}}
  %r = pm.contract %a, %b : !a, !b -> !pm.field<[x=8, t=3], f32>
  return
}

// -----

!a = !pm.field<[x=8, y=4], f32>
!b = !pm.field<[y=4, z=3], f32>
func.func @contract(%a: !a, %b: !b) {
  // expected-error@+1 {{sums over 'z', which [x=8, y=4] does not have}}
  %r = pm.contract %a, %b : !a, !b -> !pm.field<[x=8], f32>
  return
}

// -----

!a = !pm.field<[x=8, y=4 on(row)], f32>
!b = !pm.field<[y=4 on(row), z=3], f32>
!c = !pm.field<[x=8, z=3], f32>
func.func @contract(%a: !a, %b: !b) {
  // expected-error@+1 {{has the result '!pm.field<[x=8, z=3], f32>', expected '!pm.partial<!pm.field<[x=8, z=3], f32>, sum over [row]>'}}
  %r = pm.contract %a, %b : !a, !b -> !c
  return
}

// -----

!a = !pm.field<[x=8, y=4 on(row)], f32>
!b = !pm.field<[y=4 on(row), z=3], f32>
!c = !pm.field<[x=8, z=3], f32>
func.func @contract(%a: !a, %b: !b) {
  // expected-note@+1 {{prior use here}}
  %r = pm.contract %a, %b : !a, !b -> !pm.partial<!c, sum over [row]>
  // expected-error@+1 {{use of value '%r' expects different type than prior uses: '!pm.field<[x=8, z=3], f32>' vs '!pm.partial<!pm.field<[x=8, z=3], f32>, sum over [row]>'}}
  pm.output "r"(%r : !c)
  return
}
