// RUN: pm-opt %s --pm-lower | FileCheck %s

// Sums for the rows of a table are a table that calls add to. It ends with the block of a loop that makes it.

func.func @main() {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %n = arith.constant 10 : i64
  %first = arith.constant 0 : index
  %step = arith.constant 1 : index
  %end = arith.constant 5 : index
  %t = pm.tabulate %zero to %one points %n {
  ^bb0(%x: f64):
    pm.yield %x : f64
  }
  %sum = scf.for %i = %first to %end step %step iter_args(%s = %zero) -> (f64) {
    %sums = pm.row_sums %t
    %row = pm.find_row %t at %s
    %x = pm.row_x %t[%row]
    %y = pm.row_y %t[%row]
    %xy = arith.mulf %x, %y : f64
    pm.add_to_row %sums[%row] %xy
    %c = pm.sum_rows %sums
    %v = pm.lookup %c at %s
    scf.yield %v : f64
  }
  pm.output "w"(%sum : f64)
  return
}
// CHECK-LABEL: func.func private @pmc.entry(%arg0: !llvm.ptr)
// CHECK: %[[T:.*]] = llvm.call @pmrt_table_create
// CHECK: scf.for
// CHECK: %[[SUMS:.*]] = llvm.call @pmrt_table_zeros(%arg0, %{{[^,]*}}, %[[T]])
// CHECK: %[[ROW:.*]] = llvm.call @pmrt_table_find(%[[T]],
// CHECK: llvm.call @pmrt_table_x(%[[T]], %[[ROW]])
// CHECK: llvm.call @pmrt_table_y(%[[T]], %[[ROW]])
// CHECK: llvm.call @pmrt_table_add(%[[SUMS]], %[[ROW]],
// CHECK: llvm.call @pmrt_table_check(%arg0, %{{[^,]*}}, %[[SUMS]])
// CHECK: llvm.call @pmrt_table_lookup(%[[SUMS]]
// CHECK: llvm.call @pmrt_tables_release(%arg0,
// CHECK-NEXT: scf.yield
