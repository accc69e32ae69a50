// RUN: pm-opt %s | pm-opt | FileCheck %s
// RUN: pm-opt %s -mlir-print-op-generic | pm-opt | FileCheck %s

!F = !pm.field<[x=8, y=8], f32>

// CHECK-LABEL: func.func @f
func.func @f(%a: !F, %s: f64, %n: i64) -> (f64, i64) {
  return %s, %n : f64, i64
}

// CHECK-LABEL: func.func @derivatives
func.func @derivatives(%a: !F, %s: f64, %n: i64) -> !F {
  // CHECK: pm.jvp @f(%{{.*}}, %{{.*}}, %{{.*}}) wrt [0, 1] along(%{{.*}}, %{{.*}}) : (!pm.field<[x=8, y=8], f32>, f64, i64), (!pm.field<[x=8, y=8], f32>, f64) -> (f64, i64, f64)
  %0:3 = pm.jvp @f(%a, %s, %n) wrt [0, 1] along (%a, %s) : (!F, f64, i64), (!F, f64) -> (f64, i64, f64)
  // CHECK: pm.vjp @f(%{{.*}}, %{{.*}}, %{{.*}}) wrt [0] of [0](%{{.*}}) schedule keep : (!pm.field<[x=8, y=8], f32>, f64, i64), (f64) -> (f64, i64, !pm.field<[x=8, y=8], f32>)
  %1:3 = pm.vjp @f(%a, %s, %n) wrt [0] of [0] (%s) schedule keep : (!F, f64, i64), (f64) -> (f64, i64, !F)
  // CHECK: schedule revolve 4 :
  %2:3 = pm.vjp @f(%a, %s, %n) wrt [0] of [0] (%s) schedule revolve 4 : (!F, f64, i64), (f64) -> (f64, i64, !F)
  return %2#2 : !F
}

// CHECK-LABEL: func.func @stores
func.func @stores(%a: !F, %s: f64, %n: i64) -> (!F, f64) {
  // CHECK: %[[TAPE:.*]] = pm.checkpoint_store %{{.*}} of [!pm.field<[x=8, y=8], f32>, f64]
  %store = pm.checkpoint_store %n of [!F, f64]
  // CHECK: pm.save %[[TAPE]] at %{{.*}}(%{{.*}}, %{{.*}} : !pm.field<[x=8, y=8], f32>, f64)
  pm.save %store at %n (%a, %s : !F, f64)
  // CHECK: pm.restore %[[TAPE]] at %{{.*}} -> !pm.field<[x=8, y=8], f32>, f64
  %b, %t = pm.restore %store at %n -> !F, f64
  // CHECK: pm.checkpoint_store_free %[[TAPE]]
  pm.checkpoint_store_free %store
  return %b, %t : !F, f64
}

// CHECK-LABEL: func.func @windows
func.func @windows(%a: !F) -> (!F, !F) {
  // CHECK: pm.readout cic %{{.*}}, %{{.*}} at %{{.*}}, %{{.*}} {orders = array<i64: 0, 0, 1, 0>}
  %0:2 = pm.readout cic %a, %a at %a, %a {orders = array<i64: 0, 0, 1, 0>} : !F, !F at !F, !F -> !F, !F
  // CHECK: pm.paint cic %{{.*}}, %{{.*}} {orders = array<i64: 0, 1>}
  %1 = pm.paint cic %a, %a {orders = array<i64: 0, 1>} : !F, !F -> !F
  return %0#1, %1 : !F, !F
}
