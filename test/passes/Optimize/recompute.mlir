// Fields that are read before and after a loop, but not in it, are computed again after it, if this takes less memory.
// RUN: pm-opt %s --pm-recompute | FileCheck %s
// RUN: pm-opt %s --pm-recompute --remarks-filter=pm-recompute 2>&1 | FileCheck %s --check-prefix=REMARK

!f = !pm.field<[x=128, y=128], f32>
!k = !pm.field<[kx=dual(128), ky=half(128)], complex<f32>>

// The whole chain of transforms and maps is repeated once, directly before its first reader.
// REMARK: 2 fields are computed again behind this loop, which takes 131072 bytes less
// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    %[[F:[^:]*]]: !pm.field
// CHECK:         %[[R:.*]] = scf.for
// CHECK:         } {pm.recompute}
// CHECK-NEXT:    %[[NOT:.*]] = pm.map {{.*}}ins(%[[R]] :
// CHECK:         %[[K:.*]] = pm.fft %[[F]]
// CHECK-NEXT:    %[[G:.*]] = pm.ifft %[[K]]
// CHECK-NEXT:    pm.map {{.*}}ins(%[[G]], %[[NOT]] :
// CHECK:         %[[H:.*]] = pm.map {{.*}}ins(%[[G]] :
// CHECK:         pm.map {{.*}}ins(%[[G]], %[[H]], %[[F]] :
func.func @chain(%f: !f, %from: index, %to: index, %step: index) -> (!f, !f) {
  %k = pm.fft %f over ["x", "y"] raw : !f -> !k
  %g = pm.ifft %k over ["x", "y"] : !k -> !f
  %h = pm.map [x=128, y=128] ins(%g : !f) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    pm.yield %s : f32
  } -> !f
  %start = pm.map [x=128, y=128] ins(%g, %h : !f, !f) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.mulf %a, %b : f32
    pm.yield %s : f32
  } -> !f
  %r = scf.for %i = %from to %to step %step iter_args(%s = %start) -> !f {
    %t = pm.fft %s over ["x", "y"] raw : !f -> !k
    %u = pm.ifft %t over ["x", "y"] : !k -> !f
    %v = pm.fft %u over ["x", "y"] raw : !f -> !k
    %w = pm.ifft %v over ["x", "y"] : !k -> !f
    scf.yield %w : !f
  } {pm.recompute}
  %not = pm.map [x=128, y=128] ins(%r : !f) {
  ^bb0(%a: f32):
    pm.yield %a : f32
  } -> !f
  %one = pm.map [x=128, y=128] ins(%g, %not : !f, !f) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    pm.yield %s : f32
  } -> !f
  %two = pm.map [x=128, y=128] ins(%g, %h, %f : !f, !f, !f) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    pm.yield %s : f32
  } -> !f
  return %one, %two : !f, !f
}

// White noise is not computed again. It stays in memory, and the two fields that are computed from it do not.
// REMARK: 2 fields are computed again behind this loop, which takes 65536 bytes less
// CHECK-LABEL: func.func @cut(
// CHECK:         %[[N:.*]] = pm.white_noise
// CHECK:         scf.for
// CHECK-NOT:     pm.white_noise
// CHECK:         %[[G:.*]] = pm.map {{.*}}ins(%[[N]] :
// CHECK:         %[[H:.*]] = pm.map {{.*}}ins(%[[N]] :
// CHECK:         pm.map {{.*}}ins(%[[G]], %[[H]],
func.func @cut(%seed: i64, %from: index, %to: index, %step: index) -> !f {
  %n = pm.white_noise %seed -> !f
  %g = pm.map [x=128, y=128] ins(%n : !f) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    pm.yield %s : f32
  } -> !f
  %h = pm.map [x=128, y=128] ins(%n : !f) {
  ^bb0(%a: f32):
    %s = arith.mulf %a, %a : f32
    pm.yield %s : f32
  } -> !f
  %start = pm.map [x=128, y=128] ins(%g, %h : !f, !f) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    pm.yield %s : f32
  } -> !f
  %r = scf.for %i = %from to %to step %step iter_args(%s = %start) -> !f {
    %t = pm.fft %s over ["x", "y"] raw : !f -> !k
    %u = pm.ifft %t over ["x", "y"] : !k -> !f
    scf.yield %u : !f
  } {pm.recompute}
  %end = pm.map [x=128, y=128] ins(%g, %h, %r : !f, !f, !f) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    pm.yield %s : f32
  } -> !f
  return %end : !f
}

