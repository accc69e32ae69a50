// RUN: pm-opt --pm-cse %s | FileCheck %s
// One op stands for equal ones, also for those that differ in no more than the names in their regions.

!F = !pm.field<[x=8, y=8], f32>

// CHECK-LABEL: func @maps
func.func @maps(%f: !F, %g: !F) -> (!F, !F, !F, !F) {
  // CHECK: %[[A:.*]] = pm.map
  // CHECK: pm.neighbor %arg0[1, 0]
  // CHECK: %[[B:.*]] = pm.map
  // CHECK: pm.neighbor %arg0[0, -1]
  // CHECK: %[[C:.*]] = pm.map
  // CHECK: pm.neighbor %arg1[1, 0]
  // CHECK-NOT: pm.map
  // CHECK: return %[[A]], %[[B]], %[[A]], %[[C]]
  %a = pm.map [x=8, y=8] {
    %n = pm.neighbor %f[1, 0] : !F -> f32
    pm.yield %n : f32
  } -> !F
  %b = pm.map [x=8, y=8] {
    %n = pm.neighbor %f[0, -1] : !F -> f32
    pm.yield %n : f32
  } -> !F
  %again = pm.map [x=8, y=8] {
    %unused = pm.neighbor %g[0, 1] : !F -> f32
    %n = pm.neighbor %f[1, 0] : !F -> f32
    pm.yield %n : f32
  } -> !F
  %c = pm.map [x=8, y=8] {
    %n = pm.neighbor %g[1, 0] : !F -> f32
    pm.yield %n : f32
  } -> !F
  return %a, %b, %again, %c : !F, !F, !F, !F
}

// Operands of a sum have no order, and an op around is known inside. What one branch computes, the other does not have.
// CHECK-LABEL: func @numbers
func.func @numbers(%x: f64, %y: f64, %c: i1) -> f64 {
  // CHECK: %[[S:.*]] = arith.addf %arg0, %arg1
  // CHECK-NOT: arith.addf
  // CHECK: scf.if
  // CHECK: %[[T:.*]] = arith.mulf %[[S]], %[[S]]
  // CHECK: scf.yield %[[T]]
  // CHECK: else
  // CHECK: %[[E:.*]] = arith.mulf %[[S]], %[[S]]
  // CHECK: arith.negf %[[E]]
  %s = arith.addf %x, %y : f64
  %t = arith.addf %y, %x : f64
  %u = arith.addf %x, %y : f64
  %r = scf.if %c -> f64 {
    %i = arith.addf %x, %y : f64
    %p = arith.mulf %s, %i : f64
    scf.yield %p : f64
  } else {
    %p = arith.mulf %u, %t : f64
    %n = arith.negf %p : f64
    scf.yield %n : f64
  }
  return %r : f64
}

// CHECK-LABEL: func @effects
// CHECK-COUNT-2: pm.print "a"
func.func @effects(%x: f64) {
  pm.print "a"(%x)
  pm.print "a"(%x)
  return
}
