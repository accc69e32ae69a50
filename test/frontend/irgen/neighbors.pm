// RUN: %pmc --emit=pm %s | FileCheck %s
// Neighbors are shifted fields; a map has those it reads made before it.
dim x = 8, y = 4 over 1
let f = white_noise[x, y](1)
let line = white_noise[y](2)
// CHECK: %[[F:.*]] = pm.white_noise {{.*}} -> !pm.field<[x=8, y=4], f32>
// CHECK: %[[LINE:.*]] = pm.white_noise {{.*}} -> !pm.field<[y=4], f32>

// The other way: shift moves what there is.
// CHECK: pm.shift %[[F]][1, -2 clamp] : !pm.field<[x=8, y=4], f32>
// CHECK: pm.shift %[[F]][-1 zero, 3 zero] : !pm.field<[x=8, y=4], f32>
output a = f[x + 1, 2 * 3 - 8 + y, edge = ("periodic", "clamp")]
output b = shift(f, x = 1, y = -3, edge = "zero")

// CHECK: %[[UP:.*]] = pm.shift %[[F]][1, 0] :
// CHECK: %[[DOWN:.*]] = pm.shift %[[F]][-1, 0] :
// CHECK: %[[BESIDE:.*]] = pm.shift %[[LINE]][1 reflect] : !pm.field<[y=4], f32>
// CHECK: pm.map [x=8, y=4] ins(%[[UP]], %[[DOWN]], %[[BESIDE]] :
fn slope(g, d) = g[d + 1] - g[d - 1]
output c = map q in f => slope(f, x) * line[y + 1, edge = "reflect"]

// Of every component, and of what it is of: a complex field, bools.
// CHECK-COUNT-2: pm.shift %{{.*}}[0, 1] : !pm.field<[x=8, y=4], f32>
let (u, v) = (f, 2 f)[y + 1]
output w = u + v
// CHECK: pm.shift %{{.*}}[0, 1] : !pm.field<[x=8, y=4], complex<f32>>
output z = imag((f + 1i * f)[y + 1])
// CHECK: pm.shift %{{.*}}[0, 1] : !pm.field<[x=8, y=4], i1>
let above = f > 0
output s = map q in f => if above[y + 1] then 1 else 0
