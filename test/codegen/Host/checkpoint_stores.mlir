// RUN: pm-opt %s --pm-lower-to-buffers --pm-lower | FileCheck %s

// States are numbers of 8 bytes and arrays; what the number of slots follows from
// is in the descriptor, so that memory is known before the run.

// CHECK: llvm.mlir.global {{.*}}\22checkpoint_stores\22:[{\22fields\22:[{\22dims\22:[0],\22element\22:\22f32\22}],\22location\22:{{[0-9]+}},\22numbers\22:2,\22slots\22:{\22min\22:[{\22param\22:0},5]}}]
!F = !pm.field<[x=8], f32>
pm.param "steps" : i64 "int" {default_value = 10 : i64}
func.func @main() {
  %steps = pm.param_value "steps" : i64
  %five = arith.constant 5 : i64
  %slots = arith.minsi %steps, %five : i64
  %f = pm.white_noise %five -> !F
  %half = arith.constant 0.5 : f32
  // CHECK: llvm.call @pmrt_checkpoint_store_create(%arg0, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
  %store = pm.checkpoint_store %slots of [!F, f32, i64]
  %from, %slot = pm.revolve %steps, %slots to %five
  // CHECK: %[[SLOT:.*]] = llvm.call @pmrt_revolve_from_slot(
  // CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : f32 to f64
  // CHECK: %[[BITS:.*]] = arith.bitcast %[[WIDE]] : f64 to i64
  // CHECK: llvm.call @pmrt_checkpoint_store_save(%arg0, %{{.*}}, %{{.*}}, %{{.*}}, %[[SLOT]], %{{.*}}, %{{.*}})
  pm.save %store at %slot (%f, %half, %five : !F, f32, i64)
  // CHECK: llvm.call @pmrt_revolve_slot(
  %again = pm.revolve_slot %steps, %slots to %five at %slot
  // CHECK: llvm.call @pmrt_checkpoint_store_restore(
  // CHECK: arith.truncf %{{.*}} : f64 to f32
  %g, %a, %n = pm.restore %store at %again -> !F, f32, i64
  %wide = arith.extf %a : f32 to f64
  pm.output "a"(%wide : f64)
  pm.output "g"(%g : !F)
  // CHECK: llvm.call @pmrt_checkpoint_store_free(%arg0
  pm.checkpoint_store_free %store
  return
}
