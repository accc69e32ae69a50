// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Fourier transforms, reductions, slices, bins.
param n: int = 3
param t: bool = true
dim x = 8, y = 8, z = 8
let w = white_noise[x, y](1)
let wk = fft(w)
// CHECK: :[[#@LINE+1]]:13: error: 'fft' transforms space dims, but 'kx' of complex field[kx, ky] is a Fourier dim
let a = fft(wk)
// CHECK: :[[#@LINE+1]]:14: error: 'ifft' transforms Fourier dims, but 'x' of field[x, y] is a space dim
let b = ifft(w)
// CHECK: :[[#@LINE+1]]:23: error: the field has no dim 'z'; its dims are [x, y]
let c = fft(w, over = z)
// CHECK: :[[#@LINE+1]]:23: error: 'x' is twice in the list
let d = fft(w, over = (x, x))
// CHECK: :[[#@LINE+1]]:15: error: 'fft' requires numbers, not bool field[x, y]
let e = fft(w > 0)
// CHECK: :[[#@LINE+1]]:13: error: 'fft' requires a field, not int
let f = fft(3)
// CHECK: :[[#@LINE+1]]:24: error: the seed is an int, not f64
let g = white_noise[x](1.5)
// CHECK: :[[#@LINE+1]]:24: error: the seed is an int, not bool
let h = white_noise[x](t)
// CHECK: :[[#@LINE+1]]:21: error: 'constant' requires a number, not string
let i = constant[x]("a")
// CHECK: :[[#@LINE+1]]:13: error: 'sum' requires a field, not int
let j = sum(3)
// CHECK: :[[#@LINE+1]]:13: error: 'min' requires a second number, or a field
let k = min(3)
// CHECK: :[[#@LINE+1]]:13: error: 'max' of complex field[kx, ky] does not exist
let l = max(wk)
// CHECK: :[[#@LINE+1]]:23: error: the field has no dim 'z'; its dims are [x, y]
let m = sum(w, over = z)
// CHECK: :[[#@LINE+1]]:26: error: 'min' of two numbers has no 'over'
let o = min(w, 3, over = x)
// CHECK: :[[#@LINE+1]]:18: error: field[x, y] has no dim 'q'
let p = slice(w, q = 3)
// CHECK: :[[#@LINE+1]]:24: error: the slice 3 .. 2 is empty or leaves the 8 cells of 'x'
let q = slice(w, x = 3 .. 2)
// CHECK: :[[#@LINE+1]]:24: error: the slice 0 .. 20 is empty or leaves the 8 cells of 'x'
let r = slice(w, x = 0 .. 20)
// CHECK: :[[#@LINE+1]]:9: error: write slice(f, z = a .. b)
let s = slice(w, x)
// A field over a dim and its dual has what a transform cannot give: the same dim twice.
input pairs: complex field[x, dual(x)]
// CHECK: :[[#@LINE+1]]:14: error: 'ifft' of complex field[x, kx]: the result would have the dim 'x' twice
let u = ifft(pairs)
