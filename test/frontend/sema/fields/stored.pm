// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// What is stored, and as what.
dim x = 8, y = 8
let f = white_noise[x, y](1)
// CHECK: :[[#@LINE+1]]:19: error: 'stored' requires "bf16" (8 bits of mantissa, the range of f32) or "f16" (11 bits, up to 65504)
let a = stored(f, "f32")
// CHECK: :[[#@LINE+1]]:16: error: 'stored' requires a field of real numbers, not complex field[kx, ky]
let b = stored(fft(f), "bf16")
// CHECK: :[[#@LINE+1]]:16: error: 'stored' requires a field of real numbers, not f64
let c = stored(3.0, "bf16")
// CHECK: :[[#@LINE+1]]:18: error: 'stored' requires a field of real numbers, not bool field[x, y]
let d = stored(f > 0, "bf16")
// CHECK: :[[#@LINE+1]]:28: error: 'stored' works on whole fields and cannot be inside of a map
let e = map q in [x, y] => stored(f, "f16")
