// RUN: pm-opt %s --pm-demote | FileCheck %s

!K = !pm.field<[kx=dual(8), ky=half(8)], f32>
!B = !pm.field<[bin=4], f64>

// The sum is f32, its terms are f64 and rounded; whether it is 0 is asked of
// each term in f64.
// CHECK-LABEL: @inverseLaplacian
// CHECK: %[[X2:.*]] = arith.mulf %[[X:.*]], %[[X]] : f64
// CHECK: %[[TX:.*]] = arith.truncf %[[X2]] : f64 to f32
// CHECK: %[[Y2:.*]] = arith.mulf %[[Y:.*]], %[[Y]] : f64
// CHECK: %[[TY:.*]] = arith.truncf %[[Y2]] : f64 to f32
// CHECK: %[[SUM:.*]] = arith.addf %[[TX]], %[[TY]] : f32
// CHECK: %[[ZX:.*]] = arith.cmpf oeq, %[[X2]], %{{.*}} : f64
// CHECK: %[[ZY:.*]] = arith.cmpf oeq, %[[Y2]], %{{.*}} : f64
// CHECK: %[[Z:.*]] = arith.andi %[[ZX]], %[[ZY]] : i1
// CHECK: %[[INV:.*]] = arith.divf %{{.*}}, %[[SUM]] : f32
// CHECK: arith.select %[[Z]], %{{.*}}, %[[INV]] : f32
func.func @inverseLaplacian(%k: f64) -> !K {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %r = pm.map [kx=dual(8), ky=half(8)] {
    %i = pm.coordinate "kx"
    %j = pm.coordinate "ky"
    %x = arith.mulf %i, %k : f64
    %y = arith.mulf %j, %k : f64
    %x2 = arith.mulf %x, %x : f64
    %y2 = arith.mulf %y, %y : f64
    %k2 = arith.addf %x2, %y2 : f64
    %dc = arith.cmpf oeq, %k2, %zero : f64
    %inv = arith.divf %one, %k2 : f64
    %s = arith.select %dc, %zero, %inv : f64
    %t = arith.truncf %s : f64 to f32
    pm.yield %t : f32
  } -> !K
  return %r : !K
}

// A difference may be 0 where its terms are not: that comparison stays.
// CHECK-LABEL: @difference
// CHECK: %[[D:.*]] = arith.subf %{{.*}}, %{{.*}} : f64
// CHECK: arith.cmpf oeq, %[[D]]
func.func @difference() -> !K {
  %zero = arith.constant 0.0 : f64
  %r = pm.map [kx=dual(8), ky=half(8)] {
    %i = pm.coordinate "kx"
    %j = pm.coordinate "ky"
    %d = arith.subf %i, %j : f64
    %same = arith.cmpf oeq, %d, %zero : f64
    %s = arith.select %same, %zero, %d : f64
    %t = arith.truncf %s : f64 to f32
    pm.yield %t : f32
  } -> !K
  return %r : !K
}

// A term that is a difference may be negative, and cancel another one: the modes of a shell.
// CHECK-LABEL: @shell
// CHECK: %[[D:.*]] = arith.addf %{{.*}}, %{{.*}} : f64
// CHECK: arith.cmpf oeq, %[[D]]
func.func @shell() -> !K {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %four = arith.constant 4.0 : f64
  %r = pm.map [kx=dual(8), ky=half(8)] {
    %i = pm.coordinate "kx"
    %j = pm.coordinate "ky"
    %x = arith.mulf %i, %i : f64
    %y = arith.mulf %j, %j : f64
    %below = arith.subf %x, %four : f64
    %d = arith.addf %below, %y : f64
    %there = arith.cmpf oeq, %d, %zero : f64
    %s = arith.select %there, %one, %zero : f64
    %t = arith.truncf %s : f64 to f32
    pm.yield %t : f32
  } -> !K
  return %r : !K
}

// Transcendental functions and what they take stay in f64.
// CHECK-LABEL: @transcendental
// CHECK: %[[S:.*]] = arith.addf %{{.*}} : f64
// CHECK: math.exp %[[S]] : f64
func.func @transcendental() -> !K {
  %r = pm.map [kx=dual(8), ky=half(8)] {
    %i = pm.coordinate "kx"
    %j = pm.coordinate "ky"
    %d = arith.addf %i, %j : f64
    %s = math.exp %d : f64
    %t = arith.truncf %s : f64 to f32
    pm.yield %t : f32
  } -> !K
  return %r : !K
}

