// RUN: pm-opt %s --pm-autodiff | FileCheck %s

// A lookup reads two rows: each gets its share, in sums that begin beside the
// table. The x of the rows are held fixed.
// CHECK-LABEL: func private @host.vjp(
// CHECK-SAME: %[[T:.*]]: !pm.table, %[[S:.*]]: f64, %[[YB:.*]]: f64)
// CHECK: %[[SUMS:.*]] = pm.row_sums %[[T]]
// CHECK: %[[I:.*]] = pm.find_row %[[T]] at %[[S]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]]
// CHECK: %[[X0:.*]] = pm.row_x %[[T]][%[[I]]]
// CHECK: %[[X1:.*]] = pm.row_x %[[T]][%[[NEXT]]]
// CHECK: %[[WIDTH:.*]] = arith.subf %[[X1]], %[[X0]]
// CHECK: %[[RISE:.*]] = arith.divf %{{.*}}, %[[WIDTH]]
// CHECK: %[[FALL:.*]] = arith.negf %[[RISE]]
// CHECK: pm.add_to_row %[[SUMS]][%[[I]]] %[[FALL]]
// CHECK: pm.add_to_row %[[SUMS]][%[[NEXT]]] %[[RISE]]
// CHECK: %[[PART:.*]] = arith.divf %{{.*}}, %[[WIDTH]]
// CHECK: pm.add_to_row %[[SUMS]][%[[I]]]
// CHECK: pm.add_to_row %[[SUMS]][%[[NEXT]]]
// CHECK: %[[C:.*]] = pm.sum_rows %[[SUMS]]
// CHECK: return %{{.*}}, %[[C]]

// In a loop over a domain rows are bins, a block of rows at a time.
// CHECK-LABEL: func private @map.vjp(
// CHECK-SAME: %[[T:.*]]: !pm.table, %[[F:.*]]: !pm.field<[x=8], f64>, %[[RB:.*]]: !pm.field<[x=8], f64>)
// CHECK: %[[SUMS:.*]] = pm.row_sums %[[T]]
// CHECK: pm.rows %[[T]]
// CHECK: scf.for %[[B:.*]] = %c0 to %{{.*}} step %c1024
// CHECK: %[[FROM:.*]] = arith.index_cast %[[B]]
// CHECK: %[[BINS:.*]]:2 = pm.bins [x=8] ins(%[[F]], %[[RB]]
// CHECK: %[[ROW:.*]] = pm.find_row %[[T]]
// CHECK: %[[BIN:.*]] = arith.subi %[[ROW]], %[[FROM]]
// CHECK: pm.yield %[[BIN]]
// CHECK: pm.add_to_rows %[[SUMS]][%[[FROM]]] %[[BINS]]#0
// CHECK: %[[AFTER:.*]] = arith.addi %[[FROM]]
// CHECK: pm.add_to_rows %[[SUMS]][%[[AFTER]]] %[[BINS]]#1
// CHECK: pm.sum_rows %[[SUMS]]

// A tangent is taken at the table's own x.
// CHECK-LABEL: func private @made.jvp(
// CHECK-SAME: %[[T:.*]]: !pm.table, %[[S:.*]]: f64, %[[DT:.*]]: !pm.table)
// CHECK: %[[OWN:.*]] = pm.transform %[[T]] {
// CHECK: pm.lookup %[[DT]]
// CHECK: pm.transform %[[T]] {
// CHECK: pm.transform %[[T]] {
// CHECK: pm.lookup %[[OWN]]

