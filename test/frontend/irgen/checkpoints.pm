// RUN: %pmc --emit=pm %s | FileCheck %s
// Every loop with checkpoints has states of its own, also of one function that is called twice.
dim x = 8 over 10 Mpc/h
let w = white_noise[x](1)
fn halve(u, every: int = 0) = loop t = u for j in 2 .. 5 checkpoint every every => 0.5 * t
// CHECK-LABEL: func.func private @halve(
// CHECK: %[[NEWEST:.*]] = pm.checkpoint_store {{.*}} {checkpoint = "t", newest}
// CHECK: %[[DONE:.*]] = pm.restore %[[NEWEST]]
// CHECK: %[[FILE:.*]] = pm.checkpoint_store {{.*}} {checkpoint = "t", every = 2 : i64}
// CHECK: scf.if
// CHECK: pm.restore %[[FILE]]
// CHECK: scf.for
// CHECK: pm.save %[[FILE]]
let a = halve(w, every = 2)
// CHECK-LABEL: func.func private @halve_{{[0-9]+}}(
// CHECK: checkpoint = "t.2"
let b = halve(w, every = 2)
// CHECK-LABEL: func.func private @halve_{{[0-9]+}}(
// CHECK-NOT: checkpoint
let c = halve(w)
// CHECK-LABEL: func.func @main
output sum_abc = sum(a + b + c)
