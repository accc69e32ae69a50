// RUN: %pmc --emit=pm %s | FileCheck %s
// RUN: %pmc --emit=pm --precision=f64 %s | FileCheck %s --check-prefix=WIDE
// Fields are widened where they are named, and rounded where the block ends. A variable may be called 'precise'.
dim x = 8 over 1
let f = white_noise[x](1)
let g = precise { f + 1 }
output g
// CHECK: pm.map [x=8] ins(%{{.*}} : !pm.field<[x=8], f32>)
// CHECK: arith.extf %{{.*}} {pm.precise} : f32 to f64
// CHECK: pm.yield %{{.*}} : f64
// CHECK: pm.reduce{{ +}}max
// CHECK: pm.assert %{{.*}}, "precise: the largest element of a field of the result, {} in working units, is 0 or infinite in f32
// CHECK: arith.truncf %{{.*}} {pm.precise} : f64 to f32
// CHECK: pm.output "g"(%{{.*}} : !pm.field<[x=8], f32>)
// WIDE-NOT: pm.precise
// WIDE-NOT: pm.assert
