// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Mesh and layout.
dim x = 8, y = 8, z = 8, t = 8, u = 8
// CHECK: :[[#@LINE+3]]:29: error: the extent of a mesh axis must be from 1 to 1048576, not 0
// CHECK: :[[#@LINE+2]]:32: error: the mesh has two axes 'row'
// CHECK: :[[#@LINE+1]]:11: note: the first one
mesh gpus(row = 1, column = 0, row = 1)
// CHECK: :[[#@LINE+2]]:1: error: a program has one mesh
// CHECK: :[[#@LINE-2]]:1: note: the first one
mesh second(a = 1)
// CHECK: :[[#@LINE+2]]:28: error: there is no dim 'w' to lay out
// CHECK: :[[#@LINE+1]]:43: error: the mesh has no axis 'rov'; did you mean 'row'?
layout x -> row, y -> row, w -> row, z -> rov
// CHECK: :[[#@LINE+4]]:8: error: 'x' has two layouts
// CHECK: :[[#@LINE-2]]:8: note: the first one
// CHECK: :[[#@LINE+2]]:32: error: the axis 'row' splits 't' twice
// CHECK: :[[#@LINE+1]]:27: note: here and
layout x -> column, t -> (row, row), u -> (row, column)
// CHECK: :[[#@LINE+3]]:9: error: the mesh axis 'row' splits two dims of field[x, y], 'x' and 'y'
// CHECK: :[[#@LINE-7]]:8: note: 'x' is laid out here
// CHECK: :[[#@LINE-8]]:18: note: 'y' is laid out here
let a = white_noise[x, y](1)
let b = white_noise[x, z](1)
// CHECK: :[[#@LINE+3]]:9: error: the mesh axis 'row' splits two dims of field[u, x], 'u' and 'x'
// CHECK: :[[#@LINE-7]]:38: note: 'u' is laid out here
// CHECK: :[[#@LINE-13]]:8: note: 'x' is laid out here
let c = white_noise[u, x](1)
// CHECK: :[[#@LINE+4]]:20: error: the mesh axis 'row' splits two dims of field[y, x], 'y' and 'x'
// CHECK: :[[#@LINE-16]]:18: note: 'y' is laid out here
// CHECK: :[[#@LINE-17]]:8: note: 'x' is laid out here
// CHECK: :[[#@LINE+2]]:9: note: in 'f', instantiated here
fn f[p, q](seed) = white_noise[q, p](seed)
let d = f[x, y](1)
