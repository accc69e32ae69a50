// The printed form of pm.friends can be parsed again.
// RUN: pm-opt %s | pm-opt | FileCheck %s

!F = !pm.field<[x=8, y=6], f32>
!I = !pm.field<[x=8, y=6], i64>
!B = !pm.buffer<[x=8 on(row), y=6], f64>

// CHECK-LABEL: func.func @fields(
func.func @fields(%f: !F, %g: !F, %b: f64, %l: f64) {
  // CHECK: pm.friends %{{.*}}, %{{.*}} within %{{.*}} box(%{{.*}}, %{{.*}}) : !pm.field<[x=8, y=6], f32>, !pm.field<[x=8, y=6], f32> -> !pm.field<[x=8, y=6], i64>
  %r = pm.friends %f, %g within %b box(%l, %l) : !F, !F -> !I
  return
}

// CHECK-LABEL: func.func @buffers(
func.func @buffers(%f: !B, %i: !pm.buffer<[x=8 on(row), y=6], i64>, %b: f64, %l: f64) {
  // CHECK: pm.friends %{{.*}} within %{{.*}} box(%{{.*}}) outs(%{{.*}} : !pm.buffer<[x=8 on(row), y=6], i64>) : !pm.buffer<[x=8 on(row), y=6], f64>
  pm.friends %f within %b box(%l) outs(%i : !pm.buffer<[x=8 on(row), y=6], i64>) : !B
  return
}
