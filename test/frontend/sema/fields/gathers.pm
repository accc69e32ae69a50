// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Ints that are none, and cells that elements cannot say.
dim x = 12, y = 9 over 1
dim u = 7
let f = white_noise[x, y](1)
let h = int(3 * f)
// CHECK: :[[#@LINE+1]]:19: error: the index of a cell is an int, not f64; int(x) rounds down
output a1 = f[x = f]
// CHECK: :[[#@LINE+1]]:33: error: the index of a cell is an int, not f64; int(x) rounds down
output a2 = map q in f => f[x = sqrt(f)]
// CHECK: :[[#@LINE+1]]:29: error: a map over [u] has no index along 'y'
output a3 = map q in [u] => f[x = index(q, u)]
// CHECK: :[[#@LINE+1]]:13: error: a field with the Fourier dim 'kx' cannot be read at cells that elements compute
output a4 = fft(f)[x = h]
// CHECK: error: 'div' works on ints, not on f64; int(x) rounds down
output b1 = div(f, 2)
// CHECK: error: division by zero
output b2 = mod(h, 0)
// CHECK: error: 'int' requires a pure number
output b3 = int(3 Mpc/h * f)
// CHECK: error: 'int' works on real numbers, not on complex
output b4 = int(f + 1i)
// CHECK: error: cells of a field of ints become ints, not f64; int(x) rounds down
output b5 = h with {[x = 0] = 0.5}
fn twice(p: int field[x, y]) = 2 * p
// CHECK: error: 'p' of 'twice' must be int field[x, y], not field[x, y]
output b6 = twice(f)
// CHECK: error: the bin is a tuple of 2 numbers, one for each of [u, y], not int
output c1 = bins q in f into (u, y) by h => f
