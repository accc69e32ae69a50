// RUN: pm-opt %s -canonicalize -split-input-file | FileCheck %s
// RUN: pm-test-opt %s -canonicalize -split-input-file | FileCheck %s

!f = !pm.field<[x=8, y=4], f32>

// Inputs that are there twice, or that nothing reads, go.
// CHECK-LABEL: func.func @inputs(
// CHECK-SAME:    %[[A:.*]]: !pm.field<[x=8, y=4], f32>, %{{.*}}: !pm.field
// CHECK:         pm.map [x=8, y=4] ins(%[[A]] : !pm.field<[x=8, y=4], f32>)
// CHECK-NEXT:    ^bb0(%[[E:.*]]: f32):
// CHECK-NEXT:      %[[S:.*]] = arith.addf %[[E]], %[[E]]
// CHECK-NEXT:      pm.yield %[[S]]
func.func @inputs(%a: !f, %b: !f) -> !f {
  %r = pm.map [x=8, y=4] ins(%a, %b, %a : !f, !f, !f) {
  ^bb0(%e: f32, %unused: f32, %again: f32):
    %s = arith.addf %e, %again : f32
    pm.yield %s : f32
  } -> !f
  return %r : !f
}

// -----

!f = !pm.field<[x=8, y=4], f32>

// So they do for reductions, bins and scatters.
// CHECK-LABEL: func.func @others(
// CHECK:         pm.reduce sum [x=8, y=4] ins(%{{[^,]*}} : !pm.field<[x=8, y=4], f32>)
// CHECK:         pm.bins [x=8, y=4] ins(%{{[^,]*}} : !pm.field<[x=8, y=4], f32>)
// CHECK:         pm.scatter cic [x=8, y=4] ins(%{{[^,]*}} : !pm.field<[x=8, y=4], f32>)
func.func @others(%a: !f, %b: !f, %bin: i64) -> (f64, !pm.field<[m=3], f64>, !f) {
  %s = pm.reduce sum [x=8, y=4] ins(%a, %b : !f, !f) {
  ^bb0(%e: f32, %unused: f32):
    pm.yield %e : f32
  } scalars f64
  %h = pm.bins [x=8, y=4] ins(%a, %b : !f, !f) {
  ^bb0(%e: f32, %unused: f32):
    pm.yield %bin, %e : i64, f32
  } -> !pm.field<[m=3], f64>
  %p = pm.scatter cic [x=8, y=4] ins(%a, %a : !f, !f) {
  ^bb0(%e: f32, %again: f32):
    pm.yield %e, %again, %e : f32, f32, f32
  } -> !f
  return %s, %h, %p : f64, !pm.field<[m=3], f64>, !f
}

// -----

!f = !pm.field<[x=8, y=4], f32>
!g = !pm.field<[x=8], f32>

// A result that is an input unchanged is that input; a broadcast is none.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[A:.*]]: !pm.field<[x=8, y=4], f32>, %[[B:.*]]: !pm.field<[x=8], f32>)
// CHECK:         %[[R:.*]] = pm.map [x=8, y=4] ins(%[[B]] :
// CHECK:         return %[[A]], %[[R]]
func.func @forward(%a: !f, %b: !g) -> (!f, !f) {
  %r:2 = pm.map [x=8, y=4] ins(%a, %b : !f, !g) {
  ^bb0(%e: f32, %g: f32):
    pm.yield %e, %g : f32, f32
  } -> !f, !f
  return %r#0, %r#1 : !f, !f
}

// -----

!f = !pm.field<[x=8, y=4], f32>

// Results that nobody uses are not computed.
// CHECK-LABEL: func.func @results(
// CHECK:         %[[R:.*]] = pm.map [x=8, y=4] ins(%{{.*}}) attributes {kept} {
// CHECK-NOT:       math.exp
// CHECK:           %[[S:.*]] = math.sin
// CHECK-NEXT:      pm.yield %[[S]] : f32
// CHECK-NEXT:    } -> !pm.field<[x=8, y=4], f32>
// CHECK:         %[[H:.*]] = pm.bins
// CHECK:           pm.yield %{{.*}}, %{{.*}} : i64, f32
// CHECK-NEXT:    } -> !pm.field<[m=3], f64>
// CHECK:         return %[[R]], %[[H]]
func.func @results(%a: !f, %bin: i64) -> (!f, !pm.field<[m=3], f64>) {
  %r:2 = pm.map [x=8, y=4] ins(%a : !f) attributes {kept} {
  ^bb0(%e: f32):
    %x = math.exp %e : f32
    %s = math.sin %e : f32
    pm.yield %x, %s : f32, f32
  } -> !f, !f
  %h:2 = pm.bins [x=8, y=4] ins(%a : !f) {
  ^bb0(%e: f32):
    %x = math.exp %e : f32
    pm.yield %bin, %e, %x : i64, f32, f32
  } -> !pm.field<[m=3], f64>, !pm.field<[m=3], f64>
  return %r#1, %h#0 : !f, !pm.field<[m=3], f64>
}

// -----

!f = !pm.field<[x=1, y=2], f64>

// Along a dim of one element every coordinate is 0, along one of two it is not.
// CHECK-LABEL: func.func @coordinate(
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK:         pm.map
// CHECK-NOT:       pm.coordinate "x"
// CHECK:           %[[Y:.*]] = pm.coordinate "y"
// CHECK:           pm.yield %[[ZERO]], %[[Y]]
func.func @coordinate() -> (!f, !f) {
  %r:2 = pm.map [x=1, y=2] {
    %x = pm.coordinate "x"
    %y = pm.coordinate "y"
    pm.yield %x, %y : f64, f64
  } -> !f, !f
  return %r#0, %r#1 : !f, !f
}

// -----

!f = !pm.field<[x=8], f32>
!b = !pm.buffer<[x=8], f32>

// Dead on fields; on buffers it writes, and writes in order.
// CHECK-LABEL: func.func @effects(
// CHECK-NOT:     pm.white_noise %{{.*}} -> 
// CHECK:         pm.white_noise %{{.*}} outs(
// CHECK:         pm.map [x=8] ins({{.*}} outs(
// CHECK:         pm.map [x=8] ins({{.*}} outs(
// CHECK:         pm.copy {{.*}} outs(
// CHECK-NEXT:    return
func.func @effects(%seed: i64, %f: !f) {
  %dead = pm.white_noise %seed -> !f
  %copy = pm.copy %f : !f -> !f
  %a = pm.alloc 0 : !b
  %c = pm.alloc 1 : !b
  pm.white_noise %seed outs(%a : !b)
  pm.map [x=8] ins(%a : !b) outs(%a : !b) {
  ^bb0(%e: f32):
    %s = arith.addf %e, %e : f32
    pm.yield %s : f32
  }
  pm.map [x=8] ins(%a : !b) outs(%a : !b) {
  ^bb0(%e: f32):
    %s = arith.addf %e, %e : f32
    pm.yield %s : f32
  }
  pm.copy %a outs(%c : !b) : !b
  return
}
