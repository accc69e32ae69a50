// RUN: %pmc --emit=pm %s | FileCheck %s
// Paint and readout, on lattices and at free positions.
param box: length = 100 Mpc/h
param heavy = 2.0
dim x = 8, y = 8 over box
dim i = 5
let one = constant[x, y](1 Mpc/h)
let w = white_noise[x, y](1)
let at = (constant[i](1 Mpc/h), constant[i](2 Mpc/h))

// CHECK: pm.paint cic %[[D:.*]], %[[D]] : !pm.field<[x=8, y=8], f32>, !pm.field<[x=8, y=8], f32> -> !pm.field<[x=8, y=8], f32>
let a = paint((one, one))
// CHECK: pm.paint tsc {{.*}} -> !pm.field<[x*2=16, y*3=24], f32>
let b = paint[refine(x, 2), refine(y, 3)]((one, one), window = "tsc")
// CHECK: pm.paint ngp {{.*}} weight
let c = paint[x, y]((one, one), weight = w, window = "ngp")
// A number as weight is a factor.
// CHECK: %[[P:.*]] = pm.paint cic
// CHECK: pm.map [x=8, y=8] ins(%[[P]]
let d = paint[x, y]((one, one), weight = heavy)
// CHECK: pm.readout cic %[[W:.*]] at
// CHECK-SAME: -> !pm.field<[x=8, y=8], f32>
let e = readout(w, (one, one))
// Several meshes are read together.
// CHECK: pm.readout pcs %{{.*}}, %{{.*}} at
// CHECK-SAME: -> !pm.field<[x=8, y=8], f32>, !pm.field<[x=8, y=8], f32>
let f = readout((b, 2 b), (one, one), "pcs")
// CHECK: pm.paint cic free
// CHECK-SAME: -> !pm.field<[x=8, y=8], f32>
let g = paint_at[x, y](at)
// CHECK: pm.readout cic free
// CHECK-SAME: -> !pm.field<[i=5], f32>
let h = readout_at(g, at)
output a
output b
output c
output d
output e
output f
output g
output h
