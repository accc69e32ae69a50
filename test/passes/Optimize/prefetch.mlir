// Behind a reading stands what will be read next: in the same iteration, in the
// next one, or nothing, if more than numbers tells which.
// RUN: pm-opt %s --pm-prefetch | FileCheck %s
// RUN: pm-opt %s --pm-prefetch --remarks-filter=pm-prefetch 2>&1 | FileCheck %s --check-prefix=LATE

!f = !pm.field<[x=8], f32>
!p = !pm.field<[b=4], i64>
!l = !pm.field<[y=1000000], f32>
!g = !pm.field<[b=4, x=8], f32>

// LATE-COUNT-2: which samples come next is not known before they are needed
// LATE-NOT:     which samples come next

// CHECK-LABEL: func.func @counted(
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %[[STEP:.*]] {{.*}}: i64 {
// CHECK:           pm.samples "a"[%[[I]] : i64]
// CHECK-NEXT:      %[[SECOND:.*]] = arith.addi %[[I]], %{{.*}} : i64
// CHECK-NEXT:      pm.prefetch_samples "a"[%[[SECOND]] : i64]
// CHECK:           pm.samples "a"
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addi %[[I]], %[[STEP]] : i64
// CHECK-NEXT:      pm.prefetch_samples "a"[%[[NEXT]] : i64]
func.func @counted(%from: i64, %to: i64, %step: i64, %one: i64) {
  scf.for %i = %from to %to step %step : i64 {
    %a = pm.samples "a"[%i : i64] -> !f
    %n = arith.addi %i, %one : i64
    %b = pm.samples "a"[%n : i64] -> !f
    scf.yield
  }
  return
}

// A batch, in a loop that carries its counter.
// CHECK-LABEL: func.func @batch(
// CHECK:         ^bb0(%[[DONE:.*]]: i64):
// CHECK:           pm.samples "a"[%{{.*}} : !pm.field<[b=4], i64>]
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addi %[[DONE]], %{{.*}} : i64
// CHECK-NEXT:      %[[MAP:.*]] = pm.map
// CHECK:             arith.addi %{{.*}}, %[[NEXT]]
// CHECK:           pm.prefetch_samples "a"[%[[MAP]] : !pm.field<[b=4], i64>]
func.func @batch(%from: i64, %to: i64, %one: i64) -> i64 {
  %done = scf.while (%n = %from) : (i64) -> i64 {
    %more = arith.cmpi slt, %n, %to : i64
    scf.condition(%more) %n : i64
  } do {
  ^bb0(%n: i64):
    %p = pm.map [b=4] {
      %q = pm.coordinate "b"
      %k = arith.fptosi %q : f64 to i64
      %sum = arith.addi %k, %n : i64
      pm.yield %sum : i64
    } -> !p
    %a = pm.samples "a"[%p : !p] -> !g
    %next = arith.addi %n, %one : i64
    scf.yield %next : i64
  }
  return %done : i64
}

// No large field is read twice for what it says of the next sample, and what
// may be divided by 0 is not computed for an iteration that does not come.
// CHECK-LABEL: func.func @late(
// CHECK-NOT:     pm.prefetch_samples
// CHECK:         return
func.func @late(%from: i64, %to: i64, %one: i64) -> i64 {
  %last = scf.for %i = %from to %to step %one iter_args(%n = %from) -> (i64) : i64 {
    %a = pm.samples "a"[%n : i64] -> !l
    %s = pm.reduce sum [y=1000000] ins(%a : !l) {
    ^bb0(%e: f32):
      %w = arith.extf %e : f32 to f64
      pm.yield %w : f64
    } scalars f64
    %next = arith.fptosi %s : f64 to i64
    scf.yield %next : i64
  }
  scf.for %i = %from to %to step %one : i64 {
    %left = arith.subi %to, %i : i64
    %n = arith.divsi %to, %left : i64
    %a = pm.samples "a"[%n : i64] -> !f
    scf.yield
  }
  return %last : i64
}
