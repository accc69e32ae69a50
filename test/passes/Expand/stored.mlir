// RUN: pm-opt %s --pm-autodiff | FileCheck %s --check-prefix=DERIVE
// RUN: pm-opt %s --pm-expand | FileCheck %s --check-prefix=EXPAND
// RUN: pm-opt %s --pm-expand --pm-fuse --pm-widen-late | FileCheck %s --check-prefix=LATE

// A field that is stored in reduced precision: a map there and one back. The latter goes into maps and reductions that read it, and is repeated in front of all else.

!f = !pm.field<[x=8, y=4], f32>
!d = !pm.field<[x=8, y=4], f64>
!x = !pm.field<[x=8], f32>
!y = !pm.field<[y=4], f32>
!k = !pm.field<[kx=dual(8), ky=half(4)], complex<f32>>

// EXPAND-LABEL: func.func @main
// EXPAND: %[[N:.*]] = pm.map [x=8, y=4] ins(%{{.*}} : !pm.field<[x=8, y=4], f32>) {
// EXPAND:   %[[S:.*]] = arith.truncf %{{.*}} : f32 to bf16
// EXPAND:   pm.yield %[[S]] : bf16
// EXPAND: } -> !pm.field<[x=8, y=4], bf16>
// EXPAND: %[[W:.*]] = pm.map [x=8, y=4] ins(%[[N]] : !pm.field<[x=8, y=4], bf16>) {
// EXPAND:   %[[L:.*]] = arith.extf %{{.*}} : bf16 to f32
// EXPAND:   pm.yield %[[L]] : f32
// EXPAND: pm.reduce sum [x=8, y=4] ins(%[[W]] :

// LATE-LABEL: func.func @main
// LATE: %[[N:.*]] = pm.map [x=8, y=4]
// LATE:   arith.truncf
// LATE: } -> !pm.field<[x=8, y=4], bf16>
// LATE-NEXT: pm.reduce sum [x=8, y=4] ins(%[[N]] : !pm.field<[x=8, y=4], bf16>) {
// LATE:   arith.extf %{{.*}} : bf16 to f32
// LATE: %[[A:.*]] = pm.map [x=8, y=4] ins(%[[N]] : !pm.field<[x=8, y=4], bf16>) {
// LATE: } -> !pm.field<[x=8, y=4], f32>
// LATE-NEXT: pm.fft %[[A]] over ["x", "y"] raw
// LATE: %[[B:.*]] = pm.map [x=8, y=4] ins(%[[N]] : !pm.field<[x=8, y=4], bf16>) {
// LATE: } -> !pm.field<[x=8, y=4], f32>
// LATE-NEXT: pm.output "f"(%[[B]]
func.func @main(%f: !f) -> (f64, !k) {
  %s = pm.stored %f as bf16 : !f
  %sum = pm.reduce sum [x=8, y=4] ins(%s : !f) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } scalars f64
  %k = pm.fft %s over ["x", "y"] raw : !f -> !k
  pm.output "f"(%s : !f)
  return %sum, %k : f64, !k
}

// Convolutions and contractions read numbers in reduced precision; the map that reduces the precision of a field stays in front of them, however cheap it is.
// LATE-LABEL: func.func @factors
// LATE: %[[N:.*]] = pm.map [x=8, y=4]
// LATE: } -> !pm.field<[x=8, y=4], bf16>
// LATE: %[[M:.*]] = pm.map [x=8, y=4] ins(%[[N]] : !pm.field<[x=8, y=4], bf16>)
// LATE:   arith.truncf %{{.*}} : f32 to f16
// LATE: } -> !pm.field<[x=8, y=4], f16>
// LATE-NEXT: pm.contract %[[N]], %[[M]] : !pm.field<[x=8, y=4], bf16>, !pm.field<[x=8, y=4], f16> -> !pm.field<[x=8], f32>
// LATE-NEXT: pm.convolve %[[M]][-1 zero, 0 zero], %[[N]]
// LATE-SAME: !pm.field<[x=8, y=4], f16>, !pm.field<[x=8, y=4], bf16> -> !pm.field<[y=4], f32>
// LATE-NEXT: return
func.func @factors(%f: !f) -> (!x, !y) {
  %s = pm.stored %f as bf16 : !f
  %m = pm.map [x=8, y=4] ins(%s : !f) {
  ^bb0(%e: f32):
    %n = arith.negf %e : f32
    pm.yield %n : f32
  } -> !f
  %t = pm.stored %m as f16 : !f
  %c = pm.contract %s, %t : !f, !f -> !x
  %v = pm.convolve %t[-1 zero, 0 zero], %s {divisors = array<i64: 1, 1>,
      terms = [array<i64: 0, 1>, array<i64: 1, 1>]} : !f, !f -> !y
  return %c, %v : !x, !y
}

// f64 by way of f32.
// EXPAND-LABEL: func.func @double
// EXPAND: %[[F:.*]] = arith.truncf %{{.*}} : f64 to f32
// EXPAND: arith.truncf %[[F]] : f32 to f16
// EXPAND: %[[G:.*]] = arith.extf %{{.*}} : f16 to f32
// EXPAND: arith.extf %[[G]] : f32 to f64
func.func @double(%d: !d) -> !d {
  %s = pm.stored %d as f16 : !d
  return %s : !d
}

// Straight through.
// DERIVE-LABEL: func.func @derived(
// DERIVE-SAME: %{{.*}}: !pm.field<[x=8, y=4], f32>, %[[T:[a-z0-9]+]]: !pm.field<[x=8, y=4], f32>
// DERIVE-NOT: pm.stored %[[T]]
// DERIVE: return %{{.*}}, %[[T]]
func.func @derived(%f: !f, %t: !f) -> (!f, !f) {
  %r:2 = pm.jvp @short(%f) wrt [0] along (%t) : (!f), (!f) -> (!f, !f)
  return %r#0, %r#1 : !f, !f
}
func.func private @short(%f: !f) -> !f {
  %s = pm.stored %f as bf16 : !f
  return %s : !f
}
