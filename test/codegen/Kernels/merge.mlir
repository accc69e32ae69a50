// Of equal kernels the first stays, wherever their ops stand in the spec.
// RUN: pm-opt --pm-merge-kernels %s | FileCheck %s

// CHECK-LABEL: func.func @main
func.func @main(%context: !llvm.ptr, %v: !pmk.span<f32>, %w: !pmk.span<f32>, %n: i64) {
  // CHECK: pmk.parallel_for @kernel.map(%{{.*}}) over %{{.*}} each %{{.*}} "map" at 3
  pmk.parallel_for @kernel.map(%v) over %n each %n "map" at 3 : !pmk.span<f32>
  // CHECK: pmk.parallel_for @kernel.map(%{{.*}}) over %{{.*}} each %{{.*}} "twice" at 7
  pmk.parallel_for @kernel.map.1(%w) over %n each %n "twice" at 7 : !pmk.span<f32>
  // Another number, another attribute.
  // CHECK: pmk.parallel_for @kernel.map.2
  pmk.parallel_for @kernel.map.2(%w) over %n each %n "map" at 7 : !pmk.span<f32>
  // CHECK: pmk.parallel_for @kernel.map.3
  pmk.parallel_for @kernel.map.3(%w) over %n each %n "map" at 7 : !pmk.span<f32>
  // CHECK: pmk.launch @pmc.device::@kernel_map(
  pmk.launch @pmc.device::@kernel_map(%v) on %n threads of 256 shared 0 moves %n "map" at 3 : !pmk.span<f32>
  // CHECK: pmk.launch @pmc.device::@kernel_map(
  pmk.launch @pmc.device::@kernel_map_1(%w) on %n threads of 256 shared 0 moves %n "map" at 7 : !pmk.span<f32>
  return
}

// CHECK: func.func private @kernel.map(
func.func private @kernel.map(%v: !pmk.span<f32>, %from: i64, %to: i64) {
  %two = arith.constant 2.0 : f32
  pmk.store %two, %v[%from] : f32, !pmk.span<f32>
  return
}
// CHECK-NOT: @kernel.map.1(
func.func private @kernel.map.1(%v: !pmk.span<f32>, %from: i64, %to: i64) {
  %two = arith.constant 2.0 : f32
  pmk.store %two, %v[%from] : f32, !pmk.span<f32>
  return
}
// CHECK: func.func private @kernel.map.2(
func.func private @kernel.map.2(%v: !pmk.span<f32>, %from: i64, %to: i64) {
  %three = arith.constant 3.0 : f32
  pmk.store %three, %v[%from] : f32, !pmk.span<f32>
  return
}
// CHECK: func.func private @kernel.map.3(
func.func private @kernel.map.3(%v: !pmk.span<f32>, %from: i64, %to: i64) attributes {passthrough = ["minsize"]} {
  %two = arith.constant 2.0 : f32
  pmk.store %two, %v[%from] : f32, !pmk.span<f32>
  return
}
// Not named by a launch, so no kernel.
// CHECK: func.func private @helper(
func.func private @helper(%v: !pmk.span<f32>, %from: i64, %to: i64) {
  %two = arith.constant 2.0 : f32
  pmk.store %two, %v[%from] : f32, !pmk.span<f32>
  return
}

// CHECK: module @pmc.device
module @pmc.device {
  // CHECK: func.func @kernel_map(
  func.func @kernel_map(%v: !pmk.span<f32>) {
    return
  }
  // CHECK-NOT: @kernel_map_1
  func.func @kernel_map_1(%v: !pmk.span<f32>) {
    return
  }
}
