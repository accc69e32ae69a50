// RUN: %pmc --emit=pm %s | FileCheck %s
// Tables.
param top: length = 10 Mpc/h
input pk: table
dim x = 8 over top

// CHECK: %[[PK:.*]] = pm.input_value "pk" table !pm.table
// CHECK: %[[T:.*]] = pm.tabulate %{{.*}} to %{{.*}} points %{{.*}} {
// CHECK-NEXT: ^bb0(%[[X:.*]]: f64):
// CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-NEXT: pm.yield %[[Y]] : f64
let squares = tabulate(u => u * u, 0 Mpc/h, top, 100)
// CHECK: pm.lookup %[[T]] at
// CHECK: pm.lookup slope %[[T]] at
print "{} {}", number(interpolate(squares, top / 2), 1 (Mpc/h)^2), number(derivative(squares, top / 2), 1 Mpc/h)
// CHECK: pm.transform %[[PK]] {
// CHECK-NEXT: ^bb0(%[[A:.*]]: f64, %[[B:.*]]: f64):
// CHECK: pm.yield
let logs = transform(pk, (k, p) => (log(k), log(p)))
// A field of lookups, in f64, then rounded.
// CHECK: pm.map [x=8]
// CHECK: pm.lookup %[[T]] at
// CHECK: arith.truncf
let f = map q in [x] => interpolate(squares, q[x])
output f
// CHECK: pm.map [x=8]
// CHECK: arith.extf
// CHECK: pm.lookup
let g = interpolate(logs, white_noise[x](1))
output g
// CHECK: pm.tabulate
// CHECK: math.sin
let sines = tabulate(sin, 0, 1, 10)
print "{}", interpolate(sines, 0.5)
