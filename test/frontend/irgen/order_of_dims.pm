// RUN: %pmc --emit=pm %s | FileCheck %s
// Of fields over the same dims in different orders, the first one gives the order of the result.
dim x = 4, y = 6
let f = white_noise[x, y](1)
let g = map q in [y, x] => 1.0 * index(q, y)
// CHECK: pm.output "a"(%{{.*}} : !pm.field<[x=4, y=6], f32>)
output a = f + g
// CHECK: pm.output "b"(%{{.*}} : !pm.field<[y=6, x=4], f32>)
output b = g - f
