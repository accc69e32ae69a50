// RUN: pm-opt %s --pm-narrow | FileCheck %s
// Maps that change a part of a dim, and sums of what is 0 elsewhere, say so.

!f = !pm.field<[z=8, x=4], f32>
!g = !pm.field<[x=4], f32>
!c = !pm.field<[z=8, x=4], complex<f32>>

// CHECK-LABEL: @one
// CHECK: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK: %[[END:.*]] = arith.addi %[[I:.*]], %[[ONE]] : i64
// CHECK: pm.map [z=8, x=4] within "z"(%[[I]], %[[END]]) ins(
func.func @one(%f: !f, %g: !g, %i: i64) -> !f {
  %at = arith.sitofp %i : i64 to f64
  %r = pm.map [z=8, x=4] ins(%f, %g : !f, !g) {
  ^bb0(%a: f32, %b: f32):
    %z = pm.coordinate "z"
    %c = arith.cmpf oeq, %z, %at : f64
    %v = arith.select %c, %b, %a : f32
    pm.yield %v : f32
  } -> !f
  return %r : !f
}

// Two that are near: both cells.
// CHECK-LABEL: @two
// CHECK: %[[TWO:.*]] = arith.constant 2 : i64
// CHECK: %[[END:.*]] = arith.addi %[[I:.*]], %[[TWO]] : i64
// CHECK: pm.map [z=8, x=4] within "z"(%[[I]], %[[END]]) ins(
func.func @two(%f: !f, %g: !g, %i: i64) -> !f {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %next = arith.addi %i, %one : i64
  %at = arith.sitofp %i : i64 to f64
  %to = arith.sitofp %next : i64 to f64
  %r = pm.map [z=8, x=4] ins(%f, %g : !f, !g) {
  ^bb0(%a: f32, %b: f32):
    %z = pm.coordinate "z"
    %c = arith.cmpf oeq, %z, %at : f64
    %d = arith.cmpf oeq, %z, %to : f64
    %v = arith.select %c, %b, %zero : f32
    %w = arith.addf %a, %v : f32
    %u = arith.select %d, %zero, %w : f32
    pm.yield %u : f32
  } -> !f
  return %r : !f
}

// A range with known ends, of complex numbers.
// CHECK-LABEL: @range
// CHECK: pm.map [z=8, x=4] within "z"(%c2_i64, %c5_i64) ins(
func.func @range(%f: !c) -> !c {
  %zero = arith.constant 0.0 : f32
  %first = arith.constant 2.0 : f64
  %last = arith.constant 4.0 : f64
  %r = pm.map [z=8, x=4] ins(%f : !c) {
  ^bb0(%a: complex<f32>):
    %re = complex.re %a : complex<f32>
    %im = complex.im %a : complex<f32>
    %z = pm.coordinate "z"
    %c = arith.cmpf oge, %z, %first : f64
    %d = arith.cmpf ole, %z, %last : f64
    %e = arith.andi %c, %d : i1
    %v = arith.select %e, %zero, %re : f32
    %w = arith.select %e, %zero, %im : f32
    %u = complex.create %v, %w : complex<f32>
    pm.yield %u : complex<f32>
  } -> !c
  return %r : !c
}

// CHECK-LABEL: @summed
// CHECK: pm.reduce sum [z=8, x=4] within "z"(%{{.*}}, %{{.*}}) ins(
func.func @summed(%f: !f, %i: i64) -> !g {
  %zero = arith.constant 0.0 : f32
  %at = arith.sitofp %i : i64 to f64
  %r = pm.reduce sum [z=8, x=4] ins(%f : !f) {
  ^bb0(%a: f32):
    %z = pm.coordinate "z"
    %c = arith.cmpf oeq, %z, %at : f64
    %v = arith.select %c, %a, %zero : f32
    pm.yield %v : f32
  } -> !g
  return %r : !g
}

// What changes elsewhere, too; a broadcast, of which nothing can be kept; a condition on
// something else; the complement of a range.
// CHECK-LABEL: @others
// CHECK-NOT: within
func.func @others(%f: !f, %g: !g, %i: i64) -> (!f, !f, !f, !f) {
  %at = arith.sitofp %i : i64 to f64
  %two = arith.constant 2.0 : f32
  %r:4 = pm.map [z=8, x=4] ins(%f, %g : !f, !g) {
  ^bb0(%a: f32, %b: f32):
    %z = pm.coordinate "z"
    %c = arith.cmpf oeq, %z, %at : f64
    %d = arith.cmpf ogt, %a, %b : f32
    %e = arith.cmpf une, %z, %at : f64
    %twice = arith.mulf %a, %two : f32
    %s = arith.select %c, %b, %twice : f32
    %t = arith.select %c, %a, %b : f32
    %u = arith.select %d, %b, %a : f32
    %v = arith.select %e, %b, %a : f32
    pm.yield %s, %t, %u, %v : f32, f32, f32, f32
  } -> !f, !f, !f, !f
  return %r#0, %r#1, %r#2, %r#3 : !f, !f, !f, !f
}

// A difference changes the sign of its second side everywhere, even where the first side is 0.
// CHECK-LABEL: @difference
// CHECK-NOT: within
func.func @difference(%f: !f, %g: !g, %i: i64) -> !f {
  %zero = arith.constant 0.0 : f32
  %at = arith.sitofp %i : i64 to f64
  %r = pm.map [z=8, x=4] ins(%f, %g : !f, !g) {
  ^bb0(%a: f32, %b: f32):
    %z = pm.coordinate "z"
    %c = arith.cmpf oeq, %z, %at : f64
    %v = arith.select %c, %b, %zero : f32
    %u = arith.subf %v, %a : f32
    pm.yield %u : f32
  } -> !f
  return %r : !f
}

// A condition on a dim of the result: its other cells are 0, and must be written.
// CHECK-LABEL: @kept
// CHECK-NOT: within
func.func @kept(%f: !f, %i: i64) -> !pm.field<[z=8], f32> {
  %zero = arith.constant 0.0 : f32
  %at = arith.sitofp %i : i64 to f64
  %r = pm.reduce sum [z=8, x=4] ins(%f : !f) {
  ^bb0(%a: f32):
    %z = pm.coordinate "z"
    %c = arith.cmpf oeq, %z, %at : f64
    %v = arith.select %c, %a, %zero : f32
    pm.yield %v : f32
  } -> !pm.field<[z=8], f32>
  return %r : !pm.field<[z=8], f32>
}
