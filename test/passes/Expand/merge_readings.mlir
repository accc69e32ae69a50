// RUN: pm-opt %s --pm-merge-readings | FileCheck %s

// Readings at one position become one; nothing is read twice, or for nobody.

!F = !pm.field<[x=8], f32>

// CHECK-LABEL: func.func @merge(
// CHECK-SAME: %[[F:.*]]: !pm.field<[x=8], f32>, %[[G:.*]]: !pm.field<[x=8], f32>, %{{.*}}: !pm.field<[x=8], f32>)
func.func @merge(%f: !F, %g: !F, %u: !F) -> !F {
  %r = pm.map [x=8] ins(%u : !F) {
  ^bb0(%e: f32):
    // CHECK: %[[V:.*]]:3 = pm.interpolate cic(%[[F]], %[[G]], %[[F]] : {{.*}}) at(%{{.*}} : f32) {orders = array<i64: 0, 0, 1>} -> f32, f32, f32
    // CHECK-NEXT: %[[S:.*]] = arith.addf %[[V]]#0, %[[V]]#1
    // CHECK-NEXT: %[[T:.*]] = arith.addf %[[S]], %[[V]]#2
    // CHECK-NEXT: arith.addf %[[T]], %[[V]]#0
    %a:2 = pm.interpolate cic (%f, %g : !F, !F) at (%e : f32) -> f32, f32
    %s = arith.addf %a#0, %a#1 : f32
    %b:3 = pm.interpolate cic (%f, %g, %f : !F, !F, !F) at (%e : f32) {orders = array<i64: 1, 1, 0>} -> f32, f32, f32
    %t = arith.addf %s, %b#0 : f32
    %w = arith.addf %t, %b#2 : f32
    pm.yield %w : f32
  } -> !F
  return %r : !F
}

// Other windows and other positions are others. Equal numbers are other positions where one of two is free: without the site.
// CHECK-LABEL: func.func @apart(
func.func @apart(%f: !F, %u: !F) -> !F {
  // CHECK-COUNT-4: pm.interpolate
  // CHECK-NOT: pm.interpolate
  %r = pm.map [x=8] ins(%u : !F) {
  ^bb0(%e: f32):
    %a = pm.interpolate cic (%f : !F) at (%e : f32) -> f32
    %b = pm.interpolate tsc (%f : !F) at (%e : f32) -> f32
    %c = pm.interpolate cic (%f : !F) at (%a : f32) -> f32
    %d = pm.interpolate tsc (%f : !F) at (%c : f32) -> f32
    %s = arith.addf %b, %c : f32
    %g = pm.interpolate cic free(%f : !F) at (%a : f32) -> f32
    %t = arith.addf %s, %g : f32
    pm.yield %t : f32
  } -> !F
  return %r : !F
}
