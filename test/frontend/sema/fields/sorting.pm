// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// What is sorted, along which dim, and in which order.
dim x = 8, y = 8
dim z = 4
let f = white_noise[x, y](1)
// CHECK: :[[#@LINE+1]]:9: error: 'sort' requires 'over', one of the dims [x, y] of the field
let a = sort(f)
// CHECK: :[[#@LINE+1]]:17: error: 'sort' works along one dim, not along 2
let b = sort(f, (x, y))
// CHECK: :[[#@LINE+1]]:17: error: the field has no dim 'z'; its dims are [x, y]
let c = sort(f, z)
// CHECK: :[[#@LINE+1]]:28: error: an order is "ascending" or "descending", not "down"
let d = sort(f, x, order = "down")
// CHECK: :[[#@LINE+1]]:19: error: 'argsort' requires a field of real numbers or ints, not complex field[x, y]
let e = argsort(f + 1i, x)
// CHECK: :[[#@LINE+1]]:17: error: 'ranks' requires a field of real numbers or ints, not bool field[x, y]
let g = ranks(f > 0, x)
// CHECK: :[[#@LINE+1]]:30: error: 'within' of 'ranks' requires a field of real numbers or ints, not f64
let h = ranks(f, x, within = 3.0)
// CHECK: :[[#@LINE+1]]:30: error: 'within' is a field over [x, y], not field[y]
let i = ranks(f, x, within = slice(f, x = 0))
// CHECK: :[[#@LINE+1]]:14: error: 'sort' works on fields over space dims, but 'ky' of field[x, ky] is a Fourier dim
let j = sort(norm2(fft(f + 0i, over = y)), x)
// CHECK: :[[#@LINE+1]]:28: error: 'sort' works on whole fields and cannot be inside of a map
let k = map q in [x, y] => sort(f, x)
