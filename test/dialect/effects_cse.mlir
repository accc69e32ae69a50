// Equal ops on fields are one; on buffers each of them runs, and what reads
// between writes is not moved over them.
// RUN: pm-opt %s -cse -loop-invariant-code-motion | FileCheck %s

!f = !pm.field<[x=8], f32>
!b = !pm.buffer<[x=8], f32>

// CHECK-LABEL: func.func @fields(
// CHECK-COUNT-1: pm.white_noise
// CHECK-NOT:     pm.white_noise
func.func @fields(%seed: i64) -> (!f, !f) {
  %a = pm.white_noise %seed -> !f
  %b = pm.white_noise %seed -> !f
  return %a, %b : !f, !f
}

// CHECK-LABEL: func.func @buffers(
// CHECK:         scf.for
// CHECK:           pm.reduce sum
// CHECK:           pm.map
// CHECK:           pm.reduce sum
func.func @buffers(%n: index, %zero: f64) -> f64 {
  %from = arith.constant 0 : index
  %step = arith.constant 1 : index
  %a = pm.alloc 0 : !b
  %r = scf.for %i = %from to %n step %step iter_args(%s = %zero) -> f64 {
    %before = pm.reduce sum [x=8] ins(%a : !b) {
    ^bb0(%e: f32):
      pm.yield %e : f32
    } scalars f64
    pm.map [x=8] ins(%a : !b) outs(%a : !b) {
    ^bb0(%e: f32):
      %d = arith.addf %e, %e : f32
      pm.yield %d : f32
    }
    %after = pm.reduce sum [x=8] ins(%a : !b) {
    ^bb0(%e: f32):
      pm.yield %e : f32
    } scalars f64
    %sum = arith.addf %before, %after : f64
    scf.yield %sum : f64
  }
  return %r : f64
}

// Nothing that loops carry: fields are hoisted.
// CHECK-LABEL: func.func @hoisted(
// CHECK:         pm.white_noise
// CHECK:         scf.for
func.func @hoisted(%n: index, %seed: i64, %f: !f) -> !f {
  %from = arith.constant 0 : index
  %step = arith.constant 1 : index
  %r = scf.for %i = %from to %n step %step iter_args(%s = %f) -> !f {
    %noise = pm.white_noise %seed -> !f
    %sum = pm.map [x=8] ins(%s, %noise : !f, !f) {
    ^bb0(%e: f32, %w: f32):
      %d = arith.addf %e, %w : f32
      pm.yield %d : f32
    } -> !f
    scf.yield %sum : !f
  }
  return %r : !f
}
