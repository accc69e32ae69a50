// RUN: pm-opt %s --pm-expand --pm-axis-tables --pm-shard | FileCheck %s
// Blocks are split as the field is, and take what lies around a part in one exchange, in both directions; along an
// unrelated dim every rank takes the whole field.

pm.mesh @ranks axes = ["row"] extents = [2]
pm.layout "x" -> ["row"]

!f = !pm.field<[x=64, y=8], f32>
!blocks = !pm.field<[x/8=8, u=12, y=8], f32>
!part = !pm.field<[p=5, y=8], f32>

// CHECK-LABEL: func.func @blocks
// CHECK-NOT: pm.reshard
// Where ranks divide the blocks, no more than blocks overlap.
// CHECK: pm.margin {{.*}} below [9, 0] above [2, 0] of [8, 0] below [2, 0] above [2, 0]
// CHECK: pm.halo_exchange
// CHECK-NOT: pm.halo_exchange
// CHECK: pm.map [x/8=8 on(row), u=12, y=8]
// CHECK: pm.cell {{.*}} low [-2, 0] high [9, 0] near [true, true] halo(
func.func @blocks(%f: !f) -> !blocks {
  %r = pm.view %f[-2, 0] {terms = [array<i64: 0, 8, 1, 1>, array<i64: 2, 1>]} : !f -> !blocks
  return %r : !blocks
}

// A cell is in two blocks at most.
// CHECK-LABEL: func.func @back
// CHECK-NOT: pm.reshard
// CHECK: pm.halo_exchange
// CHECK-NOT: pm.halo_exchange
// CHECK: pm.map [x=64 on(row), y=8]
// CHECK: pm.cell {{.*}} near [true, false, true] halo(
// CHECK: pm.cell {{.*}} near [true, false, true] halo(
// CHECK-NOT: pm.cell
// CHECK: return
func.func @back(%b: !blocks) -> !f {
  %r = pm.view transposed %b[-2, 0] {terms = [array<i64: 0, 8, 1, 1>, array<i64: 2, 1>]} : !blocks -> !f
  return %r : !f
}

// CHECK-LABEL: func.func @part
// CHECK-NOT: pm.halo_exchange
// CHECK: pm.reshard {{.*}} -> !pm.field<[x=64, y=8], f32>
// CHECK: pm.cell {{.*}} near [false, true]
func.func @part(%f: !f) -> !part {
  %r = pm.view %f[3, 0] {terms = [array<i64: 0, 1>, array<i64: 1, 1>]} : !f -> !part
  return %r : !part
}
