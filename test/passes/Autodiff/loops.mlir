// RUN: pm-opt %s --pm-autodiff --split-input-file --remarks-filter=pm-autodiff 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks

!F = !pm.field<[x=8], f64>

// The state of every step is kept: what the adjoint reads of it, the field. What
// the body reads of outside gets the sum of what the steps add. The cotangent of
// what is only added to does not change.
// REMARK: all states of this loop are kept
// CHECK-LABEL: func private @square.vjp(
// CHECK-SAME: %[[F:[^:]*]]: !pm.field<[x=8], f64>, %[[S:[^:]*]]: f64, %[[N:[^:]*]]: index, %[[RB:[^:]*]]: !pm
// CHECK: %[[TAPE:.*]] = pm.checkpoint_store %{{.*}} of [!pm.field<[x=8], f64>]
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} iter_args(%[[A:.*]] = %[[F]], %{{.*}} = %[[F]])
// CHECK: pm.save %[[TAPE]] at %{{.*}}(%[[A]] :
// CHECK: pm.progress
// CHECK: %[[B:.*]]:2 = scf.for
// CHECK-NOT: pm.progress
// CHECK: pm.restore %[[TAPE]]
// CHECK: pm.reduce sum
// CHECK: scf.yield
// CHECK: pm.checkpoint_store_free %[[TAPE]]
// CHECK: return
func.func private @square(%f: !F, %s: f64, %n: index) -> (!F, !F) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f, %b = %f) -> (!F, !F) {
    %j = arith.index_cast %i : index to i64
    pm.progress step %j
    %g = pm.map [x=8] ins(%a : !F) {
    ^bb0(%e: f64):
      %v = arith.mulf %e, %e : f64
      %w = arith.mulf %v, %s : f64
      pm.yield %w : f64
    } -> !F
    %h = pm.map [x=8] ins(%a, %b : !F, !F) {
    ^bb0(%e: f64, %d: f64):
      %v = arith.addf %e, %d : f64
      pm.yield %v : f64
    } -> !F
    scf.yield %g, %h : !F, !F
  }
  return %r#0, %r#1 : !F, !F
}
func.func @main(%f: !F, %s: f64, %n: index) -> (!F, f64) {
  %v:4 = pm.vjp @square(%f, %s, %n) wrt [0, 1] of [1] (%f) schedule keep : (!F, f64, index), (!F) -> (!F, !F, !F, f64)
  return %v#2, %v#3 : !F, f64
}

// -----

!F = !pm.field<[x=8], f64>

// A loop whose adjoint needs no state has no checkpoint store.
// CHECK-LABEL: func private @double.vjp(
// CHECK-NOT: pm.checkpoint_store
// CHECK: return
func.func private @double(%f: !F) -> !F {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 10 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f) -> (!F) {
    %g = pm.map [x=8] ins(%a : !F) {
    ^bb0(%e: f64):
      %v = arith.addf %e, %e : f64
      pm.yield %v : f64
    } -> !F
    scf.yield %g : !F
  }
  return %r : !F
}
func.func @main(%f: !F) -> !F {
  %v:2 = pm.vjp @double(%f) wrt [0] of [0] (%f) schedule keep : (!F), (!F) -> (!F, !F)
  return %v#1 : !F
}

// -----

!F = !pm.field<[x=8], f64>

// Three states at a time: the runtime says which.
// REMARK: of the states of this loop {{.*}}3{{.*}} are kept at a time, the others are computed again
// CHECK-LABEL: func private @sines.vjp(
// CHECK-DAG: %[[N:.*]] = arith.constant 10 : i64
// CHECK-DAG: %[[K:.*]] = arith.constant 3 : i64
// CHECK: %[[TAPE:.*]] = pm.checkpoint_store
// CHECK: scf.for
// CHECK: %[[SLOT:.*]] = pm.revolve_slot %[[N]], %[[K]] to %[[N]] at
// CHECK: %[[IS:.*]] = arith.cmpi sge, %[[SLOT]]
// CHECK: scf.if %[[IS]]
// CHECK: pm.save %[[TAPE]] at %[[SLOT]]
// CHECK: scf.for
// CHECK: %[[FROM:.*]], %[[FIRST:.*]] = pm.revolve %[[N]], %[[K]] to %[[I:.*]]
// CHECK: pm.restore %[[TAPE]] at %[[FIRST]]
// CHECK: scf.for
// CHECK: pm.revolve_slot %[[N]], %[[K]] to %[[I]] at
// CHECK: pm.save %[[TAPE]]
// CHECK: math.sin
// CHECK: math.cos
// CHECK: pm.checkpoint_store_free %[[TAPE]]
func.func private @sines(%f: !F) -> !F {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 10 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f) -> (!F) {
    %g = pm.map [x=8] ins(%a : !F) {
    ^bb0(%e: f64):
      %v = math.sin %e : f64
      pm.yield %v : f64
    } -> !F
    scf.yield %g : !F
  }
  return %r : !F
}
func.func @main(%f: !F) -> !F {
  %v:2 = pm.vjp @sines(%f) wrt [0] of [0] (%f) schedule revolve 3 : (!F), (!F) -> (!F, !F)
  return %v#1 : !F
}

