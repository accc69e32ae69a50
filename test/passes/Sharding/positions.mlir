// RUN: pm-opt %s --pm-sharding -verify-diagnostics -split-input-file | FileCheck %s

// Positions that are computed in a branch: the displacement bound takes the branches along; who does not get there does not count.

!F = !pm.field<[x=8, y=8], f32>
pm.mesh @ranks axes = ["row"] extents = [1]
pm.layout "x" -> ["row"]
// CHECK-LABEL: func.func @main
// CHECK: %[[R:.*]] = pm.displacement_bound cic [x=8 on(row), y=8] of [x=8 on(row), y=8] ins(%[[U:.*]], %[[V:.*]] :
// CHECK-NEXT: ^bb0(%[[P:.*]]: f32, %[[Q:.*]]: f32):
// CHECK-NEXT:   %[[S:.*]] = arith.addf %[[P]], %[[P]] : f32
// CHECK-NEXT:   %[[C:.*]] = arith.cmpf ogt, %[[P]], %[[Q]] : f32
// CHECK-NEXT:   %[[O:.*]]:3 = scf.if %[[C]] -> (f32, f32, i1) {
// CHECK-DAG:      %[[Z:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:      %[[NO:.*]] = arith.constant false
// CHECK:          scf.yield %[[Z]], %[[Z]], %[[NO]] : f32, f32, i1
// CHECK-NEXT:   } else {
// CHECK-DAG:      %[[T:.*]] = arith.mulf %[[S]], %[[Q]] : f32
// CHECK-DAG:      %[[YES:.*]] = arith.constant true
// CHECK:          scf.yield %[[T]], %[[Q]], %[[YES]] : f32, f32, i1
// CHECK-NEXT:   }
// CHECK-NEXT:   pm.yield %[[O]]#0, %[[O]]#1, %[[O]]#2 : f32, f32, i1
// CHECK: pm.halo_exchange {{.*}} bound %[[R]]
// CHECK: pm.map
// CHECK: scf.if
// CHECK: pm.interpolate cic(
func.func @main() {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %u = pm.white_noise %one -> !F
  %v = pm.white_noise %two -> !F
  %g = pm.map [x=8, y=8] ins(%u, %v : !F, !F) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %p : f32
    %unused = arith.mulf %p, %q : f32
    %c = arith.cmpf ogt, %p, %q : f32
    %r = scf.if %c -> f32 {
      scf.yield %unused : f32
    } else {
      %t = arith.mulf %s, %q : f32
      %m = arith.mulf %q, %q : f32
      %i = pm.interpolate cic (%u : !F) at (%t, %q : f32, f32) -> f32
      %w = arith.addf %i, %m : f32
      scf.yield %w : f32
    }
    pm.yield %r : f32
  } -> !F
  pm.output "g"(%g : !F)
  return
}

// -----

// Nor do positions above the branch.
!F = !pm.field<[x=8], f32>
pm.mesh @ranks axes = ["row"] extents = [1]
pm.layout "x" -> ["row"]
// CHECK-LABEL: func.func @main
// CHECK: pm.displacement_bound cic [x=8 on(row)] of [x=8 on(row)] ins(%{{.*}} :
// CHECK-NEXT: ^bb0(%[[P:.*]]: f32):
// CHECK: %[[C:.*]] = arith.cmpf ogt, %[[P]]
// CHECK-NOT: scf.if
// CHECK: pm.yield %[[P]], %[[C]] : f32, i1
func.func @main() {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %u = pm.white_noise %one -> !F
  %g = pm.map [x=8] ins(%u : !F) {
  ^bb0(%p: f32):
    %c = arith.cmpf ogt, %p, %zero : f32
    %r = scf.if %c -> f32 {
      %i = pm.interpolate cic (%u : !F) at (%p : f32) -> f32
      scf.yield %i : f32
    } else {
      scf.yield %p : f32
    }
    pm.yield %r : f32
  } -> !F
  pm.output "g"(%g : !F)
  return
}

// -----

// Nor in the other branch: who does not fulfil the condition counts.
!F = !pm.field<[x=8], f32>
pm.mesh @ranks axes = ["row"] extents = [1]
pm.layout "x" -> ["row"]
// CHECK-LABEL: func.func @main
// CHECK: pm.displacement_bound cic [x=8 on(row)] of [x=8 on(row)] ins(%{{.*}} :
// CHECK-NEXT: ^bb0(%[[P:.*]]: f32):
// CHECK: %[[C:.*]] = arith.cmpf ogt, %[[P]]
// CHECK-NEXT: %[[T:.*]] = arith.constant true
// CHECK-NEXT: %[[E:.*]] = arith.xori %[[C]], %[[T]] : i1
// CHECK-NOT: scf.if
// CHECK: pm.yield %[[P]], %[[E]] : f32, i1
func.func @main() {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %u = pm.white_noise %one -> !F
  %g = pm.map [x=8] ins(%u : !F) {
  ^bb0(%p: f32):
    %c = arith.cmpf ogt, %p, %zero : f32
    %r = scf.if %c -> f32 {
      scf.yield %p : f32
    } else {
      %i = pm.interpolate cic (%u : !F) at (%p : f32) -> f32
      scf.yield %i : f32
    }
    pm.yield %r : f32
  } -> !F
  pm.output "g"(%g : !F)
  return
}

// -----

!F = !pm.field<[x=8], f32>
pm.mesh @ranks axes = ["row"] extents = [1]
pm.layout "x" -> ["row"]
func.func @main() {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : index
  %step = arith.constant 1 : index
  %end = arith.constant 3 : index
  %u = pm.white_noise %one -> !F
  %g = pm.map [x=8] ins(%u : !F) {
  ^bb0(%p: f32):
    %r = scf.for %k = %zero to %end step %step iter_args(%a = %p) -> f32 {
      // expected-error@+1 {{cannot tell before how far these positions go into other ranks' cells: they are computed in a loop for each element; expected fields of positions, computed before}}
      %i = pm.interpolate cic (%u : !F) at (%a : f32) -> f32
      scf.yield %i : f32
    }
    pm.yield %r : f32
  } -> !F
  pm.output "g"(%g : !F)
  return
}

// -----

// Also if it is not on a lattice.
// CHECK: pm.displacement_bound cic [p=8] of [x=8 on(row)] free
// CHECK: %[[R:.*]]:2 = scf.if
// CHECK: scf.yield %{{.*}}, %{{.*}} : f32, i1
// CHECK: scf.yield %{{.*}}, %{{.*}} : f32, i1
// CHECK: pm.yield %[[R]]#0, %[[R]]#1 : f32, i1
!F = !pm.field<[x=8], f32>
!P = !pm.field<[p=8], f32>
pm.mesh @ranks axes = ["row"] extents = [1]
pm.layout "x" -> ["row"]
func.func @main() {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %u = pm.white_noise %one -> !F
  %v = pm.white_noise %one -> !P
  %g = pm.map [p=8] ins(%v : !P) {
  ^bb0(%p: f32):
    %c = arith.cmpf ogt, %p, %zero : f32
    %r = scf.if %c -> f32 {
      %q = arith.addf %p, %p : f32
      %i = pm.interpolate cic free (%u : !F) at (%q : f32) -> f32
      scf.yield %i : f32
    } else {
      scf.yield %p : f32
    }
    pm.yield %r : f32
  } -> !P
  pm.output "g"(%g : !P)
  return
}
