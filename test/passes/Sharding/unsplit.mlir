// RUN: pm-opt %s -o %t.before.mlir
// RUN: pm-opt %s --pm-sharding -o %t.after.mlir
// RUN: diff %t.before.mlir %t.after.mlir
// RUN: sed 's/"w" ->/"x" ->/' %s | pm-opt --pm-sharding -o %t.split.mlir
// RUN: not diff %t.before.mlir %t.split.mlir

// A mesh with axes that split no dim of the program: nothing changes.
pm.mesh @ranks axes = ["row"] extents = [1]
pm.layout "w" -> ["row"]

func.func @main() {
  %seed = arith.constant 1 : i64
  %f = pm.white_noise %seed -> !pm.field<[x=8], f32>
  %s = pm.reduce sum [x=8] ins(%f : !pm.field<[x=8], f32>) {
  ^bb0(%e: f32):
    pm.yield %e : f32
  } scalars f64
  pm.print "{}"(%s)
  return
}