// A table of a table is gone through row by row; numbers get the sum over rows.
// CHECK-LABEL: func private @made.vjp(
// CHECK-SAME: %[[T:.*]]: !pm.table, %[[S:.*]]: f64, %[[UB:.*]]: !pm.table)
// CHECK: %[[SUMS:.*]] = pm.row_sums %[[T]]
// CHECK: %[[U:.*]] = pm.transform %[[T]]
// CHECK: %[[GIVEN:.*]] = pm.row_sums %[[U]]
// CHECK: scf.for
// CHECK: %[[Y:.*]] = pm.lookup %[[UB]]
// CHECK: pm.add_to_row %[[GIVEN]][%{{.*}}] %[[Y]]
// CHECK: %[[C:.*]] = pm.sum_rows %[[GIVEN]]
// CHECK: %[[SB:.*]] = scf.for {{.*}} iter_args
// CHECK: %[[ROW:.*]] = pm.row_y %[[C]]
// CHECK: %[[SHARE:.*]] = arith.mulf %[[ROW]], %[[S]]
// CHECK: pm.add_to_row %[[SUMS]][%{{.*}}] %[[SHARE]]
// CHECK: %[[CT:.*]] = pm.sum_rows %[[SUMS]]
// CHECK: return %[[U]], %[[CT]], %[[SB]]

// A loop over numbers keeps them.
// CHECK-LABEL: func private @loop.vjp(
// CHECK: %[[SUMS:.*]] = pm.row_sums
// CHECK: %[[TAPE:.*]] = pm.checkpoint_store %{{.*}} of [f64]
// CHECK: pm.save %[[TAPE]]
// CHECK: scf.for
// CHECK: %[[A:.*]] = pm.restore %[[TAPE]]
// CHECK: pm.find_row %{{.*}} at %[[A]]
// CHECK: pm.add_to_row %[[SUMS]]
// CHECK: pm.checkpoint_store_free %[[TAPE]]
// CHECK: pm.sum_rows %[[SUMS]]

!F = !pm.field<[x=8], f64>

func.func private @host(%t: !pm.table, %s: f64) -> f64 {
  %y = pm.lookup %t at %s
  %d = pm.lookup slope %t at %s
  %r = arith.mulf %y, %d : f64
  return %r : f64
}
func.func private @map(%t: !pm.table, %f: !F) -> !F {
  %r = pm.map [x=8] ins(%f : !F) {
  ^bb0(%e: f64):
    %y = pm.lookup %t at %e
    pm.yield %y : f64
  } -> !F
  return %r : !F
}
func.func private @made(%t: !pm.table, %s: f64) -> !pm.table {
  %u = pm.transform %t {
  ^bb0(%x: f64, %y: f64):
    %z = arith.mulf %y, %s : f64
    pm.yield %x, %z : f64, f64
  }
  return %u : !pm.table
}
func.func private @loop(%t: !pm.table, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %init = arith.constant 1.0 : f64
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %init) -> f64 {
    %y = pm.lookup %t at %a
    %b = arith.mulf %y, %a : f64
    scf.yield %b : f64
  }
  return %r : f64
}
func.func @main(%t: !pm.table, %f: !F, %s: f64, %n: index) -> (!pm.table, !pm.table, !pm.table, f64, !pm.table, !pm.table) {
  %h:2 = pm.vjp @host(%t, %s) wrt [0] of [0] (%s) schedule keep : (!pm.table, f64), (f64) -> (f64, !pm.table)
  %m:2 = pm.vjp @map(%t, %f) wrt [0] of [0] (%f) schedule keep : (!pm.table, !F), (!F) -> (!F, !pm.table)
  %u:3 = pm.vjp @made(%t, %s) wrt [0, 1] of [0] (%t) schedule keep : (!pm.table, f64), (!pm.table) -> (!pm.table, !pm.table, f64)
  %l:2 = pm.vjp @loop(%t, %n) wrt [0] of [0] (%s) schedule keep : (!pm.table, index), (f64) -> (f64, !pm.table)
  %d:2 = pm.jvp @made(%t, %s) wrt [0] along (%t) : (!pm.table, f64), (!pm.table) -> (!pm.table, !pm.table)
  return %h#1, %m#1, %u#1, %u#2, %l#1, %d#1 : !pm.table, !pm.table, !pm.table, f64, !pm.table, !pm.table
}
