// RUN: pm-opt %s --pm-exact-sums | FileCheck %s
// RUN: sed 's/attributes {pm.deterministic}//' %s | pm-opt --pm-exact-sums | FileCheck %s --check-prefix=AS-WRITTEN
// RUN: pm-opt %S/Inputs/contract.mlir --pm-exact-sums | FileCheck %S/Inputs/contract.mlir
// Sums of words that do not round, and what needs none.

// AS-WRITTEN-NOT: pm.reduce max
// AS-WRITTEN-NOT: exact

!f = !pm.field<[x=8, y=4], f32>
!x = !pm.field<[x=8], f32>
!xd = !pm.field<[x=8], f64>
!m = !pm.field<[x=8, y=4], f32>
!d = !pm.field<[x=8, y=4], f64>
module attributes {pm.deterministic} {

// 32 numbers: 3 * 2^5, then 3 * 2^(5 + 5 - 52). What is not finite has no say in the steps, and nothing is left of it.
// CHECK-LABEL: @numbers
// CHECK: %[[MOST:.*]] = pm.reduce max [x=8, y=4] ins(
// CHECK: %[[SIZE_OF:.*]] = math.absf
// CHECK: %[[FINITE:.*]] = arith.cmpf olt, %[[SIZE_OF]], %{{.*}} : f64
// CHECK: arith.select %[[FINITE]], %[[SIZE_OF]], %{{.*}} : f64
// CHECK: %[[LEAST:.*]] = arith.constant 1.000000e-290 : f64
// CHECK: %[[SIZE:.*]] = arith.maximumf %[[MOST]], %[[LEAST]]
// CHECK: %[[BITS:.*]] = arith.bitcast %[[SIZE]] : f64 to i64
// CHECK: arith.andi %[[BITS]]
// CHECK: %[[ABOVE:.*]] = arith.mulf
// CHECK: %[[LARGEST:.*]] = arith.constant {{.*}}E+304 : f64
// CHECK: %[[TOP:.*]] = arith.minimumf %[[ABOVE]], %[[LARGEST]]
// CHECK: %[[FIRST:.*]] = arith.constant 9.600000e+01 : f64
// CHECK: %[[C:.*]] = arith.mulf %[[TOP]], %[[FIRST]]
// CHECK: %[[SECOND:.*]] = arith.constant 6.8212102632969618E-13 : f64
// CHECK: %[[D:.*]] = arith.mulf %[[TOP]], %[[SECOND]]
// CHECK: %[[SUMS:.*]]:2 = pm.reduce sum [x=8, y=4] ins(
// CHECK: ^bb0(%[[E:.*]]: f32):
// CHECK: %[[V:.*]] = arith.extf %[[E]]
// CHECK: %[[MOVED:.*]] = arith.addf %[[V]], %[[C]]
// CHECK: %[[HIGH:.*]] = arith.subf %[[MOVED]], %[[C]]
// CHECK: %[[WHOLE:.*]] = arith.cmpf oeq, %[[V]], %[[HIGH]] : f64
// CHECK: %[[LEFT:.*]] = arith.subf %[[V]], %[[HIGH]]
// CHECK: %[[REST:.*]] = arith.select %[[WHOLE]], %{{.*}}, %[[LEFT]] : f64
// CHECK: %[[NEAR:.*]] = arith.addf %[[REST]], %[[D]]
// CHECK: %[[LOW:.*]] = arith.subf %[[NEAR]], %[[D]]
// CHECK: pm.yield %[[HIGH]], %[[LOW]] : f64, f64
// CHECK: %[[R:.*]] = arith.addf %[[SUMS]]#0, %[[SUMS]]#1
// CHECK: return %[[R]]
func.func @numbers(%f: !f) -> f64 {
  %s = pm.reduce sum [x=8, y=4] ins(%f : !f) {
  ^bb0(%e: f32):
    %v = arith.extf %e : f32 to f64
    pm.yield %v : f64
  } scalars f64
  return %s : f64
}

// Over y, 4 numbers; the field's words are added, and rounded once.
// CHECK-LABEL: @over_y
// CHECK: arith.constant 1.200000e+01 : f64
// CHECK: %[[SUMS:.*]]:2 = pm.reduce sum [x=8, y=4]
// CHECK: -> !pm.field<[x=8], f64>, !pm.field<[x=8], f64>
// CHECK: pm.map [x=8] ins(%[[SUMS]]#0, %[[SUMS]]#1 :
// CHECK: arith.addf
// CHECK: arith.truncf
func.func @over_y(%f: !f) -> !x {
  %s = pm.reduce sum [x=8, y=4] ins(%f : !f) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !x
  return %s : !x
}

// Counts are whole numbers, and one element of each sum is not 0.
// CHECK-LABEL: @as_they_are
// CHECK-NOT: pm.reduce max
// CHECK-NOT: arith.subf
func.func @as_they_are(%f: !f) -> (f64, !x) {
  %one = arith.constant 1.0 : f64
  %none = arith.constant 0.0 : f64
  %zero = arith.constant 0.0 : f32
  %n = pm.reduce sum [x=8, y=4] ins(%f : !f) {
  ^bb0(%e: f32):
    %is = arith.cmpf ogt, %e, %zero : f32
    %v = arith.select %is, %one, %none : f64
    pm.yield %v : f64
  } scalars f64
  %s = pm.reduce sum [x=8, y=4] ins(%f : !f) {
  ^bb0(%e: f32):
    %y = pm.coordinate "y"
    %is = arith.cmpf oeq, %y, %one : f64
    %v = arith.select %is, %e, %zero : f32
    pm.yield %v : f32
  } -> !x
  return %n, %s : f64, !x
}

// Whole numbers whose sum may be above 2^53: the larger one of a choice counts, whichever it is, and a product of two.
// CHECK-LABEL: @above
// CHECK: pm.reduce max
// CHECK: pm.reduce max
// CHECK: pm.reduce max
// CHECK: return
func.func @above(%f: !f) -> (f64, f64, f64) {
  %one = arith.constant 1.0 : f64
  %large = arith.constant 562949953421312.0 : f64
  %half = arith.constant 33554432.0 : f64
  %zero = arith.constant 0.0 : f32
  %a = pm.reduce sum [x=8, y=4] ins(%f : !f) {
  ^bb0(%e: f32):
    %is = arith.cmpf ogt, %e, %zero : f32
    %v = arith.select %is, %large, %one : f64
    pm.yield %v : f64
  } scalars f64
  %b = pm.reduce sum [x=8, y=4] ins(%f : !f) {
  ^bb0(%e: f32):
    %is = arith.cmpf ogt, %e, %zero : f32
    %v = arith.select %is, %one, %large : f64
    pm.yield %v : f64
  } scalars f64
  %c = pm.reduce sum [x=8, y=4] ins(%f : !f) {
  ^bb0(%e: f32):
    %is = arith.cmpf ogt, %e, %zero : f32
    %v = arith.select %is, %half, %one : f64
    %p = arith.mulf %v, %half : f64
    pm.yield %p : f64
  } scalars f64
  return %a, %b, %c : f64, f64, f64
}

// CHECK-LABEL: @binned
// CHECK: %[[SUMS:.*]]:3 = pm.bins [x=8, y=4]
// CHECK: pm.yield %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : i64, f64, f64, f64
// CHECK: pm.map [b=4] ins(%[[SUMS]]#0, %[[SUMS]]#1 :
// CHECK: return %{{.*}}, %[[SUMS]]#2
func.func @binned(%f: !f) -> (!pm.field<[b=4], f64>, !pm.field<[b=4], f64>) {
  %one = arith.constant 1.0 : f64
  %s, %n = pm.bins [x=8, y=4] ins(%f : !f) {
  ^bb0(%e: f32):
    %b = arith.fptosi %e : f32 to i64
    %v = arith.extf %e : f32 to f64
    pm.yield %b, %v, %one : i64, f64, f64
  } -> !pm.field<[b=4], f64>, !pm.field<[b=4], f64>
  return %s, %n : !pm.field<[b=4], f64>, !pm.field<[b=4], f64>
}

// Weights of 1 have a largest one that is known, others have not; a mesh of f64 has two words.
// CHECK-LABEL: @painted
// CHECK-NOT: pm.reduce
// CHECK: %[[P:.*]] = pm.scatter cic [x=8, y=4] exact 1(%{{.*}}) ins(
// CHECK: -> !pm.field<[x=8, y=4], f64>
// CHECK: pm.map [x=8, y=4] ins(%[[P]] :
// CHECK: pm.reduce max [x=8, y=4] ins(
// CHECK: %[[Q:.*]]:2 = pm.scatter cic [x=8, y=4] exact 2(%{{.*}}, %{{.*}}) ins(
// CHECK: pm.map [x=8, y=4] ins(%[[Q]]#0, %[[Q]]#1 :
func.func @painted(%u: !f, %v: !f, %w: !f) -> (!m, !d) {
  %one = arith.constant 1.0 : f32
  %p = pm.scatter cic [x=8, y=4] ins(%u, %v : !f, !f) {
  ^bb0(%a: f32, %b: f32):
    pm.yield %a, %b, %one : f32, f32, f32
  } -> !m
  %q = pm.scatter cic [x=8, y=4] ins(%u, %v, %w : !f, !f, !f) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    pm.yield %a, %b, %c : f32, f32, f32
  } -> !d
  return %p, %q : !m, !d
}

