// RUN: pm-opt %s --pm-share-boxes=elements=64 | FileCheck %s
// RUN: pm-opt %s --pm-share-boxes=elements=65 | FileCheck %s --check-prefix=FEW

// A paint and readings at the same positions, in one block of code, share boxes.
// FEW-NOT: pm.boxes

!F = !pm.field<[x=8, y=8], f32>

// CHECK-LABEL: func.func @main(
// CHECK: pm.scatter cic [x=8, y=8] {{.*}}pm.boxes = 1
// CHECK: pm.map [x=8, y=8] {{.*}}pm.boxes = 1
// CHECK: pm.scatter cic [x=8, y=8] {{.*}}pm.boxes = 1
// CHECK-NOT: pm.boxes
func.func @main(%u: !F, %v: !F) -> (!F, !F, !F, !F, !F, !F, !F) {
  %scale = arith.constant 2.0 : f32
  %m = pm.scatter cic [x=8, y=8] ins(%u, %v : !F, !F) {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %scale : f32
    pm.yield %p, %b, %b : f32, f32, f32
  } -> !F
  %r:2 = pm.map [x=8, y=8] ins(%v, %u : !F, !F) {
  ^bb0(%b: f32, %a: f32):
    %p = arith.mulf %a, %scale : f32
    %w:2 = pm.interpolate cic(%m, %v : !F, !F) at(%p, %b : f32, f32) -> f32, f32
    pm.yield %w#0, %w#1 : f32, f32
  } -> !F, !F
  %n = pm.scatter cic [x=8, y=8] ins(%u, %v, %r#0 : !F, !F, !F) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %scale : f32
    pm.yield %p, %b, %c : f32, f32, f32
  } -> !F
  // Another window, another number, another field, and other dims of the offsets.
  %window = pm.scatter tsc [x=8, y=8] ins(%u, %v : !F, !F) {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %scale : f32
    pm.yield %p, %b, %b : f32, f32, f32
  } -> !F
  %number = pm.scatter cic [x=8, y=8] ins(%u, %v : !F, !F) {
  ^bb0(%a: f32, %b: f32):
    pm.yield %a, %b, %b : f32, f32, f32
  } -> !F
  %field = pm.scatter cic [x=8, y=8] ins(%u, %r#1 : !F, !F) {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %scale : f32
    pm.yield %p, %b, %b : f32, f32, f32
  } -> !F
  %dims = pm.scatter cic [x=8, y=8] ins(%v, %u : !F, !F) {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %scale : f32
    pm.yield %p, %b, %b : f32, f32, f32
  } -> !F
  return %r#0, %r#1, %n, %window, %number, %field, %dims : !F, !F, !F, !F, !F, !F, !F
}
