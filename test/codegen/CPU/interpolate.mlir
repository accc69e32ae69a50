// RUN: pm-opt --pm-lower-domains --pm-lower-launches --cse --canonicalize %s | FileCheck %s

// 64 particles at a time: positions in one loop, the meshes in a second one,
// with one set of indices, and the rest of the body in the third.
// CHECK-LABEL: func.func private @kernel.readout(
// CHECK-SAME: %{{.*}}: !pmk.span<f32> {llvm.noalias}, %{{.*}}: !pmk.span<f32> {llvm.noalias}, %[[F:.*]]: !pmk.span<f32> {llvm.noalias}, %[[G:.*]]: !pmk.span<f32> {llvm.noalias}, %[[FROM:.*]]: i64, %[[TO:.*]]: i64)
// CHECK-SAME: pmk.schedule = #pmk.rows<chunk = 64>
// CHECK: scf.for %{{.*}} = %[[FROM]] to %[[TO]] step %c64_i64
// CHECK: scf.for
// CHECK: math.floor
// CHECK: arith.fptosi
// CHECK: scf.for
// CHECK-NOT: math.floor
// CHECK-DAG: pmk.load %[[F]][%[[LEFT:.*]]]
// CHECK-DAG: pmk.load %[[G]][%[[LEFT]]]
// CHECK-DAG: pmk.load %[[F]][%[[RIGHT:.*]]]
// CHECK-DAG: pmk.load %[[G]][%[[RIGHT]]]
// CHECK: scf.for
// CHECK: arith.subf
// CHECK-NOT: math.floor
// CHECK: return
func.func @readout(%ctx: !llvm.ptr) {
  %0 = pm.alloc 0 : !pm.buffer<[z=70], f32>
  %1 = pm.alloc 1 : !pm.buffer<[z=70], f32>
  %f = pm.alloc 2 : !pm.buffer<[z*2=140], f32>
  %g = pm.alloc 3 : !pm.buffer<[z*2=140], f32>
  pm.map [z=70] ins(%0 : !pm.buffer<[z=70], f32>) outs(%1 : !pm.buffer<[z=70], f32>) {
  ^bb0(%u: f32):
    %v:2 = pm.interpolate cic (%f, %g : !pm.buffer<[z*2=140], f32>, !pm.buffer<[z*2=140], f32>) at (%u : f32) -> f32, f32
    %s = arith.subf %v#0, %v#1 : f32
    pm.yield %s : f32
  }
  return
}