// -----

!F = !pm.field<[x=8], f64>

// Leapfrog: the place before a step is the one behind it less what the new
// momentum adds, then the momentum is the one behind less what the old place
// adds. No checkpoint store; sketches of the first and last states and of the recovered one
// tell how well that went.
// REMARK: the states of this loop are recovered from the last one
// CHECK-LABEL: func private @leapfrog.vjp(
// CHECK-SAME: %[[Q0:[^:]*]]: !pm.field<[x=8], f64>, %[[P0:[^:]*]]: !pm
// CHECK-NOT: pm.checkpoint_store
// CHECK: %[[FIRST:.*]]:2 = pm.bins [x=8] ins(%[[Q0]], %[[P0]] :
// CHECK: arith.shrui
// CHECK: pm.yield {{.*}} : i64, f64, f64
// CHECK: -> !pm.field<[sketch=64], f64>, !pm.field<[sketch=64], f64>
// CHECK: %[[END:.*]]:2 = scf.for
// CHECK-NOT: pm.bins
// CHECK: %[[LAST:.*]]:2 = pm.bins [x=8] ins(%[[END]]#0, %[[END]]#1 :
// CHECK: %[[BEGIN:.*]]:4 = scf.for {{.*}} iter_args(%[[Q:.*]] = %[[END]]#0, %[[P:.*]] = %[[END]]#1,
// CHECK-NOT: pm.bins
// CHECK: %[[ADDED:.*]] = pm.map [x=8] ins(%[[P]] :
// CHECK: %[[OLDQ:.*]] = pm.map [x=8] ins(%[[Q]], %[[ADDED]] :
// CHECK: arith.subf
// CHECK: pm.map [x=8] ins(%[[OLDQ]]
// CHECK: math.sin
// CHECK: %[[OLDP:.*]] = pm.map [x=8] ins(%[[P]], %{{.*}} :
// CHECK: arith.subf
// CHECK: scf.yield %[[OLDQ]], %[[OLDP]],
// CHECK: %[[AGAIN:.*]]:2 = pm.bins [x=8] ins(%[[BEGIN]]#0, %[[BEGIN]]#1 :
// CHECK: %[[Q2:.*]]:3 = pm.reduce sum [sketch=64] ins(%[[FIRST]]#0, %[[AGAIN]]#0, %[[LAST]]#0 :
// CHECK: math.sqrt
// CHECK: pm.reduce sum [sketch=64] ins(%[[FIRST]]#1, %[[AGAIN]]#1, %[[LAST]]#1 :
// CHECK: pm.reversal ["0", "1"](
func.func private @leapfrog(%q0: !F, %p0: !F) -> (!F, !F) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 10 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%q = %q0, %p = %p0) -> (!F, !F) {
    %force = pm.map [x=8] ins(%q : !F) {
    ^bb0(%e: f64):
      %v = math.sin %e : f64
      pm.yield %v : f64
    } -> !F
    %kick = pm.map [x=8] ins(%p, %force : !F, !F) {
    ^bb0(%e: f64, %g: f64):
      %v = arith.subf %e, %g : f64
      pm.yield %v : f64
    } -> !F
    %drift = pm.map [x=8] ins(%q, %kick : !F, !F) {
    ^bb0(%e: f64, %g: f64):
      %h = arith.mulf %g, %g : f64
      %v = arith.addf %e, %h : f64
      pm.yield %v : f64
    } -> !F
    scf.yield %drift, %kick : !F, !F
  }
  return %r#0, %r#1 : !F, !F
}
func.func @main(%f: !F) -> !F {
  %v:4 = pm.vjp @leapfrog(%f, %f) wrt [0, 1] of [0] (%f) schedule reverse : (!F, !F), (!F) -> (!F, !F, !F, !F)
  return %v#2 : !F
}

// -----

!F = !pm.field<[x=8], f64>

