// RUN: pm-opt %s -canonicalize | FileCheck %s

!F = !pm.field<[x=8 on(row), y=8], f32>
!G = !pm.field<[x=8, y=8 on(row)], f32>
!W = !pm.field<[x=8, y=8], f32>

// CHECK-LABEL: func.func @same
// CHECK-SAME:    %[[F:[a-z0-9]*]]:
// CHECK-NOT:     pm.reshard
// CHECK:         return %[[F]]
func.func @same(%f: !F) -> !F {
  %g = pm.reshard %f : !F -> !F
  return %g : !F
}

// There and back.
// CHECK-LABEL: func.func @back
// CHECK-SAME:    %[[F:[a-z0-9]*]]:
// CHECK-NOT:     pm.reshard
// CHECK:         return %[[F]]
func.func @back(%f: !F) -> !F {
  %g = pm.reshard %f : !F -> !G
  %h = pm.reshard %g : !G -> !F
  return %h : !F
}

// Straight to the end.
// CHECK-LABEL: func.func @twice
// CHECK-SAME:    %[[F:[a-z0-9]*]]:
// CHECK-NEXT:    %[[H:.*]] = pm.reshard %[[F]] : !pm.field<[x=8 on(row), y=8], f32> -> !pm.field<[x=8, y=8 on(row)], f32>
// CHECK-NEXT:    return %[[H]]
func.func @twice(%f: !F) -> !G {
  %g = pm.reshard %f : !F -> !W
  %h = pm.reshard %g : !W -> !G
  return %h : !G
}

// The gathered field is needed anyway, and the second step sends nothing.
// CHECK-LABEL: func.func @needed
// CHECK:         %[[G:.*]] = pm.reshard %{{.*}} -> !pm.field<[x=8, y=8], f32>
// CHECK:         %[[H:.*]] = pm.reshard %[[G]]
// CHECK:         return %[[G]], %[[H]]
func.func @needed(%f: !F) -> (!W, !G) {
  %g = pm.reshard %f : !F -> !W
  %h = pm.reshard %g : !W -> !G
  return %g, %h : !W, !G
}

// A part of a table is computed, not cut out; what it reads is cut.
// CHECK-LABEL: func.func @table
// CHECK-SAME:    %[[A:[a-z0-9]*]]: !pm.field<[x=8], f64>
// CHECK:         %[[B:.*]] = pm.reshard %[[A]] : !pm.field<[x=8], f64> -> !pm.field<[x=8 on(row)], f64>
// CHECK:         %[[T:.*]] = pm.map [x=8 on(row)] ins(%[[B]] : !pm.field<[x=8 on(row)], f64>)
// CHECK:           pm.coordinate "x"
// CHECK:         return %[[T]]
func.func @table(%a: !pm.field<[x=8], f64>) -> !pm.field<[x=8 on(row)], f64> {
  %t = pm.map [x=8] ins(%a : !pm.field<[x=8], f64>) {
  ^bb0(%e: f64):
    %c = pm.coordinate "x"
    %s = arith.addf %c, %e : f64
    pm.yield %s : f64
  } -> !pm.field<[x=8], f64>
  %r = pm.reshard %t : !pm.field<[x=8], f64> -> !pm.field<[x=8 on(row)], f64>
  return %r : !pm.field<[x=8 on(row)], f64>
}

// Numbers that nobody uses, or that are there twice, do not travel.
// CHECK-LABEL: func.func @numbers
// CHECK-SAME:    %[[A:[a-z0-9]*]]: {{[^%]*}}, %[[B:[a-z0-9]*]]: {{[^%]*}}, %[[C:[a-z0-9]*]]: !pm.partial<f64, sum over [row]>
// CHECK-NEXT:    %[[R:.*]]:2 = pm.all_reduce sum over ["row"](%[[A]], %[[B]]) : f64, f64
// CHECK-NEXT:    return %[[R]]#0, %[[R]]#1, %[[R]]#0
func.func @numbers(%a: !pm.partial<f64, sum over [row]>, %b: !pm.partial<f64, sum over [row]>, %c: !pm.partial<f64, sum over [row]>) -> (f64, f64, f64) {
  %r:4 = pm.all_reduce sum over ["row"] (%a, %b, %c, %a) : f64, f64, f64, f64
  return %r#0, %r#1, %r#3 : f64, f64, f64
}

// CHECK-LABEL: func.func @nothing
// CHECK-NEXT:    return
func.func @nothing(%a: !pm.partial<f64, sum over [row]>, %f: !F) {
  %r = pm.all_reduce sum over ["row"] (%a) : f64
  %g = pm.reshard %f : !F -> !G
  return
}
