// RUN: pm-opt %s --pm-lower --split-input-file | FileCheck %s

// Axes become bits, in the mesh's order; numbers travel in one message.

!F = !pm.buffer<[x=8 on(col), y=8], f64>
!G = !pm.buffer<[x=8, y=8 on(col)], f64>
!B = !pm.buffer<[b=16], f64>
!S = !pm.buffer<[b=16 on(row)], f64>
pm.mesh @ranks axes = ["data", "row", "col"] extents = [1, 2, 2]
pm.plan [!F, !G, !G, !B, !S] starts [0, 0, 0, 0, 0] ends [9, 9, 9, 9, 9]
func.func @main() {
  %f = pm.alloc 0 : !F
  %g = pm.alloc 1 : !G
  %other = pm.alloc 2 : !G
  %b = pm.alloc 3 : !B
  %s = pm.alloc 4 : !S
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  // What a pm.reduce gives.
  %p1 = builtin.unrealized_conversion_cast %one : f64 to !pm.partial<f64, max over [row, col]>
  %p2 = builtin.unrealized_conversion_cast %two : f64 to !pm.partial<f64, max over [row, col]>
  %m:2 = pm.all_reduce max over ["row", "col"] (%p1, %p2) : f64, f64
  pm.print "{} {}"(%m#0, %m#1)
  pm.reshard %f outs(%g : !G) : !F
  %p = pm.reshard_start %f outs(%g : !G) : !F pending
  pm.reshard_wait %f, %g, %p outs(%g : !G) : !F, !G
  %q = pm.reshard_start %f outs(%g : !G) : !F pending
  pm.reshard_wait %f, %g, %q outs(%other : !G) : !F, !G
  pm.reduce_fields sum over ["row"](%b) outs(%s : !S) : !B
  pm.reduce_fields min over ["row"](%b, %b) outs(%b, %s : !B, !S) : !B, !B
  return
}
// CHECK-LABEL: func.func private @pmc.entry
// CHECK: %[[TWO:.*]] = llvm.alloca %{{.*}} x f64
// CHECK: %[[NUMBERS:.*]] = llvm.alloca %{{.*}} x f64
// CHECK: %[[AXES:.*]] = arith.constant 6 : i32
// CHECK: %[[MAX:.*]] = arith.constant 2 : i32
// CHECK: %[[COUNT:.*]] = arith.constant 2 : i64
// CHECK: llvm.call @pmrt_all_reduce(%arg0, %{{.*}}, %{{.*}}, %[[AXES]], %[[MAX]], %[[COUNT]], %[[NUMBERS]])
// CHECK: llvm.call @pmrt_print
// CHECK: llvm.call @pmrt_reshard(%arg0
// CHECK: %[[FIRST:.*]] = llvm.call @pmrt_reshard_start(%arg0
// CHECK: llvm.call @pmrt_wait(%arg0, %{{.*}}, %{{.*}}, %[[FIRST]])
// A field stays where it arrived, unless it has to be elsewhere.
// CHECK-NOT: pmrt_copy
// CHECK: %[[SECOND:.*]] = llvm.call @pmrt_reshard_start(%arg0
// CHECK: llvm.call @pmrt_wait(%arg0, %{{.*}}, %{{.*}}, %[[SECOND]])
// CHECK: llvm.call @pmrt_copy(%arg0
// CHECK: %[[ROW:.*]] = arith.constant 2 : i32
// CHECK: %[[SUM:.*]] = arith.constant 0 : i32
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: llvm.call @pmrt_reduce_fields(%arg0, %{{.*}}, %{{.*}}, %[[ROW]], %[[SUM]], %[[ONE]], %{{.*}}, %{{.*}})
// CHECK: %[[MIN:.*]] = arith.constant 1 : i32
// CHECK: %[[PAIR:.*]] = arith.constant 2 : i32
// CHECK: llvm.call @pmrt_reduce_fields(%arg0, %{{.*}}, %{{.*}}, %{{.*}}, %[[MIN]], %[[PAIR]], %{{.*}}, %{{.*}})

// -----

!B = !pm.buffer<[b=16], f64>
!S = !pm.buffer<[b=16 on(row)], f64>
pm.mesh @ranks axes = ["data", "row"] extents = [1, 2]
pm.plan [!B, !S, !B, !B] starts [0, 0, 0, 0] ends [9, 9, 9, 9]
func.func @main() {
  %b = pm.alloc 0 : !B
  %s = pm.alloc 1 : !S
  %c = pm.alloc 2 : !B
  %d = pm.alloc 3 : !B
  %p = pm.reduce_fields_start sum over ["row"](%b, %b) outs(%b, %s : !B, !S) : !B, !B pending
  pm.reduce_fields_wait %p(%b, %s) of (%b) outs(%b, %s : !B, !S) : !B, !S of !B
  %q = pm.reduce_fields_start sum over ["row"](%b, %c) outs(%b, %c : !B, !B) : !B, !B pending
  // The second takes the place of the first, which goes elsewhere before.
  pm.reduce_fields_wait %q(%c, %b) outs(%b, %d : !B, !B) : !B, !B
  return
}
// CHECK-LABEL: func.func private @pmc.entry
// CHECK: %[[P:.*]] = llvm.call @pmrt_reduce_fields_start(%arg0, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
// CHECK-NOT: pmrt_copy
// CHECK: llvm.call @pmrt_wait(%arg0, %{{.*}}, %{{.*}}, %[[P]])
// CHECK-NOT: pmrt_copy
// CHECK: %[[Q:.*]] = llvm.call @pmrt_reduce_fields_start(
// CHECK: llvm.call @pmrt_wait(%arg0, %{{.*}}, %{{.*}}, %[[Q]])
// CHECK: llvm.call @pmrt_copy(%arg0, %{{.*}}, %{{.*}}, %[[B:[0-9]+]], %[[D:[0-9]+]])
// CHECK: llvm.call @pmrt_copy(%arg0, %{{.*}}, %{{.*}}, %[[C:[0-9]+]], %[[B]])
