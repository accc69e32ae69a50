// RUN: pm-opt %s --pm-renew-boxes | FileCheck %s

// A map that overwrites the positions of its reading finds the boxes of the next step.

!B = !pm.buffer<[x=8, y=8], f32>

// CHECK-LABEL: func.func @moves(
// CHECK: pm.scatter {{.*}}attributes {pm.boxes = 1 : i64}
// CHECK: pm.map {{.*}}attributes {pm.boxes = 1 : i64, pm.renews_boxes}
func.func @moves(%u: !B, %v: !B, %m: !B, %scale: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    pm.scatter cic [x=8, y=8] ins(%u, %v : !B, !B) outs(%m : !B) attributes {pm.boxes = 1 : i64} {
    ^bb0(%a: f32, %b: f32):
      %p = arith.mulf %a, %scale : f32
      pm.yield %p, %b, %b : f32, f32, f32
    }
    pm.map [x=8, y=8] ins(%u, %v : !B, !B) outs(%u : !B) attributes {pm.boxes = 1 : i64} {
    ^bb0(%a: f32, %b: f32):
      %p = arith.mulf %a, %scale : f32
      %w = pm.interpolate cic(%m : !B) at(%p, %b : f32, f32) -> f32
      pm.yield %w : f32
    }
  }
  return
}

// Another op moves the particles again.
// CHECK-LABEL: func.func @moved_twice(
// CHECK-NOT: pm.renews_boxes
func.func @moved_twice(%u: !B, %m: !B, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    pm.scatter cic [x=8, y=8] ins(%u : !B) outs(%m : !B) attributes {pm.boxes = 1 : i64} {
    ^bb0(%a: f32):
      pm.yield %a, %a, %a : f32, f32, f32
    }
    pm.map [x=8, y=8] ins(%u : !B) outs(%u : !B) attributes {pm.boxes = 1 : i64} {
    ^bb0(%a: f32):
      %w = pm.interpolate cic(%m : !B) at(%a, %a : f32, f32) -> f32
      pm.yield %w : f32
    }
    %isOdd = arith.cmpi ult, %i, %c1 : index
    scf.if %isOdd {
      pm.map [x=8, y=8] ins(%u : !B) outs(%u : !B) {
      ^bb0(%a: f32):
        %d = arith.addf %a, %a : f32
        pm.yield %d : f32
      }
    }
  }
  return
}

// The positions depend on a number of the step.
// CHECK-LABEL: func.func @scaled(
// CHECK-NOT: pm.renews_boxes
func.func @scaled(%u: !B, %m: !B, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i64
    %scale = arith.sitofp %k : i64 to f32
    pm.scatter cic [x=8, y=8] ins(%u : !B) outs(%m : !B) attributes {pm.boxes = 1 : i64} {
    ^bb0(%a: f32):
      %p = arith.mulf %a, %scale : f32
      pm.yield %p, %p, %p : f32, f32, f32
    }
    pm.map [x=8, y=8] ins(%u : !B) outs(%u : !B) attributes {pm.boxes = 1 : i64} {
    ^bb0(%a: f32):
      %p = arith.mulf %a, %scale : f32
      %w = pm.interpolate cic(%m : !B) at(%p, %p : f32, f32) -> f32
      pm.yield %w : f32
    }
  }
  return
}

// The map leaves the positions as they are, and in the second loop, no other op uses its boxes.
// CHECK-LABEL: func.func @still(
// CHECK-NOT: pm.renews_boxes
func.func @still(%u: !B, %m: !B, %r: !B, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    pm.scatter cic [x=8, y=8] ins(%u : !B) outs(%m : !B) attributes {pm.boxes = 1 : i64} {
    ^bb0(%a: f32):
      pm.yield %a, %a, %a : f32, f32, f32
    }
    pm.map [x=8, y=8] ins(%u : !B) outs(%r : !B) attributes {pm.boxes = 1 : i64} {
    ^bb0(%a: f32):
      %w = pm.interpolate cic(%m : !B) at(%a, %a : f32, f32) -> f32
      pm.yield %w : f32
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    pm.map [x=8, y=8] ins(%u : !B) outs(%u : !B) attributes {pm.boxes = 2 : i64} {
    ^bb0(%a: f32):
      %w = pm.interpolate cic(%m : !B) at(%a, %a : f32, f32) -> f32
      pm.yield %w : f32
    }
  }
  return
}
