// RUN: pm-opt %s --pm-contract | FileCheck %s

!A = !pm.field<[i=16, k=8], f32>
!B = !pm.field<[k=8, j=16], f32>
!V = !pm.field<[k=8], f32>
!P = !pm.field<[i=16, k=8, j=16], f32>
!C = !pm.field<[i=16, j=16], f32>

// A sum of a product of two fields, which is not made.
// CHECK-LABEL: func.func @plain(
// CHECK-NEXT: %[[C:.*]] = pm.contract %arg0, %arg1 : {{.*}} -> !pm.field<[i=16, j=16], f32>
// CHECK-NEXT: return %[[C]]
func.func @plain(%a: !A, %b: !B) -> !C {
  %p = pm.map [i=16, k=8, j=16] ins(%a, %b : !A, !B) {
  ^bb0(%x: f32, %y: f32):
    %q = arith.mulf %x, %y : f32
    pm.yield %q : f32
  } -> !P
  %c = pm.reduce sum [i=16, k=8, j=16] ins(%p : !P) {
  ^bb0(%x: f32):
    pm.yield %x : f32
  } -> !C
  return %c : !C
}

// Other factors go to the field that has their dims, with what they are made of.
// CHECK-LABEL: func.func @factors(
// CHECK: %[[A:.*]] = pm.map [i=16, k=8] ins(%arg0, %arg2, %arg0 :
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[V:.*]]: f32, %[[Y:.*]]: f32):
// CHECK-NEXT: %[[ROOT:.*]] = math.sqrt %[[X]]
// CHECK-NEXT: %[[XV:.*]] = arith.addf %[[ROOT]], %[[V]]
// CHECK: %[[B:.*]] = pm.map [k=8, j=16] ins(%arg1
// CHECK: pm.coordinate "j"
// CHECK: pm.contract %[[A]], %[[B]]
func.func @factors(%a: !A, %b: !B, %v: !V, %n: f32) -> !C {
  %c = pm.reduce sum [i=16, k=8, j=16] ins(%a, %b, %v : !A, !B, !V) {
  ^bb0(%x: f32, %y: f32, %w: f32):
    %r = math.sqrt %x : f32
    %s = arith.addf %r, %w : f32
    %j = pm.coordinate "j"
    %jf = arith.truncf %j : f64 to f32
    %p = arith.mulf %s, %y : f32
    %q = arith.mulf %jf, %n : f32
    %t = arith.mulf %q, %x : f32
    %u = arith.mulf %p, %t : f32
    pm.yield %u : f32
  } -> !C
  return %c : !C
}

// Two signs in a product cancel at any place. Three signs are one sign.
// CHECK-LABEL: func.func @signs(
// CHECK-NEXT: %[[TWO:.*]] = pm.contract %arg0, %arg1
// CHECK-NEXT: %[[THREE:.*]] = pm.contract %arg0, %arg1
// CHECK-NEXT: %[[MINUS:.*]] = pm.map
// CHECK: arith.negf
// CHECK: return %[[TWO]], %[[MINUS]]
func.func @signs(%a: !A, %b: !B) -> (!C, !C) {
  %c = pm.reduce sum [i=16, k=8, j=16] ins(%a, %b : !A, !B) {
  ^bb0(%x: f32, %y: f32):
    %m = arith.negf %x : f32
    %n = arith.negf %y : f32
    %p = arith.mulf %m, %n : f32
    pm.yield %p : f32
  } -> !C
  %d = pm.reduce sum [i=16, k=8, j=16] ins(%a, %b : !A, !B) {
  ^bb0(%x: f32, %y: f32):
    %m = arith.negf %x : f32
    %n = arith.negf %y : f32
    %p = arith.mulf %m, %n : f32
    %q = arith.negf %p : f32
    pm.yield %q : f32
  } -> !C
  return %c, %d : !C, !C
}

