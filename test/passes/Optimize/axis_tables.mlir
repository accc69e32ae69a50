// RUN: pm-opt %s --pm-axis-tables --cse --pm-hoist | FileCheck %s

!K = !pm.field<[kx=dual(8), ky=half(8)], f32>

// One table for the sine, rounded, made once before the loop. What costs
// one operation, and what the element goes into, is not a table; scalars leave
// the body.
// CHECK-LABEL: @loop
// CHECK: %[[T:.*]] = pm.map [kx=dual(8)] {
// CHECK: pm.coordinate "kx"
// CHECK: math.sin
// CHECK: arith.truncf
// CHECK: -> !pm.field<[kx=dual(8)], f32>
// CHECK-NOT: -> !pm.field<[k
// CHECK: scf.for
// CHECK-NOT: math.sin
// CHECK: arith.divf %{{.*}} : f64
// CHECK: pm.map [kx=dual(8), ky=half(8)] ins(%{{.*}}, %[[T]] :
// CHECK-NEXT: ^bb0(%[[E:.*]]: f32, %[[S:.*]]: f32):
// CHECK-NOT: arith.divf
// CHECK: pm.coordinate "ky"
// CHECK: arith.mulf %[[E]], %[[S]]
// CHECK: pm.map {{.*}}, %[[T]] :
func.func @loop(%a: !K, %h: f64) -> !K {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  %one = arith.constant 1.0 : f64
  %r = scf.for %step = %c0 to %n step %c1 iter_args(%f = %a) -> (!K) {
    %i = arith.index_cast %step : index to i64
    %time = arith.sitofp %i : i64 to f64
    %g = pm.map [kx=dual(8), ky=half(8)] ins(%f : !K) {
    ^bb0(%e: f32):
      %x = pm.coordinate "kx"
      %xh = arith.mulf %x, %h : f64
      %s = math.sin %xh : f64
      %t = arith.truncf %s : f64 to f32
      %inverse = arith.divf %one, %time : f64
      %y = pm.coordinate "ky"
      %yt = arith.mulf %y, %inverse : f64
      %v = arith.mulf %e, %t : f32
      %wide = arith.extf %v : f32 to f64
      %z = arith.addf %wide, %yt : f64
      %w = arith.truncf %z : f64 to f32
      pm.yield %w : f32
    } -> !K
    %k = pm.map [kx=dual(8), ky=half(8)] ins(%g : !K) {
    ^bb0(%e: f32):
      %x = pm.coordinate "kx"
      %xh = arith.mulf %x, %h : f64
      %s = math.sin %xh : f64
      %t = arith.truncf %s : f64 to f32
      %v = arith.addf %e, %t : f32
      pm.yield %v : f32
    } -> !K
    scf.yield %k : !K
  }
  return %r : !K
}

// A table of what another table holds too: the one does not read the other.
// CHECK-LABEL: @nested
// CHECK: %[[S:.*]] = pm.map [kx=dual(8)] {
// CHECK: math.sin
// CHECK: %[[Q:.*]] = pm.map [kx=dual(8)] {
// CHECK: math.sin
// CHECK: arith.mulf
// CHECK: pm.map {{.*}}, %[[S]], %[[Q]] :
// CHECK-NEXT: ^bb0(%[[E:.*]]: f64, %[[A:.*]]: f64, %[[B:.*]]: f64):
// CHECK-NEXT: arith.mulf %[[E]], %[[A]]
// CHECK-NEXT: arith.addf %{{.*}}, %[[B]]
// CHECK-NEXT: pm.yield
func.func @nested(%f: !pm.field<[kx=dual(8), ky=half(8)], f64>) -> !pm.field<[kx=dual(8), ky=half(8)], f64> {
  %r = pm.map [kx=dual(8), ky=half(8)] ins(%f : !pm.field<[kx=dual(8), ky=half(8)], f64>) {
  ^bb0(%e: f64):
    %x = pm.coordinate "kx"
    %s = math.sin %x : f64
    %q = arith.mulf %s, %s : f64
    %t = arith.mulf %e, %s : f64
    %u = arith.addf %t, %q : f64
    pm.yield %u : f64
  } -> !pm.field<[kx=dual(8), ky=half(8)], f64>
  return %r : !pm.field<[kx=dual(8), ky=half(8)], f64>
}
