// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Offsets that only the program knows.
param p: int = 1
param r = 1.5
dim x = 8, y = 4 over 1
dim t = 3
let f = white_noise[x, y](1)
output fine = f[x + p, y - p, edge = ("zero", "clamp")] + shift(f[y + 1, edge = "zero"], x = p)
// CHECK-NOT: error
// CHECK: :[[#@LINE+1]]:17: error: the index of a cell is an int, not f64; int(x) rounds down
output a5 = f[x + r]
// CHECK: :[[#@LINE+1]]:14: error: an offset that only the program knows and one that the compiler knows have no common edge; write two brackets: f[x + p, edge = "zero"][y + 1, edge = "zero"]
output a5b = f[x + p, y + 1, edge = "zero"]
// CHECK: :[[#@LINE+1]]:14: error: an offset that only the program knows and one that the compiler knows have no common edge
output a5c = shift(f, x = p, y = 1, edge = "zero")
// CHECK: :[[#@LINE+1]]:25: error: 'x' is given twice
output a5d = f[x + p, x + p]
// CHECK: :[[#@LINE+1]]:18: error: the field has no dim 't'; its dims are [x, y]
output a5e = f[t + p]
// CHECK: :[[#@LINE+1]]:18: error: a field with the Fourier dim 'kx' cannot be read at cells that elements compute
output a5f = abs(fft(f + 0i)[x + p])
