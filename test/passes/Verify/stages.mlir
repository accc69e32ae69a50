// RUN: not pm-opt %s --pm-verify-stage=stage=expanded 2>&1 | FileCheck %s
// RUN: not pm-opt %s --pm-verify-stage=stage=buffers 2>&1 | FileCheck %s --check-prefix=BUFFERS
// RUN: not pm-opt %s --pm-verify-stage=stage=global 2>&1 | FileCheck %s --check-prefix=GLOBAL
// RUN: not pm-opt %s --pm-verify-stage=stage=done 2>&1 | FileCheck %s --check-prefix=STAGE

// RUN: not pm-opt %s --pm-verify-stage=stage=sharded 2>&1 | FileCheck %s --check-prefix=SHARDED
// STAGE: error: unknown stage 'done', expected global, expanded, sharded or buffers

!F = !pm.field<[x=8], f32>
!K = !pm.field<[kx=half(8)], complex<f32>>

// CHECK: stages.mlir:[[@LINE+3]]:1: error: 'func.func' op uses a field in stage 'expanded' outside of main
// SHARDED: stages.mlir:[[@LINE+2]]:1: error: 'func.func' op uses a field in stage 'sharded' outside of main
// BUFFERS: stages.mlir:[[@LINE+1]]:1: error: 'func.func' op uses a field in stage 'buffers', expected buffers
func.func private @onField(%f: !F) -> f32 {
  %zero = arith.constant 0.0 : f32
  return %zero : f32
}
func.func private @scalar(%a: f32) -> f32 {
  return %a : f32
}
func.func @main() {
  // GLOBAL: stages.mlir:[[@LINE+2]]:8: error: 'pm.alloc' op is not legal in stage 'global'
  // BUFFERS: stages.mlir:[[@LINE+1]]:8: error: 'pm.alloc' op names buffer 3, the plan has 0
  %b = pm.alloc 3 : !pm.buffer<[x=8], f32>
  %seed = arith.constant 1 : i64
  %f = pm.white_noise %seed -> !F
  // CHECK: stages.mlir:[[@LINE+1]]:8: error: 'pm.fft' op is not legal in stage 'expanded'
  %k = pm.fft %f over ["x"] : !F -> !K
  // CHECK: stages.mlir:[[@LINE+1]]:8: error: 'pm.length' op is not legal in stage 'expanded'
  %l = pm.length "x"
  %m = pm.map [x=8] ins(%f : !F) {
  ^bb0(%e: f32):
    // CHECK: stages.mlir:[[@LINE+1]]:10: error: 'func.call' op is not legal in stage 'expanded'
    %s = func.call @scalar(%e) : (f32) -> f32
    pm.yield %s : f32
  } -> !F
  // GLOBAL: stages.mlir:[[@LINE+1]]:8: error: 'pm.white_noise' op uses a split field in stage 'global', expected whole ones
  %g = pm.white_noise %seed -> !pm.field<[x=8 on(row)], f32>
  // GLOBAL: stages.mlir:[[@LINE+1]]:8: error: 'pm.reshard' op is not legal in stage 'global'
  %h = pm.reshard %g : !pm.field<[x=8 on(row)], f32> -> !F
  return
}
