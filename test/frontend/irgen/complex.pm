// RUN: %pmc --emit=pm %s | FileCheck %s
// Complex numbers are two parts; those that are zero cost nothing.
dim x = 8, y = 8
let w = fft(white_noise[x, y](1))

// CHECK: ^bb0(%[[E:.*]]: complex<f32>):
// CHECK-NEXT: %[[RE:.*]] = complex.re %[[E]]
// CHECK-NEXT: %[[IM:.*]] = complex.im %[[E]]
// CHECK: %[[N:.*]] = arith.negf %[[RE]]
// CHECK-NEXT: %[[R:.*]] = complex.create %[[IM]], %[[N]]
// CHECK-NEXT: pm.yield %[[R]]
let turned = -1i * w
output turned

// CHECK: ^bb0(%[[E:.*]]: complex<f32>):
// CHECK-COUNT-2: arith.mulf
// CHECK-NOT: arith.mulf
// CHECK: complex.create
let scaled = map k in w => 2 w
output scaled

// |w|^2 is real.
// CHECK: -> !pm.field<[kx=dual(8), ky=half(8)], f32>
let power = norm2(w)
output power

// CHECK: ^bb0(%[[A:.*]]: complex<f32>):
// CHECK: math.cos
// CHECK: math.sin
let shifted = map k in w => exp(1i * k[x] * 0.5) * w
output shifted

// A quotient is a product with the conjugate.
// CHECK-NOT: complex.div
// CHECK-COUNT-2: arith.divf {{.*}} : f32
let quotient = w / (w + 1)
output quotient

// CHECK: pm.reduce sum
// CHECK: scalars f64, f64
let total_w = sum(w)
print "{} {} {} {}", real(total_w), imag(total_w), abs(total_w), arg(total_w)
// CHECK: math.sqrt
// CHECK: math.atan2

// CHECK: arith.cmpf oeq
// CHECK: arith.cmpf oeq
// CHECK: arith.andi
let same = w == conj(w)
output same
