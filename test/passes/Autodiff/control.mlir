// RUN: pm-opt %s --pm-autodiff --split-input-file | FileCheck %s

!F = !pm.field<[x=8], f64>

// A branch is computed again where its cotangents are known (here it is the same
// place). One that does not
// depend on a value gives zero.
// CHECK-LABEL: func private @choose.vjp(
// CHECK-SAME: %[[F:[^:]*]]: !pm.field<[x=8], f64>, %[[S:[^:]*]]: f64, %[[C:[^:]*]]: i1, %[[RB:[^:]*]]: !pm
// CHECK: %[[R:.*]]:3 = scf.if %[[C]] -> (!pm.field<[x=8], f64>, !pm.field<[x=8], f64>, f64)
// CHECK: math.cos
// CHECK: } else {
// CHECK: pm.reduce sum
// CHECK: return %[[R]]#0, %[[R]]#1, %[[R]]#2
func.func private @choose(%f: !F, %s: f64, %c: i1) -> !F {
  %r = scf.if %c -> (!F) {
    %a = pm.map [x=8] ins(%f : !F) {
    ^bb0(%e: f64):
      %v = math.sin %e : f64
      pm.yield %v : f64
    } -> !F
    scf.yield %a : !F
  } else {
    %a = pm.map [x=8] ins(%f : !F) {
    ^bb0(%e: f64):
      %v = arith.mulf %e, %s : f64
      pm.yield %v : f64
    } -> !F
    scf.yield %a : !F
  }
  return %r : !F
}
func.func @main(%f: !F, %s: f64, %c: i1) -> (!F, f64) {
  %v:3 = pm.vjp @choose(%f, %s, %c) wrt [0, 1] of [0] (%f) schedule keep : (!F, f64, i1), (!F) -> (!F, !F, f64)
  return %v#1, %v#2 : !F, f64
}

// -----

!F = !pm.field<[x=8], f64>

// A branch adds to what has been added up before it, and the other one hands
// that on: no field of zeros is made to be added.
// CHECK-LABEL: func private @more.vjp(
// CHECK-SAME: %[[F:[^:]*]]: !pm.field<[x=8], f64>, %[[C:[^:]*]]: i1, %[[W:[^:]*]]: !pm
// CHECK: %[[BEFORE:.*]] = pm.map [x=8] ins(%{{.*}}%[[W]]
// CHECK: %[[R:.*]] = scf.if %[[C]] -> (!pm.field<[x=8], f64>)
// CHECK: math.cos
// CHECK: %[[SUM:.*]] = pm.map [x=8] ins(%[[BEFORE]], %{{.*}} :
// CHECK: scf.yield %[[SUM]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[BEFORE]]
// CHECK: return %{{.*}}, %[[R]]
func.func private @more(%f: !F, %c: i1) -> !F {
  %r = scf.if %c -> (!F) {
    %a = pm.map [x=8] ins(%f : !F) {
    ^bb0(%e: f64):
      %v = math.sin %e : f64
      pm.yield %v : f64
    } -> !F
    scf.yield %a : !F
  } else {
    %a = pm.map [x=8] {
      %v = arith.constant 1.0 : f64
      pm.yield %v : f64
    } -> !F
    scf.yield %a : !F
  }
  %s = pm.map [x=8] ins(%f, %r : !F, !F) {
  ^bb0(%e: f64, %g: f64):
    %q = arith.mulf %e, %e : f64
    %v = arith.addf %q, %g : f64
    pm.yield %v : f64
  } -> !F
  return %s : !F
}
func.func @main(%f: !F, %c: i1) -> !F {
  %v:2 = pm.vjp @more(%f, %c) wrt [0] of [0] (%f) schedule keep : (!F, i1), (!F) -> (!F, !F)
  return %v#1 : !F
}

// -----

// A loop over numbers has no checkpoint store: it carries the derivative by each number that
// is wanted. A call of a function that loops is differentiated in the same way.
// CHECK-LABEL: func private @power.jvp(
// CHECK-SAME: %[[X:.*]]: f64, %[[DX:.*]]: f64) -> (f64, f64)
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[Y:.*]] = %{{.*}}, %[[DY:.*]] = %{{.*}}) -> (f64, f64)
// CHECK-NOT: scf.for
// CHECK: return %[[R]]#0, %[[R]]#1
// CHECK-LABEL: func private @f.vjp(
// CHECK: %[[ONE:.*]] = arith.constant 1.0
// CHECK: %[[D:.*]]:2 = call @power.jvp(%{{.*}}, %[[ONE]])
// CHECK: arith.mulf %{{.*}}, %[[D]]#1
// CHECK-NOT: pm.checkpoint_store
// CHECK: return
func.func private @power(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %one = arith.constant 1.0 : f64
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%y = %one) -> (f64) {
    %z = arith.mulf %y, %x : f64
    scf.yield %z : f64
  }
  return %r : f64
}
func.func private @f(%x: f64) -> f64 {
  %s = math.sin %x : f64
  %p = call @power(%s) : (f64) -> f64
  return %p : f64
}
func.func @main(%x: f64) -> f64 {
  %v:2 = pm.vjp @f(%x) wrt [0] of [0] (%x) schedule keep : (f64), (f64) -> (f64, f64)
  return %v#1 : f64
}

// -----

// CHECK-LABEL: func private @until.jvp(
// CHECK: %[[R:.*]]:2 = scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (f64, f64) -> (f64, f64)
// CHECK: scf.condition(%{{.*}}) %{{.*}}, %{{.*}} : f64, f64
// CHECK: return %[[R]]#0, %[[R]]#1
func.func private @until(%x: f64) -> f64 {
  %limit = arith.constant 100.0 : f64
  %r = scf.while (%y = %x) : (f64) -> f64 {
    %c = arith.cmpf olt, %y, %limit : f64
    scf.condition(%c) %y : f64
  } do {
  ^bb0(%y: f64):
    %z = arith.mulf %y, %x : f64
    scf.yield %z : f64
  }
  return %r : f64
}
func.func @main(%x: f64) -> f64 {
  %v:2 = pm.jvp @until(%x) wrt [0] along (%x) : (f64), (f64) -> (f64, f64)
  return %v#1 : f64
}

// -----

!F = !pm.field<[x=8], f64>

// The user's adjoint is called with what the function was given and with the
// cotangents of its results; the function is not looked into.
// CHECK-LABEL: func private @outer.vjp(
// CHECK-SAME: %[[F:.*]]: !pm.field<[x=8], f64>, %[[RB:.*]]: !pm.field<[x=8], f64>)
// CHECK: call @steep(%[[F]])
// CHECK: call @steep_adjoint(%[[F]], %[[RB]])
func.func private @steep(%f: !F) -> !F attributes {pm.adjoint = @steep_adjoint} {
  %r = pm.map [x=8] ins(%f : !F) {
  ^bb0(%e: f64):
    %v = math.floor %e : f64
    pm.yield %v : f64
  } -> !F
  return %r : !F
}
func.func private @steep_adjoint(%f: !F, %r: !F) -> !F {
  return %r : !F
}
func.func private @outer(%f: !F) -> !F {
  %r = call @steep(%f) : (!F) -> !F
  return %r : !F
}
func.func @main(%f: !F) -> !F {
  %v:2 = pm.vjp @outer(%f) wrt [0] of [0] (%f) schedule keep : (!F), (!F) -> (!F, !F)
  return %v#1 : !F
}
