// The program's own code is not optimised where kernels, other functions and the
// runtime have all the work.
// RUN: pm-opt --split-input-file --pm-emit-program %s | FileCheck %s

// CHECK-LABEL: func.func private @pmc.entry(
// CHECK-SAME: attributes {passthrough = ["noinline", "optnone"]}
module attributes {pm.descriptor = "{}"} {
  llvm.func @pmrt_call(!llvm.ptr)
  func.func @main(%context: !llvm.ptr) {
    %0 = arith.constant 0 : index
    %1 = arith.constant 1 : index
    %n = arith.constant 9 : index
    scf.for %i = %0 to %n step %1 {
      scf.for %j = %0 to %n step %1 {
        llvm.call @pmrt_call(%context) : (!llvm.ptr) -> ()
      }
    }
    // A short one over numbers.
    %x = arith.constant 1.0 : f64
    %s = scf.for %i = %0 to %n step %1 iter_args(%a = %x) -> f64 {
      %b = arith.addf %a, %a : f64
      scf.yield %b : f64
    }
    return
  }
}

// -----

// Here a long loop is over numbers alone: that it looks for signals is no work.
// CHECK-LABEL: func.func private @pmc.entry(
// CHECK-NOT: optnone
// CHECK: scf.for
module attributes {pm.descriptor = "{}"} {
  llvm.func @pmrt_call(!llvm.ptr)
  llvm.func @pmrt_stop()
  func.func @main(%context: !llvm.ptr) {
    %0 = arith.constant 0 : index
    %1 = arith.constant 1 : index
    %n = arith.constant 5000 : index
    %x = arith.constant 1.0 : f64
    scf.for %i = %0 to %n step %1 {
      llvm.call @pmrt_call(%context) : (!llvm.ptr) -> ()
    }
    %s = scf.for %i = %0 to %n step %1 iter_args(%a = %x) -> f64 {
      %stop = llvm.load %context : !llvm.ptr -> i1
      scf.if %stop {
        llvm.call @pmrt_stop() : () -> ()
      }
      %b = arith.addf %a, %a : f64
      scf.yield %b : f64
    }
    return
  }
}
