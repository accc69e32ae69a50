// RUN: pm-opt %s --pm-overlap --pm-note-bytes | FileCheck %s
// RUN: pm-opt %s --pm-overlap --pm-plan-memory --pm-verify-stage=stage=buffers | FileCheck %s --check-prefix=PLAN

// Buckets of gradients leave while the backward pass goes on, and are waited for where the first of them is read.

!W = !pm.field<[a=16, b=4], f32>
!T = !pm.field<[b=4, a=16], f32>
!B = !pm.field<[a=16], f32>
!S = !pm.field<[a=16 on(data)], f32>
!F = !pm.field<[s=8 on(data)], f32>
!PW = !pm.partial<!W, sum over [data]>
!PB = !pm.partial<!B, sum over [data]>
pm.mesh @ranks axes = ["data"] extents = [1]
pm.layout "s" -> ["data"]

// CHECK-LABEL: func.func @main
// CHECK: %[[FIRST:.*]]:2, %[[P:.*]] = pm.reduce_fields_start sum over ["data"](%[[W:.*]], %[[B:.*]]) {bytes = #cost.expr<"4*(16-16/data)+4*(64/data*(data-2)+64)">} :
// The transposed gradient is computed where it is read, and so waits for nothing.
// CHECK-NEXT: pm.map [s=8 on(data)]
// CHECK: pm.output "work"
// CHECK-NEXT: %[[G:.*]]:2 = pm.reduce_fields_wait %[[P]](%[[FIRST]]#0, %[[FIRST]]#1) of(%[[B]]) :
// CHECK-NEXT: %[[T:.*]] = pm.map [b=4, a=16] {
// CHECK: pm.output "transposed"(%[[T]]
// CHECK: pm.output "bias"(%[[G]]#1
// Nothing is done meanwhile.
// CHECK: %[[LAST:.*]] = pm.reduce_fields sum over ["data"](%{{.*}}) {
// CHECK-NEXT: pm.output "last"(%[[LAST]]

// What is combined where it is stays there; what is sent stays until a part of it has come.
// PLAN: pm.reduce sum [s=8 on(data), a=16, b=4] {{.*}} outs(%[[W:.*]] : !pm.buffer<[a=16, b=4], f32>)
// PLAN: pm.reduce sum [s=8 on(data), a=16] {{.*}} outs(%[[B:.*]] : !pm.buffer<[a=16], f32>)
// PLAN: %[[P:.*]] = pm.reduce_fields_start sum over ["data"](%[[W]], %[[B]]) outs(%[[AW:.*]], %[[AB:.*]] : !pm.buffer<[a=16, b=4], f32>, !pm.buffer<[a=16 on(data)], f32>)
// PLAN: pm.reduce_fields_wait %[[P]](%[[AW]], %[[AB]]) of(%[[B]]) outs(%[[AW]], %[[AB]] :
func.func @main() {
  %zero = arith.constant 0.0 : f32
  %f = pm.map [s=8 on(data)] {
    pm.yield %zero : f32
  } -> !F
  %w = pm.reduce sum [s=8 on(data), a=16, b=4] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !PW
  %b = pm.reduce sum [s=8 on(data), a=16] ins(%f : !F) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } -> !PB
  %g:2 = pm.reduce_fields sum over ["data"](%w, %b) : !W, !B -> !W, !S
  %t = pm.map [b=4, a=16] {
    %x = pm.coordinate "a"
    %y = pm.coordinate "b"
    %i = arith.fptosi %x : f64 to i64
    %j = arith.fptosi %y : f64 to i64
    %e = pm.cell %g#0[%i, %j] low [0, 0] high [0, 0] near [true, true] : !W -> f32
    pm.yield %e : f32
  } -> !T
  %work = pm.map [s=8 on(data)] {
    pm.yield %zero : f32
  } -> !F
  pm.output "work"(%work : !F)
  pm.output "transposed"(%t : !T)
  pm.output "bias"(%g#1 : !S)
  %last = pm.reduce_fields sum over ["data"](%b) : !B -> !B
  pm.output "last"(%last : !B)
  return
}
