// RUN: pm-opt %s | pm-opt | FileCheck %s
// RUN: pm-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

!B = !pm.field<[bin=4], f64>

// CHECK-LABEL: func.func @rows
// CHECK: pm.rows %{{.*}}
// CHECK: %[[I:.*]] = pm.find_row %{{.*}} at %{{.*}}
// CHECK: pm.row_x %{{.*}}[%[[I]]]
// CHECK: %[[Y:.*]] = pm.row_y %{{.*}}[%[[I]]]
// CHECK: %[[S:.*]] = pm.row_sums %{{.*}}
// CHECK: pm.add_to_row %[[S]][%[[I]]] %[[Y]]
// CHECK: pm.add_to_rows %[[S]][%[[I]]] %{{.*}} : !pm.field<[bin=4], f64>
// CHECK: pm.sum_rows %[[S]]
// Two sums for one table are two.
// FOLD-LABEL: func.func @rows
// FOLD: pm.row_sums
// FOLD: pm.row_sums
func.func @rows(%t: !pm.table, %x: f64, %f: !B) -> (i64, f64, !pm.table, !pm.table) {
  %n = pm.rows %t
  %i = pm.find_row %t at %x
  %xi = pm.row_x %t[%i]
  %y = pm.row_y %t[%i]
  %s = pm.row_sums %t
  pm.add_to_row %s[%i] %y
  pm.add_to_rows %s[%i] %f : !B
  %c = pm.sum_rows %s
  %r = pm.row_sums %t
  %d = pm.sum_rows %r
  return %n, %xi, %c, %d : i64, f64, !pm.table, !pm.table
}

// A table has the rows of the one that it is made of.
// FOLD-LABEL: func.func @count
// FOLD-SAME: %{{.*}}: f64, %[[N:.*]]: i64
// FOLD: return %[[N]]
func.func @count(%a: f64, %n: i64) -> i64 {
  %t = pm.tabulate %a to %a points %n {
  ^bb0(%x: f64):
    pm.yield %x : f64
  }
  %u = pm.transform %t {
  ^bb0(%x: f64, %y: f64):
    pm.yield %x, %x : f64, f64
  }
  %r = pm.rows %u
  return %r : i64
}
