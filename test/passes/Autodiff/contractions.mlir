// The derivatives of a contraction are contractions.
// RUN: pm-opt %s --pm-autodiff --pm-inline | FileCheck %s

!A = !pm.field<[i=16, k=8], f32>
!B = !pm.field<[k=8, j=16], f32>
!C = !pm.field<[i=16, j=16], f32>

func.func private @product(%a: !A, %b: !B) -> !C {
  %c = pm.contract %a, %b : !A, !B -> !C
  return %c : !C
}
// CHECK-LABEL: func.func @main
// CHECK: pm.contract %[[BAR:.*]], %[[B:.*]] : !pm.field<[i=16, j=16], f32>, !pm.field<[k=8, j=16], f32> -> !pm.field<[i=16, k=8], f32>
// CHECK: pm.contract %[[BAR]], %[[A:.*]] : !pm.field<[i=16, j=16], f32>, !pm.field<[i=16, k=8], f32> -> !pm.field<[k=8, j=16], f32>
// CHECK: pm.contract %{{.*}}, %[[B]] : !pm.field<[i=16, k=8], f32>, !pm.field<[k=8, j=16], f32> -> !pm.field<[i=16, j=16], f32>
// CHECK: pm.contract %[[A]], %{{.*}} : !pm.field<[i=16, k=8], f32>, !pm.field<[k=8, j=16], f32> -> !pm.field<[i=16, j=16], f32>
func.func @main() {
  %seed = arith.constant 1 : i64
  %a = pm.white_noise %seed -> !A
  %b = pm.white_noise %seed -> !B
  %w = pm.white_noise %seed -> !C
  %v:3 = pm.vjp @product(%a, %b) wrt [0, 1] of [0](%w) schedule keep : (!A, !B), (!C) -> (!C, !A, !B)
  %t:2 = pm.jvp @product(%a, %b) wrt [0, 1] along (%v#1, %v#2) : (!A, !B), (!A, !B) -> (!C, !C)
  pm.output "t"(%t#1 : !C)
  return
}
