// Each interface, asked by a pass that knows no op.
// RUN: pm-test-opt %s --test-pm-tangent -canonicalize | FileCheck %s --check-prefix=TANGENT
// RUN: pm-test-opt %s --test-pm-adjoint -canonicalize | FileCheck %s --check-prefix=ADJOINT
// RUN: pm-test-opt %s --pm-shard | FileCheck %s --check-prefix=LOCAL
// RUN: pm-test-opt %s --test-pm-buffers | FileCheck %s --check-prefix=BUFFERS
// RUN: pm-test-opt %s --test-pm-buffers --test-pm-lower | FileCheck %s --check-prefix=LOWER
// RUN: pm-test-opt %s --test-pm-cost 2>&1 | FileCheck %s --check-prefix=COST
// RUN: pm-test-opt %s --test-pm-domain 2>&1 | FileCheck %s --check-prefix=DOMAIN

!f = !pm.field<[x=8, y=4], f32>

pm.mesh @ranks axes = ["row"] extents = [2]
pm.layout "x" -> ["row"]

// f(a) = 3 a and 2 (3 a).
// TANGENT-LABEL: func.func @f(
// TANGENT-LABEL: func.func @f_tangent(
// TANGENT-SAME:    %{{.*}}: !pm.field<[x=8, y=4], f32>, %[[DA:.*]]: !pm.field<[x=8, y=4], f32>) -> (
// TANGENT:         %[[DB:.*]] = pmtest.linear [x=8, y=4] ins(%[[DA]] :
// TANGENT:           arith.mulf
// TANGENT:         %[[DC:.*]] = pmtest.linear [x=8, y=4] ins(%[[DB]] :
// TANGENT:         return %[[DB]], %[[DC]]

// ADJOINT-LABEL: func.func @f(
// ADJOINT-LABEL: func.func @f_adjoint(
// ADJOINT-SAME:    %{{.*}}: !pm.field<[x=8, y=4], f32>, %[[BBAR:.*]]: !pm.field<[x=8, y=4], f32>, %[[CBAR:.*]]: !pm.field<[x=8, y=4], f32>) -> !pm.field
// ADJOINT:         %[[FROMC:.*]] = pmtest.linear [x=8, y=4] ins(%[[CBAR]] :
// ADJOINT:         %[[SUM:.*]] = pm.map [x=8, y=4] ins(%[[BBAR]], %[[FROMC]] :
// ADJOINT:           arith.addf
// ADJOINT:         %[[ABAR:.*]] = pmtest.linear [x=8, y=4] ins(%[[SUM]] :
// ADJOINT:         return %[[ABAR]]

// LOCAL-LABEL: func.func @f(
// LOCAL-SAME:    %[[A:.*]]: !pm.field<[x=8 on(row), y=4], f32>)
// LOCAL:         %[[B:.*]] = pmtest.linear [x=8 on(row), y=4] ins(%[[A]] : !pm.field<[x=8 on(row), y=4], f32>)
// LOCAL:         %[[C:.*]] = pmtest.linear [x=8 on(row), y=4] ins(%[[B]] : !pm.field<[x=8 on(row), y=4], f32>)
// LOCAL:         return %[[B]], %[[C]] : !pm.field<[x=8 on(row), y=4], f32>, !pm.field<[x=8 on(row), y=4], f32>

// The first result lives on, the argument does not.
// BUFFERS-LABEL: func.func @f(
// BUFFERS-DAG:     %[[IN:.*]] = pm.alloc 0 : !pm.buffer<[x=8, y=4], f32>
// BUFFERS-DAG:     %[[OVER:.*]] = pm.alloc 0 :
// BUFFERS:         pmtest.linear [x=8, y=4] ins(%[[IN]] : {{.*}}) outs(%[[OVER]] : {{.*}}) {
// BUFFERS:         %[[B:.*]] = pm.alloc 0 :
// BUFFERS:         %[[C:.*]] = pm.alloc 1 :
// BUFFERS:         pmtest.linear [x=8, y=4] ins(%[[B]] : {{.*}}) outs(%[[C]] : {{.*}}) {
// BUFFERS:         return

// LOWER:         func.func private @linear_f32(!pm.buffer<[x=8, y=4], f32>, !pm.buffer<[x=8, y=4], f32>)
// LOWER-LABEL:   func.func @f(
// LOWER-COUNT-2:   call @linear_f32(
// LOWER-NOT:       pmtest.linear

// COST-COUNT-2: remark: reads 128 bytes, writes 128, computes 32

// DOMAIN-COUNT-2: remark: runs over [x=8, y=4] with 1 inputs
func.func @f(%a: !f) -> (!f, !f) {
  %three = arith.constant 3.0 : f32
  %b = pmtest.linear [x=8, y=4] ins(%a : !f) {
  ^bb0(%e: f32):
    %p = arith.mulf %three, %e : f32
    pm.yield %p : f32
  } -> !f
  %c = pmtest.linear [x=8, y=4] ins(%b : !f) {
  ^bb0(%e: f32):
    %p = arith.addf %e, %e : f32
    pm.yield %p : f32
  } -> !f
  return %b, %c : !f, !f
}
