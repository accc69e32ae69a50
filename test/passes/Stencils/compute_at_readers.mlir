// RUN: pm-opt %s --pm-compute-at-readers=elements=64 --remarks-filter=pm-compute-at-readers 2>&1 | FileCheck %s
// RUN: pm-opt %s --pm-compute-at-readers | FileCheck %s --check-prefix=FEW

// Maps of neighbors that only readings around lattice sites use become cells of these readings. Small lattices read stored meshes.
// FEW-NOT: taps

!F = !pm.field<[x=8, y=8], f32>

// CHECK: remark: {{.*}}at-readers{{.*}}computed where it is read; takes no memory

// Two maps, one of which captures a number. What both read of one element is one tap.
// CHECK-LABEL: func.func @differences(
// CHECK-SAME: %[[F:.*]]: !pm.field<[x=8, y=8], f32>, %[[G:.*]]: !pm.field<[x=8, y=8], f32>, %[[U:.*]]: !pm.field<[x=8, y=8], f32>, %[[S:.*]]: f32)
func.func @differences(%f: !F, %g: !F, %u: !F, %s: f32) -> !F {
  // CHECK-NEXT: pm.map [x=8, y=8] ins(%[[U]]
  // CHECK: pm.interpolate cic(%[[F]], %[[G]] : {{.*}}) taps [0, -1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 2] {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32, %[[D:.*]]: f32):
  // CHECK-NEXT: %[[X:.*]] = arith.subf %[[B]], %[[A]] : f32
  // CHECK-NEXT: %[[Y:.*]] = arith.subf %[[D]], %[[A]] : f32
  // CHECK-NEXT: %[[Z:.*]] = arith.mulf %[[Y]], %[[C]] : f32
  // CHECK-NEXT: %[[W:.*]] = arith.mulf %[[Z]], %[[S]] : f32
  // CHECK-NEXT: pm.yield %[[X]], %[[W]], %[[X]] : f32, f32, f32
  // CHECK-NEXT: } at({{.*}}) {orders = array<i64: 0, 0, 0, 0, 1, 0>} -> f32, f32, f32
  %a = pm.map [x=8, y=8] {
    %l = pm.neighbor %f[-1, 0] : !F -> f32
    %r = pm.neighbor %f[1, 0] : !F -> f32
    %d = arith.subf %r, %l : f32
    pm.yield %d : f32
  } -> !F
  %b = pm.map [x=8, y=8] ins(%g : !F) {
  ^bb0(%e: f32):
    %l = pm.neighbor %f[-1, 0] : !F -> f32
    %r = pm.neighbor %f[0, 2] : !F -> f32
    %d = arith.subf %r, %l : f32
    %m = arith.mulf %d, %e : f32
    %n = arith.mulf %m, %s : f32
    pm.yield %n : f32
  } -> !F
  %r = pm.map [x=8, y=8] ins(%u : !F) {
  ^bb0(%e: f32):
    %v:3 = pm.interpolate cic (%a, %b, %a : !F, !F, !F) at (%e, %e : f32, f32) {orders = array<i64: 0, 0, 0, 0, 1, 0>} -> f32, f32, f32
    %t = arith.addf %v#0, %v#1 : f32
    %w = arith.addf %t, %v#2 : f32
    pm.yield %w : f32
  } -> !F
  return %r : !F
}

