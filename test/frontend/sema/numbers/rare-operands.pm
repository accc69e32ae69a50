// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Operands that builtins, lists and updates refuse.
dim x = 8, y = 8
let f = white_noise[x, y](1)
param q: u64 = 3
let ints = map q in f => int(f)
// CHECK: :[[#@LINE+1]]:16: error: 'longer' is a list, expected pure numbers in its default, found f64 in s
param longer = (1, 2 s)
// CHECK: :[[#@LINE+1]]:15: error: 'times' is a list, expected numbers in s in its default, found int
param times = (1 s, 2)
// CHECK: :[[#@LINE+1]]:25: error: 'lengths' is declared as f64 in Mpc/h, its default is vector f64
param lengths: length = (1 Mpc, 2 s)
// CHECK: :[[#@LINE+1]]:15: error: 'grad' requires a function with parameters
let a2 = grad(() => 1)
// CHECK: :[[#@LINE+1]]:34: error: 'schedule' is a string, not int
let a3 = grad(x => x, schedule = 1)(2.0)
let k = fft(f)
// CHECK: :[[#@LINE+1]]:19: error: a slice is taken along a space dim, and of the modes of 'kx' one at a time
let k1 = slice(k, x = 0 .. 2)
// CHECK: :[[#@LINE+1]]:19: error: cells are changed along a space dim
let k2 = k with {[x = 0] = 1}
// CHECK: :[[#@LINE+1]]:28: error: cells of a field become numbers or a field, not bool
let k3 = f with {[x = 0] = true}
// CHECK: :[[#@LINE+1]]:18: error: field[x, y] has no members; 'given' takes a member of a record
let g2 = given(f.b)
// CHECK: :[[#@LINE+1]]:14: error: 'int' of a u64, of which not all fit an int
let i1 = int(q)
// CHECK: :[[#@LINE+1]]:12: error: one cell of a field has no 'edge'
let cell = ints[x = 1, y = 2, edge = "zero"]
// CHECK: :[[#@LINE+1]]:19: error: a loop carries numbers, fields, and tuples and records of them, not nothing
let lo = loop s = {} for i in 0 .. 3 => s
