// RUN: %pmc --emit=pm %s | FileCheck %s
// A history has a cell for each step, wherever these begin.
use optim
optimize a from 0.0 minimizing a^2 with gradient_descent(0.1) for i in 0 .. 5 history ha
optimize b from 0.0 minimizing b^2 with gradient_descent(0.1) for i in 3 .. 10 history hb
optimize c from 0.0 minimizing c^2 with gradient_descent(0.1) for i in -2 .. 9 history hc
optimize d from 0.0 minimizing d^2 with gradient_descent(0.1) for 13 iterations history hd
optimize e from 0.0 minimizing e^2 with gradient_descent(0.1) for i in 3 .. 10 history he[17]
// CHECK: pm.output "five"(%{{.*}} : !pm.field<{{\[}}{{[^=]*}}=5], f64>)
output five = ha
// CHECK: pm.output "seven"(%{{.*}} : !pm.field<{{\[}}{{[^=]*}}=7], f64>)
output seven = hb
// CHECK: pm.output "eleven"(%{{.*}} : !pm.field<{{\[}}{{[^=]*}}=11], f64>)
output eleven = hc
// CHECK: pm.output "thirteen"(%{{.*}} : !pm.field<{{\[}}{{[^=]*}}=13], f64>)
output thirteen = hd
// CHECK: pm.output "seventeen"(%{{.*}} : !pm.field<{{\[}}{{[^=]*}}=17], f64>)
output seventeen = he
