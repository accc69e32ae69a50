// Dense matrices over dims: what is printed is read again.
// RUN: pm-opt %s | pm-opt | FileCheck %s

!A = !pm.field<[x=9, i=4, j=4], f64>
!C = !pm.field<[x=9, i=4, j=4], complex<f64>>
!B = !pm.field<[x=9, j=4, m=6, n=2], f64>
!V = !pm.field<[x=9, i=4], f64>
!R = !pm.field<[i=4, z=3], f64>

// CHECK-LABEL: func.func @values(
func.func @values(%a: !A, %b: !B, %c: !C, %v: !V, %r: !R) {
  // CHECK: pm.matrix_product %{{.*}}, %{{.*}} batch 1 : !pm.field<[x=9, i=4, j=4], f64>, !pm.field<[x=9, j=4, m=6, n=2], f64> -> !pm.field<[x=9, j=4, m=6, n=2], f64>
  %p = pm.matrix_product %a, %b batch 1 : !A, !B -> !B
  // CHECK: pm.matrix_product adjoint %{{.*}}, adjoint %{{.*}} batch 1
  %q = pm.matrix_product adjoint %b, adjoint %a batch 1 : !B, !A -> !pm.field<[x=9, m=12, i=4], f64>
  // CHECK: pm.solve %{{.*}}, %{{.*}} batch 1 : !pm.field<[x=9, i=4, j=4], f64>, !pm.field<[x=9, i=4], f64> -> !pm.field<[x=9, j=4], f64>
  %s = pm.solve %a, %v batch 1 : !A, !V -> !pm.field<[x=9, j=4], f64>
  // CHECK: pm.solve adjoint lower %{{.*}}, %{{.*}} batch 1
  %t = pm.solve adjoint lower %a, %b batch 1 : !A, !B -> !B
  // CHECK: pm.least_squares adjoint %{{.*}}, %{{.*}} batch 0
  %l = pm.least_squares adjoint %v, %r batch 0 : !V, !R -> !pm.field<[y=9, z=3], f64>
  // CHECK: pm.cholesky %{{.*}} batch 1 : !pm.field<[x=9, i=4, j=4], complex<f64>> -> !pm.field<[x=9, i=4, j=4], complex<f64>>
  %f = pm.cholesky %c batch 1 : !C -> !C
  // CHECK: pm.log_det %{{.*}} batch 1 : !pm.field<[x=9, i=4, j=4], complex<f64>> -> !pm.field<[x=9, i=4], f64>
  %d = pm.log_det %c batch 1 : !C -> !V
  // CHECK: pm.log_det sign %{{.*}} batch 1 : !pm.field<[x=9, i=4, j=4], f64> -> !pm.field<[x=9, i=4], f64>
  %g = pm.log_det sign %a batch 1 : !A -> !V
  // CHECK: pm.eigh %{{.*}} batch 1 : !pm.field<[x=9, i=4, j=4], complex<f64>> -> !pm.field<[x=9, i=4], f64>, !pm.field<[x=9, i=4, j=4], complex<f64>>
  %e:2 = pm.eigh %c batch 1 : !C -> !V, !C
  // CHECK: pm.svd %{{.*}} batch 0 : !pm.field<[x=9, i=4], f64> -> !pm.field<[x=9, k=4], f64>, !pm.field<[k=4], f64>, !pm.field<[i=4, k=4], f64>
  %u:3 = pm.svd %v batch 0 : !V -> !pm.field<[x=9, k=4], f64>, !pm.field<[k=4], f64>, !pm.field<[i=4, k=4], f64>
  return
}

// CHECK-LABEL: func.func @buffers(
func.func @buffers(%c: !pm.buffer<[x=9 on(row), i=4, j=4], complex<f32>>, %v: !pm.buffer<[x=9 on(row), j=4], f32>) {
  // CHECK: pm.eigh %{{.*}} batch 1 outs(%{{.*}}, %{{.*}} : !pm.buffer<[x=9 on(row), j=4], f32>, !pm.buffer<[x=9 on(row), i=4, j=4], complex<f32>>) : !pm.buffer<[x=9 on(row), i=4, j=4], complex<f32>>
  pm.eigh %c batch 1 outs(%v, %c : !pm.buffer<[x=9 on(row), j=4], f32>, !pm.buffer<[x=9 on(row), i=4, j=4], complex<f32>>) : !pm.buffer<[x=9 on(row), i=4, j=4], complex<f32>>
  return
}
