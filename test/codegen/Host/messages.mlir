// RUN: pm-opt %s --pm-lower --split-input-file | FileCheck %s

// An assertion on parameters alone is wrong usage; one on computed numbers is a failure of the run.

pm.param "a" : f64 "f64" {default_value = 1.0 : f64}
pm.input "t" : !pm.table
func.func @main() {
  %a = pm.param_value "a" : f64
  %given = pm.given "a"
  %zero = arith.constant 0.0 : f64
  %positive = arith.cmpf ogt, %a, %zero : f64
  pm.assert %positive, "a = {}"(%a)
  pm.assert %given, "a is not given"
  %n = arith.constant 10 : i64
  %t = pm.tabulate %zero to %a points %n {
  ^bb0(%x: f64):
    %y = arith.mulf %x, %x : f64
    pm.yield %y : f64
  }
  %v = pm.lookup %t at %a
  %low = arith.cmpf olt, %v, %a : f64
  pm.assert %low, "v = {}"(%v)
  pm.assert %low, "v = {}"(%v) {warning}
  pm.assert %low, "v = {}"(%v) {own, warning}
  pm.assert %low, "column 2: {}"(%v) {checked_input = "t"}
  pm.print "{} {}"(%a, %v)
  pm.reversal ["u", "v"] (%a, %v)
  return
}
// CHECK-LABEL: func.func private @pmc.entry(%arg0: !llvm.ptr)
// CHECK: llvm.call @pmrt_param_f64(%arg0
// CHECK: llvm.call @pmrt_param_given(%arg0
// CHECK: llvm.call @pmrt_require(%arg0
// CHECK: llvm.call @pmrt_require(%arg0
// CHECK: %[[TABLE:.*]] = llvm.call @pmrt_table_create(%arg0
// CHECK: scf.for
// CHECK: llvm.call @pmrt_table_check(%arg0, %{{.*}}, %[[TABLE]])
// CHECK: llvm.call @pmrt_table_lookup(%[[TABLE]]
// CHECK: llvm.call @pmrt_assert(%arg0
// CHECK: llvm.call @pmrt_warn(%arg0
// CHECK: llvm.call @pmrt_warn_own(%arg0
// CHECK: llvm.call @pmrt_assert_input(%arg0
// CHECK: llvm.call @pmrt_print(%arg0
// CHECK: llvm.call @pmrt_reversal(%arg0

// -----

// Functions get the context too, and loops tell where they stand.

func.func private @twice(%x: f64) -> f64 {
  %s = pm.param_value "s" : f64
  %y = arith.mulf %x, %s : f64
  return %y : f64
}
pm.param "s" : f64 "f64" {default_value = 2.0 : f64}
func.func @main() {
  %one = arith.constant 1.0 : f64
  %n = arith.constant 3 : i64
  pm.progress begin %n
  %y = call @twice(%one) : (f64) -> f64
  pm.progress step %n
  pm.progress end %n
  pm.output "y"(%y : f64)
  return
}
// CHECK-LABEL: func.func private @twice(%arg0: !llvm.ptr, %arg1: f64) -> f64
// CHECK: llvm.call @pmrt_param_f64(%arg0
// CHECK-LABEL: func.func private @pmc.entry
// CHECK: llvm.call @pmrt_loop_begin
// CHECK: call @twice(%arg0
// CHECK: llvm.call @pmrt_loop_step
// CHECK: llvm.call @pmrt_loop_end(%arg0, %{{[^,]*}})
// CHECK: llvm.call @pmrt_output_scalars
// CHECK: llvm.func @main

// -----

// Tables that a loop makes end with the step, unless they are handed on.

func.func @main() {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %n = arith.constant 10 : i64
  %first = arith.constant 0 : index
  %step = arith.constant 1 : index
  %end = arith.constant 5 : index
  %made = pm.tabulate %zero to %one points %n {
  ^bb0(%x: f64):
    pm.yield %x : f64
  }
  %last, %sum = scf.for %i = %first to %end step %step iter_args(%carried = %made, %s = %zero) -> (!pm.table, f64) {
    %used = pm.tabulate %zero to %s points %n {
    ^bb0(%x: f64):
      pm.yield %x : f64
    }
    %kept = pm.transform %used {
    ^bb0(%x: f64, %y: f64):
      %twice = arith.addf %y, %y : f64
      pm.yield %x, %twice : f64, f64
    }
    %v = pm.lookup %carried at %one
    scf.yield %kept, %v : !pm.table, f64
  }
  %w = pm.lookup %last at %sum
  pm.output "w"(%w : f64)
  return
}
// CHECK-LABEL: func.func private @pmc.entry(%arg0: !llvm.ptr)
// CHECK: llvm.call @pmrt_table_create
// CHECK: %[[MARK:.*]] = llvm.call @pmrt_tables_mark(%arg0)
// CHECK: scf.for {{.*}} iter_args(%[[CARRIED:[^ ]*]] =
// CHECK: llvm.call @pmrt_table_create
// CHECK: %[[KEPT:.*]] = llvm.call @pmrt_table_create
// CHECK: llvm.call @pmrt_table_lookup(%[[CARRIED]]
// CHECK: %[[ADDRESS:.*]] = llvm.getelementptr %[[LIST:[0-9]+]]{{.}}0]
// CHECK: llvm.store %[[KEPT]], %[[ADDRESS]]
// CHECK: llvm.call @pmrt_tables_release(%arg0, %[[MARK]], %{{.*}}, %[[LIST]])
// CHECK-NEXT: scf.yield %[[KEPT]]
// CHECK-NOT: llvm.call @pmrt_tables_release
// CHECK: return
