// RUN: pm-test-opt %s --pm-attach-target=kind=cuda --pm-lower --split-input-file --verify-diagnostics
// An op that no lowering for GPUs takes is an error that names it.

func.func @main() {
  %0 = pm.alloc 0 : !pm.buffer<[x=6], f32>
  // expected-error@+1 {{'pmtest.opaque' op has no lowering for this target}}
  pmtest.opaque(%0 : !pm.buffer<[x=6], f32>)
  return
}
