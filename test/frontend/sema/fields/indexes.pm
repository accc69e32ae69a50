// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Indices that are sums of dims and cannot be.
// CHECK: :[[#@LINE+1]]:16: error: a declaration cannot use a piece of a dim
dim t3 = cells(piece(x, 3))
param p: int = 1
dim x = 12, y = 9 over 1
dim t = 4
let f = white_noise[x, y](1)
// CHECK: :[[#@LINE+1]]:21: error: the index reads 4 cells from 9 on, and 'x' has 12; 'edge' defines the values beyond the ends
output c1 = f[x = t + 9]
// CHECK: :[[#@LINE+1]]:21: error: the index reads 4 cells from -1 on, and 'x' has 12
output c2 = f[x = t - 1]
// CHECK: :[[#@LINE+1]]:25: error: an index has one dim, or two of which one counts single cells: 8 * X + u
output c3 = f[x = 2 * t + 2 * x]
// CHECK: :[[#@LINE+1]]:21: error: there is no cell -1 of 'x', which has 12; 'edge' defines the values beyond the ends
output c4 = f[x = 2 - t]
// CHECK: :[[#@LINE+1]]:23: error: there is no cell 12 of 'x', which has 12; 'edge' defines the values beyond the ends
output c4b = f[x = 12 - 3 * t]
// CHECK: :[[#@LINE+1]]:21: error: dims cannot be multiplied in an index
output c5 = f[x = t * t]
// CHECK: :[[#@LINE+1]]:19: error: the number of a dim in an index must be known when the spec is compiled
output c6 = f[x = p * t]
// CHECK: :[[#@LINE+1]]:13: error: the dim 'y' is twice in field[y, y]
output c7 = f[x = y]
// CHECK: :[[#@LINE+1]]:25: error: "reflect" reaches less far than the 12 cells of 'x'
output c8 = f[x = 4 * t + 12, edge = "reflect"]
// CHECK: :[[#@LINE+1]]:22: error: "reflect" reaches less far than the 9 cells of 'y'
output c8a = f[y = t + 14, edge = "reflect"]
// CHECK: :[[#@LINE+1]]:22: error: "reflect" reaches less far than the 9 cells of 'y'
output c8b = f[y = t - 9, edge = "reflect"]
// CHECK-NOT: error: "reflect"
output c8c = f[y = t + 13, edge = "reflect"]
output c8d = f[y = t - 8, edge = "reflect"]
// CHECK: :[[#@LINE+1]]:41: error: here are 3 edges for 2 dims
output c9 = f[x = t, y = t2 - 1, edge = ("zero", "zero", "clamp")]
dim t2 = 4
// CHECK: :[[#@LINE+1]]:40: error: the transform of a real field keeps half of its modes, and modes of 'kx' are not read at others; one mode is fk[x = 1, y = 2] with all dims that are transformed, or transform a complex field: fft(f + 0i)
output d2 = norm2(fft(f, over = x)[x = t])
// CHECK: :[[#@LINE+1]]:21: error: an index has one dim, this one has two; name the dim that they count along: f[x = 8 * X + u]
output d3 = f[2 * t + x]
// CHECK: :[[#@LINE+1]]:21: error: name the dim that is read at this index: f[x = 2 * X]
output d4 = f[2 * x + 1]
// Pieces of dims.
// CHECK: :[[#@LINE+1]]:25: error: 'piece' requires one space dim
output d5 = f[x = piece((x, y), 2)]
// CHECK: :[[#@LINE+1]]:28: error: the number of cells of a piece must be from 1 to 1073741824, not 0
output d6 = f[x = piece(x, 0)]
// CHECK: :[[#@LINE+1]]:28: error: the number of cells of a piece must be known when the spec is compiled
output d7 = f[x = piece(x, p)]
// CHECK: :[[#@LINE+1]]:31: error: the index reads 5 cells from 8 on, and 'x' has 12
output d8 = f[x = piece(x, 5) + 8]
