// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// A wrong length is told once, and not again where its unit would matter.
// CHECK: :[[#@LINE+1]]:23: error: the dims of one declaration have one length, each
dim x = 8, y = 8 over (3 Mpc/h, 4 Mpc/h)
let f = map q in [x, y] => exp(q[x] / (1 Mpc/h))
output f
// CHECK-NOT: error:
