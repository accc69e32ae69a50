// RUN: %pmc --emit=pm -g %s | FileCheck %s
// Every op has its place; an expanded one has the place of the call, too.
param a = 1.0
fn plus(u) = u + a
fn doubled(u) = 2 u
dim x = 8
print "{}", plus(a)
output f = map q in [x] => doubled(q[x])
// CHECK: arith.addf {{.*}} loc(#[[ADD:loc[0-9]*]])
// CHECK: call @plus{{.*}} loc(#[[CALL:loc[0-9]*]])
// CHECK: arith.mulf {{.*}} loc(#[[MUL:loc[0-9]*]])
// CHECK-DAG: #[[ADD]] = loc("{{.*}}locations.pm":4:16)
// CHECK-DAG: #[[CALL]] = loc("{{.*}}locations.pm":7:13)
// CHECK-DAG: #[[INNER:loc[0-9]*]] = loc("{{.*}}locations.pm":5:19)
// CHECK-DAG: #[[OUTER:loc[0-9]*]] = loc("{{.*}}locations.pm":8:28)
// CHECK: #[[MUL]] = loc(callsite(#[[INNER]] at #[[OUTER]]))
