// RUN: %pmc --emit=pm %s | FileCheck %s
// Reductions over the halved dim: two modes of most elements, or the body at the opposite mode as well.
dim x = 8, y = 6
dim t = 3
let u = fft(white_noise[x, y](1))
let v = fft(white_noise[t, x, y](1), over = (x, y))

// The same at both: counted twice, but on the planes 0 and 3.
// CHECK: pm.reduce sum [kx=dual(8), ky=half(6)]
// CHECK: %[[K:.*]] = pm.coordinate "ky"
// CHECK: %[[ZERO:.*]] = arith.cmpf oeq, %[[K]]
// CHECK: %[[LAST:.*]] = arith.cmpf oeq, %[[K]]
// CHECK: %[[OWN:.*]] = arith.ori %[[ZERO]], %[[LAST]]
// CHECK: %[[PAIRS:.*]] = arith.select %[[OWN]], %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: arith.mulf %{{.*}}, %[[PAIRS]]
// CHECK: scalars f64
print "{}", sum(map k in u => norm2(u) * index(k, x)^2 * cos(k[y] * spacing(y)))

// Odd but for the mode -4 of kx: the other sign, in f64.
// CHECK: pm.reduce sum [kx=dual(8), ky=half(6)]
// CHECK: arith.cmpf oeq, %{{.*}}, %{{.*}}
// CHECK: arith.subf
// CHECK: arith.select
// CHECK: arith.extf
// CHECK: arith.addf %{{.*}}, %{{.*}} : f64
// CHECK: scalars f64
print "{}", sum(map k in u => index(k, x) * norm2(u))

// Neither: what is stored stays a field, and its values at the opposite modes are another one.
// CHECK: %[[W:.*]] = pm.map [kx=dual(8), ky=half(6)]
// CHECK: %[[M:.*]] = pm.map [kx=dual(8), ky=half(6)]
// CHECK: pm.reduce max [kx=dual(8), ky=half(6)] ins(%[[W]], %[[M]]
// CHECK: arith.maximumf
print "{}", max(map k in u => exp(imag(u)))

// Other bins at the opposite mode: a second loop, whose planes 0 and 3 are in no bin.
// CHECK: %[[A:.*]] = pm.bins [kx=dual(8), ky=half(6)]
// CHECK: %[[B:.*]] = pm.bins [kx=dual(8), ky=half(6)]
// CHECK: arith.constant -1 : i64
// CHECK: pm.map [{{.*}}] ins(%[[A]], %[[B]]
output p = bins k in u into 8 by index(k, x) + 4 => norm2(u)

// The half dim stays: nothing is counted.
// CHECK: pm.reduce sum [t=3, kx=dual(8), ky=half(6)]
// CHECK-NOT: pm.coordinate
// CHECK: -> !pm.field<[kx=dual(8), ky=half(6)], f32>
output q = sum(norm2(v), over = t)
