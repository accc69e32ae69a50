// Buffers that may be memory of the caller in programs for sessions.

// RUN: pm-opt %s --pm-plan-memory --split-input-file | FileCheck %s

!F = !pm.field<[x=8], f32>

// The map does not overwrite the input. `g` is written once, `late` is overwritten after its output, `same` is the input.
// CHECK: pm.plan
// CHECK-SAME: caller = ["input f", "output g", ""]
// CHECK: %[[F:.*]] = pm.alloc 0
// CHECK: %[[G:.*]] = pm.alloc 1
// CHECK: pm.input_value "f" outs(%[[F]]
// CHECK: pm.map [x=8] ins(%[[F]] : {{.*}}) outs(%[[G]]
module attributes {pm.embedded} {
  pm.input "f" : !F
  func.func @main() {
    %f = pm.input_value "f" -> !F
    pm.output "same"(%f : !F)
    %g = pm.map [x=8] ins(%f : !F) {
    ^bb0(%a: f32):
      %b = arith.addf %a, %a : f32
      pm.yield %b : f32
    } -> !F
    pm.output "g"(%g : !F)
    %h = pm.map [x=8] ins(%g : !F) {
    ^bb0(%a: f32):
      %b = arith.mulf %a, %a : f32
      pm.yield %b : f32
    } -> !F
    pm.output "late"(%h : !F)
    %i = pm.map [x=8] ins(%h, %g : !F, !F) {
    ^bb0(%a: f32, %c: f32):
      %b = arith.mulf %a, %c : f32
      pm.yield %b : f32
    } -> !F
    pm.output "last"(%i, %i : !F, !F)
    return
  }
}

// -----

!F = !pm.field<[x=8], f32>

// A program that reads files overwrites its input.
// CHECK: pm.plan {{.*}} ends [5]{{$}}
// CHECK: %[[F:.*]] = pm.alloc 0
// CHECK: pm.map [x=8] ins(%[[F]] : {{.*}}) outs(%[[F]]
module {
  pm.input "f" : !F
  func.func @main() {
    %f = pm.input_value "f" -> !F
    %g = pm.map [x=8] ins(%f : !F) {
    ^bb0(%a: f32):
      %b = arith.addf %a, %a : f32
      pm.yield %b : f32
    } -> !F
    pm.output "g"(%g : !F)
    return
  }
}
