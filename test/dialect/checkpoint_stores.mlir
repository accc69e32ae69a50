// RUN: pm-opt %s | pm-opt | FileCheck %s

// Checkpoint stores hold numbers and fields; binomial checkpoints are functions of numbers.

!F = !pm.field<[x=8, y=8], f32>
!B = !pm.buffer<[x=8, y=8], f32>

// CHECK-LABEL: func.func @values(
func.func @values(%f: !F, %a: f64, %n: i64, %slot: i64) -> (!F, f64) {
  // CHECK: %[[T:.*]] = pm.checkpoint_store %{{.*}} of [!pm.field<[x=8, y=8], f32>, f64, i64]
  %store = pm.checkpoint_store %n of [!F, f64, i64]
  // CHECK: pm.save %[[T]] at %{{.*}}(%{{.*}}, %{{.*}}, %{{.*}} : !pm.field<[x=8, y=8], f32>, f64, i64)
  pm.save %store at %slot (%f, %a, %n : !F, f64, i64)
  // CHECK: pm.restore %[[T]] at %{{.*}} -> !pm.field<[x=8, y=8], f32>, f64, i64
  %g, %b, %m = pm.restore %store at %slot -> !F, f64, i64
  // CHECK: pm.checkpoint_store_free %[[T]]
  pm.checkpoint_store_free %store
  return %g, %b : !F, f64
}

// CHECK-LABEL: func.func @buffers(
func.func @buffers(%f: !B, %n: i64) -> f64 {
  %store = pm.checkpoint_store %n of [!B, f64]
  // CHECK: pm.restore %{{.*}} at %{{.*}} outs(%{{.*}} : !pm.buffer<[x=8, y=8], f32>) -> f64
  %a = pm.restore %store at %n outs(%f : !B) -> f64
  return %a : f64
}

// CHECK-LABEL: func.func @reversal(
func.func @reversal(%e: f64, %f: f64) {
  // CHECK: pm.reversal ["s.disp", "s.mom"](%{{.*}}, %{{.*}})
  pm.reversal ["s.disp", "s.mom"] (%e, %f)
  return
}

// CHECK-LABEL: func.func @revolve(
func.func @revolve(%n: i64, %k: i64, %i: i64, %j: i64) -> (i64, i64, i64) {
  // CHECK: pm.revolve %{{.*}}, %{{.*}} to %{{.*}}
  %from, %slot = pm.revolve %n, %k to %i
  // CHECK: pm.revolve_slot %{{.*}}, %{{.*}} to %{{.*}} at %{{.*}}
  %keep = pm.revolve_slot %n, %k to %i at %j
  return %from, %slot, %keep : i64, i64, i64
}
