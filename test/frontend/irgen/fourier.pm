// RUN: %pmc --emit=pm %s | FileCheck %s
// Transforms, wave numbers, batch dims, refined dims.
param box: length = 100 Mpc/h
dim x = 8, y = 8, z = 8 over box
dim t = 3

// CHECK: %[[L:.*]] = pm.length "x"
// CHECK-NEXT: %[[TURN:.*]] = arith.constant 6.28318{{.*}} : f64
// CHECK-NEXT: %[[STEP:.*]] = arith.divf %[[TURN]], %[[L]]
// CHECK: %[[W:.*]] = pm.white_noise
// CHECK: %[[K:.*]] = pm.fft %[[W]] over ["x", "y", "z"]
// CHECK-SAME: -> !pm.field<[kx=dual(8), ky=dual(8), kz=half(8)], complex<f32>>
let w = white_noise[x, y, z](1)
let wk = fft(w)
// CHECK: pm.map [kx=dual(8), ky=dual(8), kz=half(8)]
// CHECK: %[[M:.*]] = pm.coordinate "kx"
// CHECK-NEXT: arith.mulf %[[M]], %[[STEP]]
// CHECK: pm.ifft %{{.*}} over ["x", "y", "z"]
// CHECK-SAME: -> !pm.field<[x=8, y=8, z=8], f32>
let g = ifft(map k in wk => 1i * k[x] * wk)
output g

// CHECK: pm.fft %{{.*}} over ["y", "z"]
// CHECK-SAME: -> !pm.field<[t=3, ky=dual(8), kz=half(8)], complex<f32>>
let batch = fft(white_noise[t, y, z](1), over = (y, z))
output batch

// A vector of fields.
// CHECK: pm.ifft
// CHECK: pm.ifft
let two = ifft((wk, 2 wk))
output two

// CHECK: pm.white_noise {{.*}} -> !pm.field<[x*2=16], f32>
// CHECK: pm.fft %{{.*}} over ["x*2"]
// CHECK: pm.coordinate "kx*2"
let r = fft(white_noise[refine(x, 2)](1))
let e = map k in r => norm2(k) + k[x] * k[refine(x, 2)]
output e
print "{}", cells(refine(x, 2))
// CHECK: arith.constant 1.600000e+01 : f64

// Refined and coarsened dims have the factor of both.
// CHECK: pm.white_noise {{.*}} -> !pm.field<[x*2=16], f32>
output finer = white_noise[refine(coarsen(x, 2), 4)](2)
// CHECK: pm.white_noise {{.*}} -> !pm.field<[x/2=4], f32>
output coarser = white_noise[refine(coarsen(x, 4), 2)](3)
// CHECK: pm.white_noise {{.*}} -> !pm.field<[x=8], f32>
output same = white_noise[coarsen(refine(x, 2), 2)](4)
