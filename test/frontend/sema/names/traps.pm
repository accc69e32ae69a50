// RUN: %pmc check %s 2>&1 | FileCheck %s
// Warnings for forms that mean something else than they look like.
dim x = 16 over 1
dim a = 8, b = 5
param D = 2.0
// CHECK: :[[#@LINE+1]]:10: warning: 3/7 D divides by the product; write 3/7 * D, or 3/(7 * D)
let c = 3/7 D
// CHECK: :[[#@LINE+1]]:11: warning: 1/2 (D + 1) divides by the product; write 1/2 * (D + 1), or 1/(2 * (D + 1))
let d = 1 / 2 (D + 1)
// No warning: the product is in parentheses, or what is divided is not a number.
let e = 1 / (2 D) + D / 2 D + 3/7 * D
let f = white_noise[x](1)
let (p, n) = bins q in f into 8 by 4 * f + 4 => (f, 1)
let w = white_noise[a](2)
// CHECK: :[[#@LINE+1]]:11: warning: the bins and 'a' have 8 cells each, and the result has both dims; bins into the dim 'a' are over it: bins q in f into a
let g = p * w
let h = p * white_noise[b](2)
let (p2, n2) = bins q in f into a by 4 * f + 4 => (f, 1)
let i = p2 * w
// CHECK-NOT: warning
