// What is printed reads back as itself: declarations, parameters, tables,
// effects, memory.
// RUN: pm-opt %s | FileCheck %s
// RUN: pm-opt %s --mlir-print-op-generic | pm-opt | FileCheck %s
// RUN: pm-opt %s | pm-opt | FileCheck %s

// CHECK: pm.mesh @gpus axes = ["row", "col"] extents = [1, 2]
pm.mesh @gpus axes = ["row", "col"] extents = [1, 2]
// CHECK: pm.layout "x" -> ["row", "col"]
pm.layout "x" -> ["row", "col"]
// CHECK: pm.param "box" : f64 "f64" {default_value = 4.000000e+02 : f64, doc = "box side", maximum = 1.000000e+03 : f64, min_open, minimum = 0.000000e+00 : f64, unit = "Mpc/h"}
pm.param "box" : f64 "f64" {default_value = 400.0 : f64, minimum = 0.0 : f64, maximum = 1000.0 : f64, min_open, unit = "Mpc/h", doc = "box side"}
// CHECK: pm.param "steps" : i64 "int"
pm.param "steps" : i64 "int"
// CHECK: pm.param "particles" : i1 "bool" {default_value = false}
pm.param "particles" : i1 "bool" {default_value = false}
// CHECK: pm.input "delta" : !pm.field<[x=8], f32> {optional}
pm.input "delta" : !pm.field<[x=8], f32> {optional}
// CHECK: pm.input "pk" : !pm.table
pm.input "pk" : !pm.table
// CHECK: pm.input "boxes" : !pm.field<[x=8], f32> {ahead = 0 : i64, samples = 20 : i64, streamed}
pm.input "boxes" : !pm.field<[x=8], f32> {streamed, samples = 20, ahead = 0}
// CHECK: pm.dim "x" = 8 length {
// CHECK:   %[[BOX:.*]] = pm.param_value "box" : f64
// CHECK:   pm.yield %[[BOX]] : f64
pm.dim "x" = 8 length {
  %box = pm.param_value "box" : f64
  pm.yield %box : f64
}
// CHECK: pm.plan [!pm.buffer<[x=8], f32>, !pm.buffer<[kx=half(8)], complex<f32>>] starts [0, 1] ends [3, 1]
pm.plan [!pm.buffer<[x=8], f32>, !pm.buffer<[kx=half(8)], complex<f32>>] starts [0, 1] ends [3, 1]

// CHECK-LABEL: func.func @main(
func.func @main(%field: !pm.field<[x=8], f32>, %picture: !pm.field<[x=8, y=8], f32>, %numbers: !pm.field<[b=3], i64>) {
  // CHECK: %[[N:.*]] = pm.param_value "steps" : i64
  %n = pm.param_value "steps" : i64
  // CHECK: pm.given "delta"
  %given = pm.given "delta"
  // CHECK: pm.length "x"
  %l = pm.length "x"
  // CHECK: pm.input_value "delta" -> !pm.field<[x=8], f32>
  %delta = pm.input_value "delta" -> !pm.field<[x=8], f32>
  // CHECK: %[[BUFFER:.*]] = pm.alloc 0 : !pm.buffer<[x=8], f32>
  %buffer = pm.alloc 0 : !pm.buffer<[x=8], f32>
  // CHECK: pm.input_value "delta" outs(%[[BUFFER]] : !pm.buffer<[x=8], f32>)
  pm.input_value "delta" outs(%buffer : !pm.buffer<[x=8], f32>)
  // CHECK: pm.sample_count "boxes"
  %count = pm.sample_count "boxes"
  // CHECK: pm.samples "boxes"[%[[N]] : i64] -> !pm.field<[x=8], f32>
  %one = pm.samples "boxes"[%n : i64] -> !pm.field<[x=8], f32>
  // CHECK: pm.samples "boxes"[%{{.*}} : !pm.field<[b=3], i64>] -> !pm.field<[b=3, x=8], f32>
  %several = pm.samples "boxes"[%numbers : !pm.field<[b=3], i64>] -> !pm.field<[b=3, x=8], f32>
  // CHECK: pm.samples "boxes"[%[[N]] : i64] outs(%[[BUFFER]] : !pm.buffer<[x=8], f32>)
  pm.samples "boxes"[%n : i64] outs(%buffer : !pm.buffer<[x=8], f32>)
  // CHECK: pm.prefetch_samples "boxes"[%[[N]] : i64]
  pm.prefetch_samples "boxes"[%n : i64]
  // CHECK: %[[PK:.*]] = pm.input_value "pk" table !pm.table
  %pk = pm.input_value "pk" table !pm.table
  // CHECK: pm.tabulate %{{.*}} to %{{.*}} points %[[N]] {
  // CHECK: ^bb0(%{{.*}}: f64):
  %t = pm.tabulate %l to %l points %n {
  ^bb0(%x: f64):
    %y = math.exp %x : f64
    pm.yield %y : f64
  }
  // CHECK: %[[LOG:.*]] = pm.transform %[[PK]] {
  %log = pm.transform %pk {
  ^bb0(%x: f64, %y: f64):
    %lx = math.log %x : f64
    %ly = math.log %y : f64
    pm.yield %lx, %ly : f64, f64
  }
  // CHECK: pm.lookup %[[LOG]] at %{{.*}}
  %y = pm.lookup %log at %l
  // CHECK: pm.lookup slope %[[LOG]] at
  %s = pm.lookup slope %log at %l
  // CHECK: pm.progress begin %[[N]]
  pm.progress begin %n
  // CHECK: pm.progress step %[[N]]
  pm.progress step %n
  // CHECK: pm.progress end %[[N]]
  pm.progress end %n
  // CHECK: pm.print "{} and {}"(%{{.*}}, %{{.*}})
  pm.print "{} and {}"(%y, %s)
  // CHECK: pm.assert %{{.*}}, "no delta"
  pm.assert %given, "no delta"
  // CHECK: pm.output "rows"(%{{.*}}, %{{.*}} : !pm.field<[x=8], f32>, !pm.field<[x=8], f32>) {columns = ["a", "b"], unit = "Mpc/h"}
  pm.output "rows"(%field, %delta : !pm.field<[x=8], f32>, !pm.field<[x=8], f32>) {columns = ["a", "b"], unit = "Mpc/h"}
  // CHECK: pm.output "numbers"(%{{.*}} : f64)
  pm.output "numbers"(%y : f64)
  // CHECK: pm.plot "web" log(%{{.*}} : !pm.field<[x=8, y=8], f32>)
  pm.plot "web" log(%picture : !pm.field<[x=8, y=8], f32>)
  // CHECK: pm.plot "curves"(%{{.*}}, %{{.*}} : !pm.field<[x=8], f32>, !pm.field<[x=8], f32>)
  pm.plot "curves"(%field, %delta : !pm.field<[x=8], f32>, !pm.field<[x=8], f32>)
  // CHECK: pm.copy %{{.*}} : !pm.field<[x=8], f32> -> !pm.field<[x=8], f32>
  %copy = pm.copy %field : !pm.field<[x=8], f32> -> !pm.field<[x=8], f32>
  // CHECK: pm.copy %{{.*}} outs(%[[BUFFER]] : !pm.buffer<[x=8], f32>) : !pm.field<[x=8], f32>
  pm.copy %field outs(%buffer : !pm.buffer<[x=8], f32>) : !pm.field<[x=8], f32>
  return
}