// REMARK-NOT: are computed again


// A field stays if its recomputation requires another field of the same size.
// CHECK-LABEL: func.func @no_gain(
// CHECK:         %[[G:.*]] = pm.map {{.*}}ins(%{{.*}} :
// CHECK:         scf.for
// CHECK:         } {pm.recompute}
// CHECK-NEXT:    pm.map {{.*}}ins(%[[G]], %
func.func @no_gain(%seed: i64, %from: index, %to: index, %step: index) -> !f {
  %n = pm.white_noise %seed -> !f
  %g = pm.map [x=128, y=128] ins(%n : !f) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    pm.yield %s : f32
  } -> !f
  %start = pm.map [x=128, y=128] ins(%g : !f) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    pm.yield %s : f32
  } -> !f
  %r = scf.for %i = %from to %to step %step iter_args(%s = %start) -> !f {
    %t = pm.fft %s over ["x", "y"] raw : !f -> !k
    %u = pm.ifft %t over ["x", "y"] : !k -> !f
    scf.yield %u : !f
  } {pm.recompute}
  %end = pm.map [x=128, y=128] ins(%g, %r : !f, !f) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    pm.yield %s : f32
  } -> !f
  return %end : !f
}

// Without the attribute pm.recompute, all fields stay.
// CHECK-LABEL: func.func @other_schedule(
// CHECK:         %[[G:.*]] = pm.map {{.*}}ins(%{{.*}} :
// CHECK:         %[[H:.*]] = pm.map {{.*}}ins(%{{.*}} :
// CHECK:         pm.map {{.*}}ins(%[[G]], %[[H]], %
func.func @other_schedule(%seed: i64, %from: index, %to: index, %step: index) -> !f {
  %n = pm.white_noise %seed -> !f
  %g = pm.map [x=128, y=128] ins(%n : !f) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    pm.yield %s : f32
  } -> !f
  %h = pm.map [x=128, y=128] ins(%n : !f) {
  ^bb0(%a: f32):
    %s = arith.mulf %a, %a : f32
    pm.yield %s : f32
  } -> !f
  %start = pm.map [x=128, y=128] ins(%g, %h : !f, !f) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    pm.yield %s : f32
  } -> !f
  %r = scf.for %i = %from to %to step %step iter_args(%s = %start) -> !f {
    %t = pm.fft %s over ["x", "y"] raw : !f -> !k
    %u = pm.ifft %t over ["x", "y"] : !k -> !f
    scf.yield %u : !f
  }
  %end = pm.map [x=128, y=128] ins(%g, %h, %r : !f, !f, !f) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    pm.yield %s : f32
  } -> !f
  return %end : !f
}

