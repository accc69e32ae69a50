// RUN: %pmc --emit=pm %s | FileCheck %s
// Sums and their kin, slices, bins.
param upto: int = 3
param box: length = 100 Mpc/h
dim x = 8, y = 8, z = 4 over box
let w = white_noise[x, y, z](1)

// CHECK: %[[S:.*]] = pm.reduce sum [x=8, y=8, z=4]
// CHECK: scalars f64
// CHECK: %[[N:.*]] = arith.constant 2.560000e+02 : f64
// CHECK: arith.divf {{.*}}, %[[N]]
// CHECK: pm.reduce min
// CHECK: pm.reduce max
print "{} {} {} {}", sum(w), mean(w), min(w), max(w)

// CHECK: pm.reduce sum [x=8, y=8, z=4]
// CHECK: -> !pm.field<[y=8], f32>
let a = sum(w, over = (x, z))
output a
// The mean counts all modes.
// CHECK: arith.constant 2.560000e+02 : f64
print "{}", real(mean(fft(w)))

// CHECK: pm.assert %{{.*}}, "the slice 1 .. {:d} is empty or leaves the 4 cells of 'z'"(%{{.*}}) {failure}
// CHECK: pm.reduce sum [x=8, y=8, z=4]
// CHECK: pm.coordinate "z"
// CHECK: arith.cmpf oge
// CHECK: arith.cmpf olt
// CHECK: arith.select
// CHECK: -> !pm.field<[x=8, y=8], f32>
// CHECK: arith.divf
output b = slice(w, z = 1 .. upto)
// What it takes has been checked before.
// CHECK-NOT: pm.assert

// CHECK: %[[P:.*]]:2 = pm.bins [kx=dual(8), ky=dual(8), kz=half(4)]
// CHECK: math.floor
// CHECK-NOT: math.floor
// CHECK: %[[B:.*]] = arith.fptosi
// CHECK: pm.yield %[[B]], %{{.*}}, %{{.*}} : i64, f64, f32
// CHECK-NEXT: -> !pm.field<[bin=4], f64>, !pm.field<[bin=4], f64>
let wk = fft(w)
let (n, p) = bins k in wk into 4 by sqrt(index(k, x)^2 + index(k, y)^2) => (1, norm2(wk))
// What is made of f64 fields stays f64.
// CHECK: pm.map [bin=4] ins(%[[P]]#1,
// CHECK: -> !pm.field<[bin=4], f64>
output ratio = p / max(n, 1)
// Other numbers of bins are other dims.
// CHECK: -> !pm.field<[bin6=6], f64>
output one = bins q in w into 6 by index(q, x) => w

// Vectors are reduced one by one.
// CHECK: pm.reduce sum
// CHECK: pm.reduce sum
let v = sum((w, 2 w))
print "{} {}", v[0], v[1]
print "{} {}", dot((1, 2), (3, 4)), total((1, 2, 3)) + norm2((1, 2))
// CHECK: arith.constant 1.100000e+01
// CHECK: arith.constant 1.100000e+01
