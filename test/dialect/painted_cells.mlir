// RUN: pm-opt %s | pm-opt | FileCheck %s
// RUN: pm-opt %s --mlir-print-op-generic | pm-opt | FileCheck %s

!F = !pm.field<[x=8, y=8], f32>

// CHECK-LABEL: func.func @computed
func.func @computed(%u: !F, %s: f32) -> !F {
  // CHECK: pm.scatter cic [x=8, y=8] ins(%{{.*}}) {
  // CHECK: } taps [0, -1, 0, 1, 0, 2] {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
  // CHECK-NEXT: %[[C:.*]] = arith.mulf %[[B]], %{{.*}} : f32
  // CHECK-NEXT: %[[D:.*]] = arith.subf %[[A]], %[[C]] : f32
  // CHECK-NEXT: pm.yield %[[D]] : f32
  // CHECK-NEXT: } -> !pm.field<[x=8, y=8], f32>
  %m = pm.scatter cic [x=8, y=8] ins(%u : !F) {
  ^bb0(%p: f32):
    pm.yield %p, %p, %p, %s : f32, f32, f32, f32
  } taps [0, -1, 0, 1, 0, 2] {
  ^bb0(%a: f32, %b: f32):
    %c = arith.mulf %b, %s : f32
    %d = arith.subf %a, %c : f32
    pm.yield %d : f32
  } -> !F
  return %m : !F
}
