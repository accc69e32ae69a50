// Sorts: what is printed is read again.
// RUN: pm-opt %s | pm-opt | FileCheck %s

!F = !pm.field<[x=8, y=6], f32>
!G = !pm.field<[x=8, y=6], f64>
!I = !pm.field<[x=8, y=6], i64>

// CHECK-LABEL: func.func @values(
func.func @values(%f: !F, %g: !G, %i: !I) {
  // CHECK: pm.sort values %{{.*}} along "x" : !pm.field<[x=8, y=6], f32> -> !pm.field<[x=8, y=6], f32>
  %a = pm.sort values %f along "x" : !F -> !F
  // CHECK: pm.sort order %{{.*}} along "y" descending : !pm.field<[x=8, y=6], i64> -> !pm.field<[x=8, y=6], i64>
  %b = pm.sort order %i along "y" descending : !I -> !I
  // CHECK: pm.sort ranks %{{.*}} along "y" within(%{{.*}} : !pm.field<[x=8, y=6], f64>) : !pm.field<[x=8, y=6], f32> -> !pm.field<[x=8, y=6], i64>
  %c = pm.sort ranks %f along "y" within(%g : !G) : !F -> !I
  return
}

// CHECK-LABEL: func.func @buffers(
func.func @buffers(%f: !pm.buffer<[x=8 on(row), y=6], f32>, %i: !pm.buffer<[x=8 on(row), y=6], i64>) {
  // CHECK: pm.sort order %{{.*}} along "y" within(%{{.*}} : !pm.buffer<[x=8 on(row), y=6], f32>) outs(%{{.*}} : !pm.buffer<[x=8 on(row), y=6], i64>) : !pm.buffer<[x=8 on(row), y=6], f32>
  pm.sort order %f along "y" within(%f : !pm.buffer<[x=8 on(row), y=6], f32>) outs(%i : !pm.buffer<[x=8 on(row), y=6], i64>) : !pm.buffer<[x=8 on(row), y=6], f32>
  return
}
