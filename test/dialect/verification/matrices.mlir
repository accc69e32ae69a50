// What ops on dense matrices must not be.
// RUN: pm-opt %s --split-input-file --verify-diagnostics

// -----

!A = !pm.field<[x=9, i=4, j=4], i64>
func.func @matrices(%a: !A) {
  // expected-error@+1 {{has the element 'i64', expected f32, f64 or complex numbers}}
  %r = pm.cholesky %a batch 1 : !A -> !A
  return
}

// -----

!A = !pm.field<[x=9, i=4, j=4], f64>
func.func @matrices(%a: !A) {
  // expected-error@+1 {{has '!pm.field<[x=9, i=4, j=4], f32>', expected elements 'f64'}}
  %r = pm.cholesky %a batch 1 : !A -> !pm.field<[x=9, i=4, j=4], f32>
  return
}

// -----

!A = !pm.field<[x=9, i=4, j=4], f64>
func.func @matrices(%a: !A) {
  // expected-error@+1 {{has '!pm.field<[y=9, i=4, j=4], f64>', expected 1 dims of a batch, as '!pm.field<[x=9, i=4, j=4], f64>' has them, and more}}
  %r = pm.cholesky %a batch 1 : !A -> !pm.field<[y=9, i=4, j=4], f64>
  return
}

// -----

!A = !pm.field<[x=9, kx=dual(4), j=4], f64>
func.func @matrices(%a: !A) {
  // expected-error@+1 {{has the dim 'kx', expected space dims}}
  %r = pm.cholesky %a batch 1 : !A -> !A
  return
}

// -----

!A = !pm.field<[x=9, i=4 on(row), j=4], f64>
func.func @matrices(%a: !A) {
  // expected-error@+1 {{has the dim 'i', which mesh axes split}}
  %r = pm.cholesky %a batch 1 : !A -> !A
  return
}

// -----

!A = !pm.field<[x=9, i=4, j=4], f64>
func.func @matrices(%a: !A) {
  // expected-error@+1 {{has the matrix '!pm.field<[x=9, i=4, j=4], f64>', expected two dims after the batch}}
  %r = pm.cholesky %a batch 0 : !A -> !A
  return
}

// -----

!A = !pm.field<[x=9, i=4, j=5], f64>
func.func @matrices(%a: !A) {
  // expected-error@+1 {{has '!pm.field<[x=9, i=4, j=5], f64>', expected 4 rows and 4 columns}}
  %r = pm.log_det %a batch 1 : !A -> !pm.field<[x=9, i=4], f64>
  return
}

// -----

!A = !pm.field<[x=9, i=4, j=4], f64>
func.func @matrices(%a: !A) {
  // expected-error@+1 {{has '!pm.field<[x=9, i=4, j=5], f64>', expected 4 rows and 4 columns}}
  %r = pm.matrix_product %a, %a batch 1 : !A, !A -> !pm.field<[x=9, i=4, j=5], f64>
  return
}

// -----

!A = !pm.field<[x=9, i=4, j=5], f64>
func.func @matrices(%a: !A) {
  // expected-error@+1 {{multiplies 5 columns and 4 rows, expected as many}}
  %r = pm.matrix_product %a, %a batch 1 : !A, !A -> !A
  return
}

// -----

!A = !pm.field<[x=9, i=4, j=4], f64>
func.func @matrices(%a: !A) {
  // expected-error@+1 {{expects 2 results or outs, has 1}}
  %r = pm.eigh %a batch 1 : !A -> !A
  return
}

// -----

!A = !pm.field<[x=9, i=4, j=5], f64>
func.func @matrices(%a: !A) {
  // expected-error@+1 {{has '!pm.field<[x=9, i=4, j=5], f64>', expected 5 rows and 5 columns}}
  %r = pm.least_squares adjoint %a, %a batch 1 : !A, !A -> !A
  return
}

// -----

!A = !pm.field<[x=9, i=4, j=4], complex<f64>>
func.func @matrices(%a: !A) {
  // expected-error@+1 {{gives the sign of a determinant of 'complex<f64>', expected real numbers}}
  %r = pm.log_det sign %a batch 1 : !A -> !pm.field<[x=9, i=4], f64>
  return
}
