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

// Particles that are left out are in no box of others, and free ones have boxes of another kind.
// CHECK-LABEL: func.func @selected(
// CHECK-NOT: pm.boxes
// CHECK: return
func.func @selected(%u: !F, %w: !pm.field<[x=8, y=8], i1>) -> (!F, !F, !F) {
  %m = pm.scatter cic [x=8, y=8] ins(%u : !F) {
  ^bb0(%a: f32):
    pm.yield %a, %a, %a : f32, f32, f32
  } -> !F
  %s = pm.scatter cic [x=8, y=8] ins(%u, %w : !F, !pm.field<[x=8, y=8], i1>) {
  ^bb0(%a: f32, %is: i1):
    pm.yield %a, %a, %a, %is : f32, f32, f32, i1
  } -> !F
  %f = pm.scatter cic [x=8, y=8] free ins(%u : !F) {
  ^bb0(%a: f32):
    pm.yield %a, %a, %a : f32, f32, f32
  } -> !F
  return %m, %s, %f : !F, !F, !F
}

// So it is with readings.
// CHECK-LABEL: func.func @read(
// CHECK-NOT: pm.boxes
// CHECK: return
func.func @read(%u: !F, %v: !F) -> (!F, !F, !F) {
  %m = pm.scatter cic [x=8, y=8] ins(%u : !F) {
  ^bb0(%a: f32):
    pm.yield %a, %a, %a : f32, f32, f32
  } -> !F
  %r = pm.map [x=8, y=8] ins(%u : !F) {
  ^bb0(%a: f32):
    %w = pm.interpolate cic free(%v : !F) at(%a, %a : f32, f32) -> f32
    pm.yield %w : f32
  } -> !F
  %two = pm.map [x=8, y=8] ins(%u : !F) {
  ^bb0(%a: f32):
    %w = pm.interpolate cic(%v : !F) at(%a, %a : f32, f32) -> f32
    %t = pm.interpolate cic(%m : !F) at(%a, %a : f32, f32) -> f32
    %s = arith.addf %w, %t : f32
    pm.yield %s : f32
  } -> !F
  return %m, %r, %two : !F, !F, !F
}
