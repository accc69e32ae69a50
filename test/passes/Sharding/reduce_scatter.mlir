// RUN: pm-opt %s --pm-reduce-scatter | FileCheck %s

// What is summed over ranks and read at owned cells alone, in a split dim with as many cells, each rank sums for itself.

!W = !pm.field<[wide=128, c=64], f32>
!P = !pm.partial<!W, sum over [data]>
!O = !pm.field<[part=128 on(data), c=64], f32>
pm.mesh @ranks axes = ["data"] extents = [1]

// CHECK-LABEL: func.func @own
// CHECK: %[[G:.*]] = pm.reduce_fields sum over ["data"](%arg0) : !pm.field<[wide=128, c=64], f32> -> !pm.field<[part=128 on(data), c=64], f32>
// CHECK: pm.map [part=128 on(data), c=64] ins(%arg1, %[[G]] :
// CHECK-NOT: pm.cell
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
func.func @own(%p: !P, %w: !O) -> !O {
  %g = pm.reduce_fields sum over ["data"](%p) : !W -> !W
  %r = pm.map [part=128 on(data), c=64] ins(%w : !O) {
  ^bb0(%e: f32):
    %x = pm.coordinate "part"
    %i = arith.fptosi %x : f64 to i64
    %y = pm.coordinate "c"
    %j = arith.fptosi %y : f64 to i64
    %v = pm.cell %g[%i, %j] low [0, 0] high [0, 0] near [false, true] : !W -> f32
    %s = arith.addf %e, %v : f32
    pm.yield %s : f32
  } -> !O
  return %r : !O
}

// One reader requires another cell: all of them get the whole field.
// CHECK-LABEL: func.func @others
// CHECK: pm.reduce_fields sum over ["data"](%arg0) : !pm.field<[wide=128, c=64], f32> -> !pm.field<[wide=128, c=64], f32>
// CHECK-COUNT-2: pm.cell
func.func @others(%p: !P, %w: !O, %k: i64) -> !O {
  %g = pm.reduce_fields sum over ["data"](%p) : !W -> !W
  %r = pm.map [part=128 on(data), c=64] ins(%w : !O) {
  ^bb0(%e: f32):
    %x = pm.coordinate "part"
    %i = arith.fptosi %x : f64 to i64
    %y = pm.coordinate "c"
    %j = arith.fptosi %y : f64 to i64
    %v = pm.cell %g[%i, %j] low [0, 0] high [0, 0] near [false, true] : !W -> f32
    %o = pm.cell %g[%k, %j] low [0, 0] high [0, 0] near [false, true] : !W -> f32
    %s = arith.addf %o, %v : f32
    %t = arith.addf %e, %s : f32
    pm.yield %t : f32
  } -> !O
  return %r : !O
}

// No axis splits the loop: nothing is won.
// CHECK-LABEL: func.func @whole
// CHECK: pm.reduce_fields sum over ["data"](%arg0) : !pm.field<[wide=128, c=64], f32> -> !pm.field<[wide=128, c=64], f32>
func.func @whole(%p: !P) -> !pm.field<[part=128, c=64], f32> {
  %g = pm.reduce_fields sum over ["data"](%p) : !W -> !W
  %r = pm.map [part=128, c=64] {
    %x = pm.coordinate "part"
    %i = arith.fptosi %x : f64 to i64
    %y = pm.coordinate "c"
    %j = arith.fptosi %y : f64 to i64
    %v = pm.cell %g[%i, %j] low [0, 0] high [0, 0] near [false, true] : !W -> f32
    pm.yield %v : f32
  } -> !pm.field<[part=128, c=64], f32>
  return %r : !pm.field<[part=128, c=64], f32>
}

// Fewer cells, or in another order than a loop's inputs: the whole field.
// CHECK-LABEL: func.func @part
// CHECK: pm.reduce_fields sum over ["data"](%arg0) : !pm.field<[wide=128, c=64], f32> -> !pm.field<[wide=128, c=64], f32>
func.func @part(%p: !P) -> !pm.field<[part=100 on(data), c=64], f32> {
  %g = pm.reduce_fields sum over ["data"](%p) : !W -> !W
  %r = pm.map [part=100 on(data), c=64] {
    %x = pm.coordinate "part"
    %i = arith.fptosi %x : f64 to i64
    %y = pm.coordinate "c"
    %j = arith.fptosi %y : f64 to i64
    %v = pm.cell %g[%i, %j] low [0, 0] high [0, 0] near [false, true] : !W -> f32
    pm.yield %v : f32
  } -> !pm.field<[part=100 on(data), c=64], f32>
  return %r : !pm.field<[part=100 on(data), c=64], f32>
}

// CHECK-LABEL: func.func @turned
// CHECK: pm.reduce_fields sum over ["data"](%arg0) : !pm.field<[wide=128, c=64], f32> -> !pm.field<[wide=128, c=64], f32>
func.func @turned(%p: !P) -> !pm.field<[c=64, part=128 on(data)], f32> {
  %g = pm.reduce_fields sum over ["data"](%p) : !W -> !W
  %r = pm.map [c=64, part=128 on(data)] {
    %x = pm.coordinate "part"
    %i = arith.fptosi %x : f64 to i64
    %y = pm.coordinate "c"
    %j = arith.fptosi %y : f64 to i64
    %v = pm.cell %g[%i, %j] low [0, 0] high [0, 0] near [false, true] : !W -> f32
    pm.yield %v : f32
  } -> !pm.field<[c=64, part=128 on(data)], f32>
  return %r : !pm.field<[c=64, part=128 on(data)], f32>
}

// The diagonal: both dims are read at the index of one dim of the loop.
// CHECK-LABEL: func.func @diagonal
// CHECK: pm.reduce_fields sum over ["data"](%arg0) : !pm.field<[wide=128, long=128], f32> -> !pm.field<[wide=128, long=128], f32>
func.func @diagonal(%p: !pm.partial<!pm.field<[wide=128, long=128], f32>, sum over [data]>) -> !pm.field<[part=128 on(data)], f32> {
  %g = pm.reduce_fields sum over ["data"](%p) : !pm.field<[wide=128, long=128], f32> -> !pm.field<[wide=128, long=128], f32>
  %r = pm.map [part=128 on(data)] {
    %x = pm.coordinate "part"
    %i = arith.fptosi %x : f64 to i64
    %v = pm.cell %g[%i, %i] low [0, 0] high [0, 0] near [false, false] : !pm.field<[wide=128, long=128], f32> -> f32
    pm.yield %v : f32
  } -> !pm.field<[part=128 on(data)], f32>
  return %r : !pm.field<[part=128 on(data)], f32>
}