// A loop begins where another one ended: the other one's reversal begins with
// what that of the first has recovered, and no copy of it is kept.
// CHECK-LABEL: func private @two.vjp(
// CHECK: %[[MIDDLE:.*]]:2 = scf.for
// CHECK: %[[END:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[MIDDLE]]#0, %{{.*}} = %[[MIDDLE]]#1)
// CHECK: %[[BACK:.*]]:4 = scf.for {{.*}} iter_args(%{{.*}} = %[[END]]#0, %{{.*}} = %[[END]]#1,
// CHECK-NOT: %[[MIDDLE]]#
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[BACK]]#0, %{{.*}} = %[[BACK]]#1, %{{.*}} = %[[BACK]]#2, %{{.*}} = %[[BACK]]#3)
// CHECK-NOT: %[[MIDDLE]]#
// CHECK: return
func.func private @two(%q0: !F, %p0: !F) -> !F {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 10 : index
  %a:2 = scf.for %i = %c0 to %n step %c1 iter_args(%q = %q0, %p = %p0) -> (!F, !F) {
    %drift = pm.map [x=8] ins(%q, %p : !F, !F) {
    ^bb0(%e: f64, %g: f64):
      %v = arith.addf %e, %g : f64
      pm.yield %v : f64
    } -> !F
    %kick = pm.map [x=8] ins(%p, %drift : !F, !F) {
    ^bb0(%e: f64, %g: f64):
      %s = math.sin %g : f64
      %v = arith.addf %e, %s : f64
      pm.yield %v : f64
    } -> !F
    scf.yield %drift, %kick : !F, !F
  }
  %b:2 = scf.for %i = %c0 to %n step %c1 iter_args(%q = %a#0, %p = %a#1) -> (!F, !F) {
    %drift = pm.map [x=8] ins(%q, %p : !F, !F) {
    ^bb0(%e: f64, %g: f64):
      %v = arith.addf %e, %g : f64
      pm.yield %v : f64
    } -> !F
    %kick = pm.map [x=8] ins(%p, %drift : !F, !F) {
    ^bb0(%e: f64, %g: f64):
      %s = math.sin %g : f64
      %v = arith.addf %e, %s : f64
      pm.yield %v : f64
    } -> !F
    scf.yield %drift, %kick : !F, !F
  }
  return %b#0 : !F
}
func.func @main(%f: !F) -> !F {
  %v:3 = pm.vjp @two(%f, %f) wrt [0, 1] of [0] (%f) schedule reverse : (!F, !F), (!F) -> (!F, !F, !F)
  return %v#2 : !F
}

// -----

!F = !pm.field<[x=8], f64>

// REMARK: warning: the schedule "reverse" does not work for this loop: all its states are kept, as '0' cannot be computed from its value after an iteration
// REMARK: note: its new value is more than the old one plus or minus something
// CHECK-LABEL: func private @sines.vjp(
// CHECK: pm.checkpoint_store
func.func private @sines(%f: !F) -> !F {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 10 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f) -> (!F) {
    %g = pm.map [x=8] ins(%a : !F) {
    ^bb0(%e: f64):
      %v = math.sin %e : f64
      pm.yield %v : f64
    } -> !F
    scf.yield %g : !F
  }
  return %r : !F
}
func.func @main(%f: !F) -> !F {
  %v:2 = pm.vjp @sines(%f) wrt [0] of [0] (%f) schedule reverse : (!F), (!F) -> (!F, !F)
  return %v#1 : !F
}

// -----

!F = !pm.field<[x=8], f64>

// An element that is added to a function of itself: the function cannot be computed when the rest is recovered.
// REMARK: warning: the schedule "reverse" does not work for this loop: all its states are kept, as '0' cannot be computed from its value after an iteration
// REMARK: note: its new value is more than the old one plus or minus something
// CHECK-LABEL: func private @grows.vjp(
// CHECK: pm.checkpoint_store
func.func private @grows(%f: !F) -> !F {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 10 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f) -> (!F) {
    %g = pm.map [x=8] ins(%a : !F) {
    ^bb0(%e: f64):
      %v = math.sin %e : f64
      %s = arith.addf %e, %v : f64
      pm.yield %s : f64
    } -> !F
    scf.yield %g : !F
  }
  return %r : !F
}
func.func @main(%f: !F) -> !F {
  %v:2 = pm.vjp @grows(%f) wrt [0] of [0] (%f) schedule reverse : (!F), (!F) -> (!F, !F)
  return %v#1 : !F
}

// -----

!F = !pm.field<[x=8], f64>

// The derivative of a gradient: beside the checkpoint store there is one of their
// tangents, and both are freed.
// CHECK-LABEL: func private @sines.vjp.jvp(
// CHECK-DAG: %[[TAPE:.*]] = pm.checkpoint_store
// CHECK-DAG: %[[TANGENTS:.*]] = pm.checkpoint_store
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[DA:.*]] = %{{.*}})
// CHECK-DAG: pm.save %{{.*}} at %{{.*}}(%[[A]] :
// CHECK-DAG: pm.save %{{.*}} at %{{.*}}(%[[DA]] :
// CHECK: scf.for
// CHECK: pm.restore
// CHECK: pm.restore
// CHECK: pm.checkpoint_store_free
// CHECK: pm.checkpoint_store_free
func.func private @sines(%f: !F) -> !F {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 10 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f) -> (!F) {
    %g = pm.map [x=8] ins(%a : !F) {
    ^bb0(%e: f64):
      %v = math.sin %e : f64
      pm.yield %v : f64
    } -> !F
    scf.yield %g : !F
  }
  return %r : !F
}
func.func private @gradient(%f: !F, %w: !F) -> !F {
  %v:2 = pm.vjp @sines(%f) wrt [0] of [0] (%w) schedule keep : (!F), (!F) -> (!F, !F)
  return %v#1 : !F
}
func.func @main(%f: !F) -> !F {
  %j:2 = pm.jvp @gradient(%f, %f) wrt [0] along (%f) : (!F, !F), (!F) -> (!F, !F)
  return %j#1 : !F
}
