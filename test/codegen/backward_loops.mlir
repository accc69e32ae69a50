// RUN: pm-opt %s --pm-lower | FileCheck %s

// A loop whose end is below its beginning has no iterations: a step of the outer loop moves no bytes in it, not a negative number. The
// loop from 2 to 5 has three iterations.

// CHECK: \22loops\22:[{\22location\22:0,\22moves\22:[{\22bytes\22:4,\22dims\22:[0],\22times\22:0}],\22steps\22:7}
// CHECK-SAME: {\22location\22:1,\22moves\22:[{\22bytes\22:4,\22dims\22:[0],\22times\22:6}],\22steps\22:7}

module attributes {pm.lengths = {x = ""}} {
  pm.dim "x" = 8 length {
    %length = arith.constant 1.0 : f64
    pm.yield %length : f64
  }
  pm.plan [!pm.buffer<[x=8], f32>] starts [0] ends [40]
  func.func @main() {
    %f = pm.alloc 0 : !pm.buffer<[x=8], f32>
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %five = arith.constant 5 : index
    %zero = arith.constant 0 : index
    %end = arith.constant 7 : index
    %steps = arith.constant 7 : i64
    %seed = arith.constant 1 : i64
    %factor = arith.constant 2.0 : f32
    pm.white_noise %seed outs(%f : !pm.buffer<[x=8], f32>)
    pm.progress begin %steps
    scf.for %i = %zero to %end step %one {
      %step = arith.index_cast %i : index to i64
      pm.progress step %step
      scf.for %j = %five to %two step %one {
        pm.map [x=8] ins(%f : !pm.buffer<[x=8], f32>) outs(%f : !pm.buffer<[x=8], f32>) {
        ^bb0(%a: f32):
          %b = arith.mulf %a, %factor : f32
          pm.yield %b : f32
        }
      }
    }
    pm.progress end %steps
    pm.progress begin %steps
    scf.for %i = %zero to %end step %one {
      %step = arith.index_cast %i : index to i64
      pm.progress step %step
      scf.for %j = %two to %five step %one {
        pm.map [x=8] ins(%f : !pm.buffer<[x=8], f32>) outs(%f : !pm.buffer<[x=8], f32>) {
        ^bb0(%a: f32):
          %b = arith.mulf %a, %factor : f32
          pm.yield %b : f32
        }
      }
    }
    pm.progress end %steps
    pm.output "f"(%f : !pm.buffer<[x=8], f32>)
    return
  }
}
