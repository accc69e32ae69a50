// The derivatives of a sort are those of its permutation: the tangent is read in
// its order, the cotangent at its ranks.
// RUN: pm-opt %s --pm-autodiff --pm-inline --cse | FileCheck %s

!F = !pm.field<[x=16, y=8], f32>

func.func private @sorted(%a: !F) -> !F {
  %c = pm.sort values %a along "x" descending : !F -> !F
  return %c : !F
}
// CHECK-LABEL: func.func @main
// CHECK: %[[A:.*]] = pm.white_noise
// CHECK: %[[W:.*]] = pm.white_noise
// CHECK: %[[RANKS:.*]] = pm.sort ranks %[[A]] along "x" descending : !pm.field<[x=16, y=8], f32> -> !pm.field<[x=16, y=8], i64>
// CHECK: pm.map [x=16, y=8] ins(%[[RANKS]]
// CHECK: pm.cell %[[W]][%{{.*}}, %{{.*}}]
// CHECK: %[[ORDER:.*]] = pm.sort order %[[A]] along "x" descending : !pm.field<[x=16, y=8], f32> -> !pm.field<[x=16, y=8], i64>
// CHECK: pm.map [x=16, y=8] ins(%[[ORDER]]
// CHECK: pm.cell %{{.*}}[%{{.*}}, %{{.*}}]
func.func @main() {
  %seed = arith.constant 1 : i64
  %other = arith.constant 2 : i64
  %a = pm.white_noise %seed -> !F
  %w = pm.white_noise %other -> !F
  %v:2 = pm.vjp @sorted(%a) wrt [0] of [0](%w) schedule keep : (!F), (!F) -> (!F, !F)
  %t:2 = pm.jvp @sorted(%a) wrt [0] along (%v#1) : (!F), (!F) -> (!F, !F)
  pm.output "t"(%t#1 : !F)
  return
}