// The window 0.5 - 1.25 s + 0.5 s^2 with |s| <= 1/2 is at most 1.25, its first derivative 1.75, and its second one 1.
// CHECK-LABEL: @derivatives
// CHECK: %[[VALUE:.*]] = arith.constant 1.250000e+00 : f64
// CHECK-NEXT: %[[FIRST:.*]] = arith.constant 1.750000e+00 : f64
// CHECK-NEXT: %[[SECOND:.*]] = arith.constant 1.000000e+00 : f64
// CHECK: arith.maximumf %[[VALUE]],
// CHECK: arith.maximumf %[[FIRST]],
// CHECK: arith.maximumf %[[SECOND]],
// CHECK: pm.scatter of<2, {{.*}}> [x=8] exact 2(
func.func @derivatives(%u: !x) -> (!xd, !xd, !xd) {
  %one = arith.constant 1.0 : f64
  %p:3 = pm.scatter of<2, array<f64: 0.5, -1.25, 0.5, 0.5, 1.25, 0.5>> [x=8] ins(%u : !x) attributes {orders = array<i64: 0, 1, 2>} {
  ^bb0(%a: f32):
    pm.yield %a, %one, %one, %one : f32, f64, f64, f64
  } -> !xd, !xd, !xd
  return %p#0, %p#1, %p#2 : !xd, !xd, !xd
}

}
