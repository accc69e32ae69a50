// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// What has no neighbors, and offsets and edges that are none.
dim x = 8, y = 4 over 1
dim t = 3
let f = white_noise[x, y](1)
let v = (f, 2 f)
// CHECK: :[[#@LINE+1]]:17: error: the field has no dim 't'; its dims are [x, y]
output a1 = f[t + 1]
// CHECK: :[[#@LINE+1]]:24: error: 'x' is given twice
output a2 = f[x + 1, x - 1]
// CHECK: :[[#@LINE+1]]:17: error: name the dim that is read at this index: f[x = 2 * X]
output a3 = f[1 - x]
// CHECK: :[[#@LINE+1]]:17: error: an index has one dim, this one has two
output a4 = f[x + y]
// CHECK: :[[#@LINE+1]]:17: error: the offset of a neighbor is an int, not f64
output a6 = f[x + 1.5]
// CHECK: :[[#@LINE+1]]:22: error: an index of field[x, y] names its dim: f[x = 0] is a cell, f[x + 1] a neighbor, slice(f, x = 0 .. 5) a mean, and f[x = p] a part over a dim p
output a7 = f[x + 1, 2]
// CHECK: :[[#@LINE+2]]:29: error: there is no edge "zeros"; did you mean 'zero'?
// CHECK: note: edges are "periodic", "zero", "clamp", "reflect", and values
output b1 = f[x + 1, edge = "zeros"]
// CHECK: :[[#@LINE+1]]:29: error: an edge is one of "periodic", "zero", "clamp", "reflect", or a value, not the dim 'x'
output b2 = f[x + 1, edge = x]
// CHECK: :[[#@LINE+1]]:29: error: here are 2 edges for 1 dim
output b3 = f[x + 1, edge = ("zero", "zero")]
// CHECK: :[[#@LINE+1]]:17: error: "reflect" reaches less far than the 4 cells of 'y'
output b4 = f[y + 4, edge = "reflect"]
// CHECK: :[[#@LINE+1]]:22: error: the transform of a real field keeps half of its modes, and modes of 'kx' are not read at others; one mode is fk[x = 1, y = 2] with all dims that are transformed, or transform a complex field: fft(f + 0i)
output c1 = fft(f)[x + 1]
// CHECK: :[[#@LINE+1]]:30: error: only fields have neighbors, not f64; the result of an expression in a map has none; make a field of it before the map
output c2 = map q in f => (2 f)[x + 1]
// CHECK: :[[#@LINE+1]]:13: error: only fields have neighbors, not vector f64
output c3 = (1.0, 2.0)[x + 1]
// CHECK: :[[#@LINE+1]]:15: error: an index of field[x, y] names its dim: f[x = 0] is a cell, f[x + 1] a neighbor, slice(f, x = 0 .. 5) a mean, and f[x = p] a part over a dim p
output c4 = f[1]
// CHECK: :[[#@LINE+1]]:13: error: write shift(f, x = 1), or shift(f, x = 1, y = -2, edge = "zero")
output d1 = shift(f)
// CHECK: :[[#@LINE+1]]:22: error: field[x, y] has no dim 'z'
output d2 = shift(f, z = 1)
// CHECK: :[[#@LINE+1]]:19: error: 'shift' requires a field, not f64
output d3 = shift(2.0, x = 1)
// Fine: an index of components that is a sum, and the first of one.
let i = 1
output e1 = v[i - 1]
