// RUN: pm-opt %s --pm-attach-target=kind=cuda --pm-plan-memory --pm-pass-context --pm-lower-ops --verify-diagnostics

// GPUs compute cells where they are read, but not where they are painted.

!F = !pm.field<[x=8, y=8], f32>

func.func @main() {
  %seed = arith.constant 1 : i64
  %one = arith.constant 1.0 : f32
  %u = pm.white_noise %seed -> !F
  // expected-error@+1 {{computes its cells, which only CPUs can, and the target is cuda; leave out pm-paint-stencils}}
  %m = pm.scatter cic [x=8, y=8] ins(%u : !F) {
  ^bb0(%p: f32):
    pm.yield %p, %p, %p, %one : f32, f32, f32, f32
  } taps [0, -1, 0, 1, 0, 2] {
  ^bb0(%a: f32, %b: f32):
    %c = arith.subf %a, %b : f32
    pm.yield %c : f32
  } -> !F
  pm.output "m"(%m : !F)
  return
}
