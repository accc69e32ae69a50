// What is prefetched of a stream has a buffer for the largest of its reads, whichever comes first; each stream has its own.
// RUN: pm-opt %s --pm-plan-memory --split-input-file | FileCheck %s

!P = !pm.field<[b=4], i64>

// CHECK: pm.input "maps" : !pm.field<[x=8], f32> {ahead = 1
// CHECK: pm.plan [!pm.buffer<[b=4], i64>, !pm.buffer<[b=4, x=8], f32>]
pm.input "maps" : !pm.field<[x=8], f32> {streamed, samples = 20}
func.func @main() {
  %n = arith.constant 1 : i64
  %p = pm.map [b=4] {
    pm.yield %n : i64
  } -> !P
  pm.prefetch_samples "maps"[%n : i64]
  pm.prefetch_samples "maps"[%p : !P]
  return
}

// -----

!P = !pm.field<[b=4], i64>

// CHECK: pm.input "maps" : !pm.field<[x=8], f32> {ahead = 1
// CHECK: pm.input "answers" : !pm.field<[y=2], f64> {ahead = 2
// CHECK: pm.plan [!pm.buffer<[b=4], i64>, !pm.buffer<[b=4, x=8], f32>, !pm.buffer<[y=2], f64>]
pm.input "maps" : !pm.field<[x=8], f32> {streamed, samples = 20}
pm.input "answers" : !pm.field<[y=2], f64> {streamed, samples = 20}
func.func @main() {
  %n = arith.constant 1 : i64
  %p = pm.map [b=4] {
    pm.yield %n : i64
  } -> !P
  pm.prefetch_samples "maps"[%p : !P]
  pm.prefetch_samples "maps"[%n : i64]
  pm.prefetch_samples "answers"[%n : i64]
  return
}
