// RUN: pm-opt %s --pm-note-bytes | FileCheck %s

// The bytes that a rank sends.
!X = !pm.field<[x=8 on(row), y=6], f32>

// Of y, a rank sends only the part of its own column: to all rows, except itself.
// CHECK-LABEL: @other_axis
// CHECK: pm.reshard {{.*}}"4*(8/row*6/col*row-8/row*6/col)"
func.func @other_axis(%f: !X) -> !pm.field<[x=8, y=6 on(col)], f32> {
  %g = pm.reshard %f : !X -> !pm.field<[x=8, y=6 on(col)], f32>
  return %g : !pm.field<[x=8, y=6 on(col)], f32>
}

// CHECK-LABEL: @same_axis
// CHECK: pm.reshard {{.*}}"4*(6*8/row-8/row*6/row)"
func.func @same_axis(%f: !X) -> !pm.field<[x=8, y=6 on(row)], f32> {
  %g = pm.reshard %f : !X -> !pm.field<[x=8, y=6 on(row)], f32>
  return %g : !pm.field<[x=8, y=6 on(row)], f32>
}

// Each rank sends all of its part to each row but its own.
// CHECK-LABEL: @gathered
// CHECK: pm.reshard {{.*}}"4*(6*8/row*row-6*8/row)"
func.func @gathered(%f: !X) -> !pm.field<[x=8, y=6], f32> {
  %g = pm.reshard %f : !X -> !pm.field<[x=8, y=6], f32>
  return %g : !pm.field<[x=8, y=6], f32>
}
