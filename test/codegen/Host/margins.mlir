// RUN: pm-opt %s --pm-lower | FileCheck %s
// How far ranks read beyond their parts: each width of each side and dim with its own numbers.

// CHECK-LABEL: func.func private @pmc.entry(
// CHECK-SAME: %[[C:.*]]: !llvm.ptr)
// CHECK: %[[BELOW:.*]] = llvm.alloca
// CHECK-DAG: %[[X:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[A:.*]] = arith.constant 11 : i64
// CHECK-DAG: %[[N:.*]] = arith.constant 2 : i64
// CHECK-DAG: %[[M:.*]] = arith.constant 5 : i64
// CHECK: %[[R:.*]] = llvm.call @pmrt_margin(%[[C]], %[[X]], %[[N]], %[[M]], %[[A]])
// CHECK: %[[W:.*]] = llvm.getelementptr %[[BELOW]][0]
// CHECK: llvm.store %[[R]], %[[W]]
// CHECK-DAG: %[[X:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[A:.*]] = arith.constant 12 : i64
// CHECK-DAG: %[[N:.*]] = arith.constant 3 : i64
// CHECK-DAG: %[[M:.*]] = arith.constant 6 : i64
// CHECK: %[[R:.*]] = llvm.call @pmrt_margin(%[[C]], %[[X]], %[[N]], %[[M]], %[[A]])
// CHECK: %[[W:.*]] = llvm.getelementptr %[[BELOW]][1]
// CHECK: llvm.store %[[R]], %[[W]]
// CHECK: %[[ABOVE:.*]] = llvm.getelementptr %[[BELOW]][12]
// CHECK-DAG: %[[X:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[A:.*]] = arith.constant 13 : i64
// CHECK-DAG: %[[N:.*]] = arith.constant 2 : i64
// CHECK-DAG: %[[M:.*]] = arith.constant 7 : i64
// CHECK: %[[R:.*]] = llvm.call @pmrt_margin(%[[C]], %[[X]], %[[N]], %[[M]], %[[A]])
// CHECK: %[[W:.*]] = llvm.getelementptr %[[ABOVE]][0]
// CHECK: llvm.store %[[R]], %[[W]]
// CHECK-DAG: %[[X:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[A:.*]] = arith.constant 14 : i64
// CHECK-DAG: %[[N:.*]] = arith.constant 3 : i64
// CHECK-DAG: %[[M:.*]] = arith.constant 8 : i64
// CHECK: %[[R:.*]] = llvm.call @pmrt_margin(%[[C]], %[[X]], %[[N]], %[[M]], %[[A]])
// CHECK: %[[W:.*]] = llvm.getelementptr %[[ABOVE]][1]
// CHECK: llvm.store %[[R]], %[[W]]
pm.mesh @ranks axes = ["row", "col"] extents = [2, 2]
pm.plan [] starts [] ends []
func.func @main() {
  %m = pm.margin [x=64 on(row), y=48 on(col)] below [11, 12] above [13, 14] of [2, 3] below [5, 6] above [7, 8]
  return
}
