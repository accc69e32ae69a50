// What follows from a reading and is zero without it moves into the choice that makes it, with what only that uses; what is not zero then stays, and so
// does all where it is short, or what is known is too little.
// RUN: pm-opt %s --pm-sink-into-choices | FileCheck %s

!mesh = !pm.field<[x=8], f32>
!list = !pm.field<[i=4], f32>

// CHECK-LABEL: func.func @adjoint(
// CHECK:         pm.map
// CHECK:         ^bb0(%[[U:.*]]: f32, %[[BEFORE:.*]]: f32):
// CHECK:           arith.divf %{{.*}}, %[[U]]
// CHECK:           %[[MOVED:.*]]:2 = scf.if %{{.*}} -> (f32, f32) {
// CHECK:             pm.interpolate
// CHECK:             arith.mulf
// CHECK:             arith.cmpf oeq
// CHECK:             arith.ori
// CHECK:             %[[GUARDED:.*]] = arith.select
// CHECK:             %[[SUM:.*]] = arith.addf %[[GUARDED]], %[[GUARDED]]
// CHECK:             scf.yield %{{.*}}, %[[SUM]]
// CHECK:           } else {
// CHECK:             scf.yield %[[ZERO:.*]], %{{.*}}
// CHECK:           }
// Not zero: its exponential.
// CHECK:           math.exp %[[MOVED]]#0
// CHECK:           arith.addf %[[BEFORE]], %[[MOVED]]#1
func.func @adjoint(%mesh: !mesh, %u: !list, %before: !list) -> (!list, !list) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %0:2 = pm.map [i=4] ins(%u, %before : !list, !list) {
  ^bb0(%p: f32, %b: f32):
    %met = arith.cmpf olt, %p, %one : f32
    %r = scf.if %met -> (f32) {
      %f = pm.interpolate cic free(%mesh : !mesh) at(%p : f32) -> f32
      scf.yield %f : f32
    } else {
      scf.yield %zero : f32
    }
    %y = arith.divf %one, %p : f32
    %product = arith.mulf %r, %y : f32
    %isZero = arith.cmpf oeq, %r, %zero : f32
    %other = arith.cmpf oeq, %y, %zero : f32
    %either = arith.ori %isZero, %other : i1
    %guarded = arith.select %either, %zero, %product : f32
    %e = math.exp %r : f32
    %sum = arith.addf %guarded, %guarded : f32
    %all = arith.addf %b, %sum : f32
    pm.yield %all, %e : f32, f32
  } -> !list, !list
  return %0#0, %0#1 : !list, !list
}

// A product that is not guarded may be anything where the other factor is infinite.
// CHECK-LABEL: func.func @not_guarded(
// CHECK:           %[[R:.*]] = scf.if %{{.*}} -> (f32) {
// CHECK:           } else {
// CHECK-NEXT:        scf.yield
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[P:.*]] = arith.mulf %[[R]], %{{.*}}
// CHECK-NEXT:      arith.addf %[[P]], %[[P]]
func.func @not_guarded(%mesh: !mesh, %u: !list, %before: !list) -> !list {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %0 = pm.map [i=4] ins(%u, %before : !list, !list) {
  ^bb0(%p: f32, %b: f32):
    %met = arith.cmpf olt, %p, %one : f32
    %r = scf.if %met -> (f32) {
      %f = pm.interpolate cic free(%mesh : !mesh) at(%p : f32) -> f32
      scf.yield %f : f32
    } else {
      scf.yield %zero : f32
    }
    %product = arith.mulf %r, %b : f32
    %two = arith.addf %product, %product : f32
    %four = arith.addf %two, %two : f32
    %eight = arith.addf %four, %four : f32
    %all = arith.addf %b, %eight : f32
    pm.yield %all : f32
  } -> !list
  return %0 : !list
}

// A test that is known to hold without the choice, and that is read behind it, too.
// CHECK-LABEL: func.func @known_to_hold(
// CHECK:           %[[CHOICE:.*]]:2 = scf.if %{{.*}} -> (i1, f32) {
// CHECK:             %[[IS:.*]] = arith.cmpf oeq
// CHECK:             scf.yield %[[IS]], %{{.*}}
// CHECK:           } else {
// CHECK:             %[[TRUE:.*]] = arith.constant true
// CHECK:             scf.yield %[[TRUE]], %{{.*}}
// CHECK:           }
// CHECK:           arith.select %[[CHOICE]]#0, %{{.*}}, %{{.*}}
func.func @known_to_hold(%mesh: !mesh, %u: !list, %before: !list) -> (!list, !list) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %0:2 = pm.map [i=4] ins(%u, %before : !list, !list) {
  ^bb0(%p: f32, %b: f32):
    %met = arith.cmpf olt, %p, %one : f32
    %r = scf.if %met -> (f32) {
      %f = pm.interpolate cic free(%mesh : !mesh) at(%p : f32) -> f32
      scf.yield %f : f32
    } else {
      scf.yield %zero : f32
    }
    %product = arith.mulf %r, %b : f32
    %isZero = arith.cmpf oeq, %r, %zero : f32
    %guarded = arith.select %isZero, %zero, %product : f32
    %sum = arith.addf %guarded, %guarded : f32
    %all = arith.addf %b, %sum : f32
    %kept = arith.select %isZero, %b, %one : f32
    pm.yield %all, %kept : f32, f32
  } -> !list, !list
  return %0#0, %0#1 : !list, !list
}