// So do sums: which bin, and what goes into it.
// CHECK-LABEL: @bins
// CHECK: arith.addf %{{.*}} : f64
// CHECK: arith.truncf
func.func @bins() -> !B {
  %r = pm.bins [kx=dual(8), ky=half(8)] {
    %i = pm.coordinate "kx"
    %j = pm.coordinate "ky"
    %d = arith.addf %i, %j : f64
    %t = arith.truncf %d : f64 to f32
    %b = arith.fptosi %t : f32 to i64
    pm.yield %b, %t : i64, f32
  } -> !B
  return %r : !B
}

// A negative number may cancel the other terms: that comparison stays.
!F = !pm.field<[x=8, y=8], f32>
// CHECK-LABEL: @circle
// CHECK: %[[R2:.*]] = arith.addf %{{.*}}, %{{.*}} : f64
// CHECK: %[[D:.*]] = arith.addf %[[R2]], %{{.*}} : f64
// CHECK: arith.cmpf ogt, %[[D]], %{{.*}} : f64
// CHECK-NOT: arith.ori
func.func @circle() -> !F {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %four = arith.constant -4.0 : f64
  %r = pm.map [x=8, y=8] {
    %i = pm.coordinate "x"
    %j = pm.coordinate "y"
    %x2 = arith.mulf %i, %i : f64
    %y2 = arith.mulf %j, %j : f64
    %r2 = arith.addf %x2, %y2 : f64
    %d = arith.addf %r2, %four : f64
    %beyond = arith.cmpf ogt, %d, %zero : f64
    %s = arith.select %beyond, %one, %zero : f64
    %t = arith.truncf %s : f64 to f32
    pm.yield %t : f32
  } -> !F
  return %r : !F
}

// An f64 field is not rounded before the arithmetic, so that 1 + 1e-9 - 1 is not 0. Its product with a coordinate of each
// dim is rounded once.
!W = !pm.field<[x=8, y=8], f64>
// CHECK-LABEL: @wideField
// CHECK: %[[D:.*]] = arith.subf %{{.*}}, %{{.*}} : f64
// CHECK: %[[P:.*]] = arith.mulf %[[D]], %{{.*}} : f64
// CHECK: %[[T:.*]] = arith.truncf %[[P]] : f64 to f32
// CHECK: pm.yield %[[T]] : f32
func.func @wideField(%f: !W) -> !F {
  %one = arith.constant 1.0 : f64
  %r = pm.map [x=8, y=8] ins(%f : !W) {
  ^bb0(%w: f64):
    %i = pm.coordinate "x"
    %j = pm.coordinate "y"
    %d = arith.subf %w, %one : f64
    %s = arith.addf %i, %j : f64
    %p = arith.mulf %d, %s : f64
    %t = arith.truncf %p : f64 to f32
    pm.yield %t : f32
  } -> !F
  return %r : !F
}

// Nor are the cells of an f64 field; those of an f32 field add in f32.
// CHECK-LABEL: @cells
// CHECK: arith.subf %{{.*}}, %{{.*}} : f64
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
func.func @cells(%f: !W, %g: !F) -> (!F, !F) {
  %one = arith.constant 1.0 : f64
  %r:2 = pm.map [x=8, y=8] ins(%g : !F) {
  ^bb0(%e: f32):
    %i = pm.coordinate "x"
    %n = arith.fptosi %i : f64 to i64
    %w = pm.cell %f[%n, %n] low [0, 0] high [0, 0] near [false, false] : !W -> f64
    %d = arith.subf %w, %one : f64
    %t = arith.truncf %d : f64 to f32
    %x = arith.extf %e : f32 to f64
    %j = pm.coordinate "y"
    %k = arith.mulf %i, %j : f64
    %s = arith.addf %x, %k : f64
    %u = arith.truncf %s : f64 to f32
    pm.yield %t, %u : f32, f32
  } -> !F, !F
  return %r#0, %r#1 : !F, !F
}
