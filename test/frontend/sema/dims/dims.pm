// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Dims: numbers of cells and lengths.
param box: length = 100 Mpc/h
// CHECK: :[[#@LINE+1]]:7: error: the value of 'inner' depends on itself
const inner = outer
const outer = inner
// The unit of such a length is not looked for without end.
dim h = 4 over outer
param number: int = 3
// CHECK: :[[#@LINE+1]]:9: error: the number of cells must be from 1 to 1073741824, not 0
dim a = 0
// CHECK: :[[#@LINE+1]]:9: error: the number of cells is an int, not f64
dim b = 2.5
// CHECK: :[[#@LINE+2]]:9: error: this must be known when the spec is compiled, but 'number' is a param
// CHECK: :[[#@LINE-6]]:7: note: 'number' is defined here
dim c = number
// CHECK: :[[#@LINE+1]]:9: error: the number of cells is an int, not a text; write a name without quotes: x
dim d = "x"
// CHECK: :[[#@LINE+1]]:9: error: the number of cells must be from 1 to 1073741824, not 2000000000
dim e = 2000000000
// CHECK: :[[#@LINE+1]]:5: error: the number of cells of 'ff' depends on itself
dim ff = cells(gg), gg = cells(ff)
// CHECK: :[[#@LINE+1]]:16: error: the length of a dim is a number, not string
dim f = 4 over "long"
// CHECK: :[[#@LINE+1]]:17: error: the dims of one declaration have one length, each; declare those of different lengths apart: dim x = 64 over 1, then dim y = 64 over 2
dim fg = 4 over (1, 2, 3)
// CHECK: :[[#@LINE+1]]:16: error: the length of a dim is positive
dim g = 4 over -1 Mpc/h
// A power of ints is an int, also the power 0. A field may have 2^48 cells.
// CHECK-NOT: error
dim power = 3^0 + (-2)^0, big = 268435456
let all = zeros[refine(power, 524288), big]
dim x = 1048576, y = 1048576, z = 1048576 over box
// CHECK: :[[#@LINE+1]]:9: error: field[x, y, z] has more than 2^48 cells
let u = zeros[x, y, z]
// CHECK: :[[#@LINE+1]]:9: error: the dim 'x' is twice in field[x, x]
let v = zeros[x, x]
// CHECK: :[[#@LINE+1]]:25: error: the factor of 'refine' must be from 1 to 1048576, not 0
let w = zeros[refine(x, 0)]
// CHECK: :[[#@LINE+1]]:15: error: refine('x', 1048576) has more than 2^30 cells
let q = zeros[refine(x, 1048576)]
// CHECK: :[[#@LINE+1]]:18: error: this must be a dim, not int
let r = zeros[x, 3]