// Fields stay, because the eleven maps that compute them move more bytes than an iteration of the loop.
// CHECK-LABEL: func.func @expensive(
// CHECK:         %[[H:.*]] = pm.map {{.*}}ins(%{{.*}} : {{.*}}
// CHECK:         } {pm.recompute}
// CHECK-NEXT:    pm.map
// CHECK-NOT:     pm.map
func.func @expensive(%seed: i64, %from: index, %to: index, %step: index) -> !f {
  %n = pm.white_noise %seed -> !f
  %c0 = pm.map [x=128, y=128] ins(%n : !f) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    pm.yield %s : f32
  } -> !f
  %c1 = pm.map [x=128, y=128] ins(%c0 : !f) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    pm.yield %s : f32
  } -> !f
  %c2 = pm.map [x=128, y=128] ins(%c1 : !f) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    pm.yield %s : f32
  } -> !f
  %c3 = pm.map [x=128, y=128] ins(%c2 : !f) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    pm.yield %s : f32
  } -> !f
  %c4 = pm.map [x=128, y=128] ins(%c3 : !f) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    pm.yield %s : f32
  } -> !f
  %c5 = pm.map [x=128, y=128] ins(%c4 : !f) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    pm.yield %s : f32
  } -> !f
  %c6 = pm.map [x=128, y=128] ins(%c5 : !f) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    pm.yield %s : f32
  } -> !f
  %c7 = pm.map [x=128, y=128] ins(%c6 : !f) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    pm.yield %s : f32
  } -> !f
  %c8 = pm.map [x=128, y=128] ins(%c7 : !f) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    pm.yield %s : f32
  } -> !f
  %c9 = pm.map [x=128, y=128] ins(%c8 : !f) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    pm.yield %s : f32
  } -> !f
  %h = pm.map [x=128, y=128] ins(%n : !f) {
  ^bb0(%a: f32):
    %s = arith.mulf %a, %a : f32
    pm.yield %s : f32
  } -> !f
  %start = pm.map [x=128, y=128] ins(%c9, %h : !f, !f) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    pm.yield %s : f32
  } -> !f
  %r = scf.for %i = %from to %to step %step iter_args(%s = %start) -> !f {
    %t = pm.fft %s over ["x", "y"] raw : !f -> !k
    %u = pm.ifft %t over ["x", "y"] : !k -> !f
    scf.yield %u : !f
  } {pm.recompute}
  %end = pm.map [x=128, y=128] ins(%c9, %h, %r : !f, !f, !f) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    pm.yield %s : f32
  } -> !f
  return %end : !f
}

// Fields that the loop reads stay.
// CHECK-LABEL: func.func @read_inside(
// CHECK:         } {pm.recompute}
// CHECK-NEXT:    pm.map
// CHECK-NOT:     pm.map
func.func @read_inside(%seed: i64, %from: index, %to: index, %step: index) -> !f {
  %n = pm.white_noise %seed -> !f
  %g = pm.map [x=128, y=128] ins(%n : !f) {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    pm.yield %s : f32
  } -> !f
  %h = pm.map [x=128, y=128] ins(%n : !f) {
  ^bb0(%a: f32):
    %s = arith.mulf %a, %a : f32
    pm.yield %s : f32
  } -> !f
  %start = pm.map [x=128, y=128] ins(%g, %h : !f, !f) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    pm.yield %s : f32
  } -> !f
  %r = scf.for %i = %from to %to step %step iter_args(%s = %start) -> !f {
    %both = pm.map [x=128, y=128] ins(%g, %h, %s : !f, !f, !f) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %sum = arith.addf %a, %b : f32
      %all = arith.addf %sum, %c : f32
      pm.yield %all : f32
    } -> !f
    %t = pm.fft %both over ["x", "y"] raw : !f -> !k
    %u = pm.ifft %t over ["x", "y"] : !k -> !f
    scf.yield %u : !f
  } {pm.recompute}
  %end = pm.map [x=128, y=128] ins(%g, %h, %r : !f, !f, !f) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    pm.yield %s : f32
  } -> !f
  return %end : !f
}

// A spectrum in place of two fields would save less than 64 KiB.
// CHECK-LABEL: func.func @too_little(
// CHECK:         } {pm.recompute}
// CHECK-NOT:     pm.ifft
// CHECK:         return
func.func @too_little(%k: !k, %from: index, %to: index, %step: index) -> !f {
  %g = pm.ifft %k over ["x", "y"] : !k -> !f
  %h = pm.ifft %k over ["x", "y"] : !k -> !f
  %start = pm.map [x=128, y=128] ins(%g, %h : !f, !f) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    pm.yield %s : f32
  } -> !f
  %r = scf.for %i = %from to %to step %step iter_args(%s = %start) -> !f {
    %t = pm.fft %s over ["x", "y"] raw : !f -> !k
    %u = pm.ifft %t over ["x", "y"] : !k -> !f
    %v = pm.fft %u over ["x", "y"] raw : !f -> !k
    %w = pm.ifft %v over ["x", "y"] : !k -> !f
    scf.yield %w : !f
  } {pm.recompute}
  %end = pm.map [x=128, y=128] ins(%g, %h, %r : !f, !f, !f) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    pm.yield %s : f32
  } -> !f
  return %end : !f
}
