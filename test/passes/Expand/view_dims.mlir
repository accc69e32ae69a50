// RUN: pm-opt %s --pm-expand | FileCheck %s

// What many cells read, 15 along each of three dims, is added up along one dim after the other: three maps, with less and less in between.

!patches = !pm.field<[b=2, x=8, x.5=5, y=9, y.5=5, z=10, z.5=5], f64>
!f = !pm.field<[b=2, x=8, y=9, z=10], f64>

// CHECK-LABEL: func.func @adjoint
// CHECK: pm.map [b=2, x=8, y=9, "y.5"=5, z=10, "z.5"=5] {
// CHECK: } -> !pm.field<[b=2, x=8, y=9, "y.5"=5, z=10, "z.5"=5], f64>
// CHECK: pm.map [b=2, x=8, y=9, z=10, "z.5"=5] {
// CHECK: } -> !pm.field<[b=2, x=8, y=9, z=10, "z.5"=5], f64>
// CHECK: pm.map [b=2, x=8, y=9, z=10] {
// CHECK-COUNT-15: pm.cell
// CHECK-NOT: pm.cell
// CHECK: return
func.func @adjoint(%a: !patches) -> !f {
  %r = pm.view transposed %a[0 zero, -2 reflect, -2 reflect, -2 reflect] {terms = [array<i64: 0, 1>, array<i64: 1, 1, 2, 1>, array<i64: 3, 1, 4, 1>, array<i64: 5, 1, 6, 1>]} : !patches -> !f
  return %r : !f
}

// 27, of three taps along three dims, are added up at once.
// CHECK-LABEL: func.func @few
// CHECK-COUNT-27: pm.cell
// CHECK-NOT: pm.map
// CHECK: return
func.func @few(%a: !pm.field<[x=8, u=3, y=9, v=3, z=10, w=3], f64>) -> !pm.field<[x=8, y=9, z=10], f64> {
  %r = pm.view transposed %a[-1 zero, -1 zero, -1 zero] {terms = [array<i64: 0, 1, 1, 1>, array<i64: 2, 1, 3, 1>, array<i64: 4, 1, 5, 1>]} : !pm.field<[x=8, u=3, y=9, v=3, z=10, w=3], f64> -> !pm.field<[x=8, y=9, z=10], f64>
  return %r : !pm.field<[x=8, y=9, z=10], f64>
}