// A field that something else reads is stored; so is what a reading with it shares.
// CHECK-LABEL: func.func @stored(
func.func @stored(%f: !F, %u: !F) -> (!F, !F, !F) {
  // CHECK-COUNT-4: pm.neighbor
  // CHECK-NOT: taps
  %a = pm.map [x=8, y=8] {
    %l = pm.neighbor %f[-1, 0] : !F -> f32
    pm.yield %l : f32
  } -> !F
  %b = pm.map [x=8, y=8] {
    %l = pm.neighbor %f[0, 1] : !F -> f32
    pm.yield %l : f32
  } -> !F
  // Another edge, a coordinate.
  %c = pm.map [x=8, y=8] {
    %l = pm.neighbor %f[0, 1 zero] : !F -> f32
    pm.yield %l : f32
  } -> !F
  %d = pm.map [x=8, y=8] {
    %l = pm.neighbor %f[0, 1] : !F -> f32
    %i = pm.coordinate "x"
    %s = arith.truncf %i : f64 to f32
    %t = arith.addf %l, %s : f32
    pm.yield %t : f32
  } -> !F
  %r:2 = pm.map [x=8, y=8] ins(%u : !F) {
  ^bb0(%e: f32):
    %v:2 = pm.interpolate cic (%a, %b : !F, !F) at (%e, %e : f32, f32) -> f32, f32
    pm.yield %v#0, %v#1 : f32, f32
  } -> !F, !F
  %s = pm.map [x=8, y=8] ins(%u : !F) {
  ^bb0(%e: f32):
    %v:2 = pm.interpolate cic (%b, %c : !F, !F) at (%e, %e : f32, f32) -> f32, f32
    pm.yield %v#0 : f32
  } -> !F
  %t = pm.map [x=8, y=8] ins(%u : !F) {
  ^bb0(%e: f32):
    %v:2 = pm.interpolate cic (%d, %b : !F, !F) at (%e, %e : f32, f32) -> f32, f32
    pm.yield %v#0 : f32
  } -> !F
  return %r#1, %s, %a : !F, !F, !F
}

// Beyond an edge, a tap would be another element: maps that read so are stored.
// CHECK-LABEL: func.func @edges(
// CHECK-NOT: taps
// CHECK: return
func.func @edges(%f: !F, %u: !F) -> (!F, !F, !F) {
  %z = pm.map [x=8, y=8] {
    %l = pm.neighbor %f[-1 zero, 0] : !F -> f32
    %r = pm.neighbor %f[1, 0] : !F -> f32
    %d = arith.subf %r, %l : f32
    pm.yield %d : f32
  } -> !F
  %c = pm.map [x=8, y=8] {
    %l = pm.neighbor %f[-1, 0] : !F -> f32
    %r = pm.neighbor %f[0, 1 clamp] : !F -> f32
    %d = arith.subf %r, %l : f32
    pm.yield %d : f32
  } -> !F
  %m = pm.map [x=8, y=8] {
    %l = pm.neighbor %f[-1 reflect, 0] : !F -> f32
    %r = pm.neighbor %f[1, 0] : !F -> f32
    %d = arith.subf %r, %l : f32
    pm.yield %d : f32
  } -> !F
  %p = pm.map [x=8, y=8] {
    %r = pm.neighbor %f[0, 1] : !F -> f32
    pm.yield %r : f32
  } -> !F
  %a = pm.map [x=8, y=8] ins(%u : !F) {
  ^bb0(%e: f32):
    %v:2 = pm.interpolate cic (%z, %p : !F, !F) at (%e, %e : f32, f32) -> f32, f32
    %t = arith.addf %v#0, %v#1 : f32
    pm.yield %t : f32
  } -> !F
  %b = pm.map [x=8, y=8] ins(%u : !F) {
  ^bb0(%e: f32):
    %v:2 = pm.interpolate cic (%c, %c : !F, !F) at (%e, %e : f32, f32) -> f32, f32
    %t = arith.addf %v#0, %v#1 : f32
    pm.yield %t : f32
  } -> !F
  %d = pm.map [x=8, y=8] ins(%u : !F) {
  ^bb0(%e: f32):
    %v:2 = pm.interpolate cic (%m, %m : !F, !F) at (%e, %e : f32, f32) -> f32, f32
    %t = arith.addf %v#0, %v#1 : f32
    pm.yield %t : f32
  } -> !F
  return %a, %b, %d : !F, !F, !F
}
