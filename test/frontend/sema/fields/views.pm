// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Finer and coarser dims, fields and cells that do not exist.
param p: int = 1
dim x = 12, y = 9 over 1
dim t = 4
let f = white_noise[x, y](1)
// CHECK: :[[#@LINE+1]]:13: error: the 9 cells of 'y' are not a multiple of 2
output a1 = coarsen(f, 2)
// CHECK: :[[#@LINE+1]]:24: error: the factor of 'coarsen' must be known when the spec is compiled
output a2 = coarsen(f, p)
// CHECK: :[[#@LINE+1]]:34: error: the field has no dim 't'; its dims are [x, y]
output a3 = coarsen(f, 2, over = t)
// CHECK: :[[#@LINE+1]]:21: error: 'coarsen' requires a dim or a field, not f64
output a4 = coarsen(2.5, 2)
// CHECK: :[[#@LINE+1]]:18: error: 'kx' is a Fourier dim; coarsen the space dim
output a5 = real(coarsen(fft(f, over = (x)), 2, over = x))
// CHECK: :[[#@LINE+1]]:13: error: 'x*2' coarsened by 3 is neither a refinement nor a coarsening of 'x'
output a6 = coarsen(refine(f, 2, over = x), 3, over = x)
// CHECK: :[[#@LINE+1]]:13: error: 'x/3' refined by 2 is neither a refinement nor a coarsening of 'x'
output a7 = refine(coarsen(f, 3, over = x), 2, over = x)
// CHECK: :[[#@LINE+1]]:42: error: 'over' goes with a field, not with dims
let a8 = dims(zeros[coarsen(x, 2, over = x), y])
let both = map q in [x, refine(x, 2)] => q[x]
// CHECK: :[[#@LINE+1]]:21: error: the field has 'x' in two resolutions, of which one cannot change
output a9 = coarsen(both, 2, over = x)
// CHECK: :[[#@LINE+1]]:19: error: there is no cell 12 of 'x', which has 0 to 11
output b1 = f[x = 12]
// CHECK: :[[#@LINE+1]]:21: error: a cell is picked by an int, not a range; the mean over some is slice(f, x = a .. b)
output b2 = f[x = 0 .. 2]
// CHECK: :[[#@LINE+1]]:15: error: field[x, y] has no dim 'z'
output b3 = f[z = 1]
// CHECK: :[[#@LINE+1]]:35: error: the index of a cell is an int, not f64; int(x) rounds down
output b5 = map q in [y] => f[x = floor(index(q, y))]