// A sum of sums, a largest element, too few products and a vector stay.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: pm.contract
func.func @others(%a: !A, %b: !B, %v: !V, %e: !pm.field<[i=4, k=4], f32>, %f: !pm.field<[k=4, j=4], f32>)
    -> (!C, !C, !pm.field<[i=4, j=4], f32>, !pm.field<[i=16], f32>) {
  %c:2 = pm.reduce sum [i=16, k=8, j=16] ins(%a, %b : !A, !B) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    pm.yield %s, %s : f32, f32
  } -> !C, !C
  %m = pm.reduce max [i=16, k=8, j=16] ins(%a, %b : !A, !B) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.mulf %x, %y : f32
    pm.yield %s : f32
  } -> !C
  %few = pm.reduce sum [i=4, k=4, j=4] ins(%e, %f : !pm.field<[i=4, k=4], f32>, !pm.field<[k=4, j=4], f32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.mulf %x, %y : f32
    pm.yield %s : f32
  } -> !pm.field<[i=4, j=4], f32>
  %u = pm.reduce sum [i=16, k=8] ins(%a, %v : !A, !V) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.mulf %x, %y : f32
    pm.yield %s : f32
  } -> !pm.field<[i=16], f32>
  return %c#0, %m, %few, %u : !C, !C, !pm.field<[i=4, j=4], f32>, !pm.field<[i=16], f32>
}

!Z = !pm.field<[i=16, k=8], complex<f32>>
!Y = !pm.field<[k=8, j=16], complex<f32>>
!W = !pm.field<[i=16, k=8, j=16], complex<f32>>

// Both parts of a complex product are two contractions each.
// CHECK-LABEL: func.func @complex(
// CHECK: %[[AR:.*]] = pm.map [i=16, k=8]
// CHECK: complex.re
// CHECK: %[[BR:.*]] = pm.map [k=8, j=16]
// CHECK: complex.re
// CHECK: %[[RR:.*]] = pm.contract %[[AR]], %[[BR]]
// CHECK: complex.im
// CHECK: complex.im
// CHECK: %[[II:.*]] = pm.contract
// CHECK: %[[RE:.*]] = pm.map [i=16, j=16] ins(%[[RR]], %[[II]] :
// CHECK: arith.subf
// CHECK: %[[RI:.*]] = pm.contract
// CHECK: %[[IR:.*]] = pm.contract
// CHECK: %[[IM:.*]] = pm.map [i=16, j=16] ins(%[[RI]], %[[IR]] :
// CHECK: arith.addf
// CHECK: return %[[RE]], %[[IM]]
func.func @complex(%a: !Z, %b: !Y) -> (!C, !C) {
  %p = pm.map [i=16, k=8, j=16] ins(%a, %b : !Z, !Y) {
  ^bb0(%x: complex<f32>, %y: complex<f32>):
    %xr = complex.re %x : complex<f32>
    %xi = complex.im %x : complex<f32>
    %yr = complex.re %y : complex<f32>
    %yi = complex.im %y : complex<f32>
    %rr = arith.mulf %xr, %yr : f32
    %ii = arith.mulf %xi, %yi : f32
    %re = arith.subf %rr, %ii : f32
    %ri = arith.mulf %xr, %yi : f32
    %ir = arith.mulf %xi, %yr : f32
    %im = arith.addf %ri, %ir : f32
    %q = complex.create %re, %im : complex<f32>
    pm.yield %q : complex<f32>
  } -> !W
  %c:2 = pm.reduce sum [i=16, k=8, j=16] ins(%p : !W) {
  ^bb0(%x: complex<f32>):
    %re = complex.re %x : complex<f32>
    %im = complex.im %x : complex<f32>
    pm.yield %re, %im : f32, f32
  } -> !C, !C
  return %c#0, %c#1 : !C, !C
}

// Five products stay one loop, and so does a sum of which one part is no contraction.
// CHECK-LABEL: func.func @many(
// CHECK-NOT: pm.contract
func.func @many(%a: !A, %b: !B) -> (!C, !C) {
  %c:2 = pm.reduce sum [i=16, k=8, j=16] ins(%a, %b : !A, !B) {
  ^bb0(%x: f32, %y: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %1 : f32
    %3 = arith.addf %2, %1 : f32
    %4 = arith.subf %3, %1 : f32
    %5 = arith.addf %4, %1 : f32
    pm.yield %5, %1 : f32, f32
  } -> !C, !C
  return %c#0, %c#1 : !C, !C
}
