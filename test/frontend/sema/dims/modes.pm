// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Dims of modes by name, `each`, and the bound of a loop.
dim c = 3
dim x = 8, y = 6 over 1
let f = white_noise[c, x](1)
input d: complex field[c, dual(x), half(y)]
// CHECK: :[[#@LINE+1]]:10: error: field[kx, ky] has two halved dims
input e: complex field[half(x), half(y)]
// CHECK: :[[#@LINE+1]]:14: error: field[c, x] has no dim 'y'
let g = each y in f => f
// CHECK: :[[#@LINE+1]]:45: error: the bounds of a loop are ints, not f64
let i = loop u = f while max(u) > 1 at most 2.5 => u
// CHECK: :[[#@LINE+1]]:23: error: 'dual' names a dim of modes in the type of a field, in map k in [dual(x), y], and in zeros[dual(x)]
let k = fft(f, over = dual(x))
// CHECK: :[[#@LINE+1]]:9: error: the dim 'kx' is twice in field[kx, kx]
let l = zeros[dual(x), half(x)]
// CHECK: :[[#@LINE+1]]:24: error: 'dual' names a dim of modes
let m = map q in [dual(dual(x))] => 1
// CHECK: :[[#@LINE+1]]:9: error: field[kx, ky] has two halved dims
let n = map q in [half(x), half(y)] => 1
fn of(d: complex field[dual(x), half(y)]) = d
// It binds any dims.
let o = of(fft(white_noise[y, x](2)))
// CHECK: :[[#@LINE+1]]:33: error: 'd' of 'of' must be complex field[dual(x), half(y)], not complex field[x, y]; here its dims are [kx, ky]
let p = of(white_noise[x, y](1) + 0i)
// CHECK: :[[#@LINE+1]]:12: error: 'd' of 'of' must be complex field[dual(x), half(y)], not complex field[kx, ky]; here its dims are [dual(x), half(y)], those of the argument [dual(x), dual(y)]
let r = of(fft(white_noise[x, y](1) + 0i))
// CHECK: :[[#@LINE+1]]:33: error: what the loop begins with and what its body gives differ: int and field[x]
let s = each c in f => loop u = 1 for i in 0 .. 2 => f
// CHECK: :[[#@LINE+1]]:24: error: this must be a dim, not int
let t = map q in [half(3)] => 1
fn spaced(d: field[D]) = map k in [dual(D)] => 1
// CHECK-NOT: error
let u = spaced(f)
