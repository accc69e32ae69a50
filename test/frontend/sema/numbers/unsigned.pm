// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// What a u64 is not: negative, or an int.
param seed: u64 = 1
param n: int = 1
dim x = 4, y = 4
let f = zeros[x, y]
fn twice(k: int) = 2 k
// CHECK: :[[#@LINE+1]]:9: error: a u64 is never negative; for an f64, 0.0 - …
let a = -seed
// CHECK: :[[#@LINE+1]]:15: error: 'k' of 'twice' must be int, not u64
let b = twice(seed)
// CHECK: :[[#@LINE+1]]:9: error: 'min' of a u64 and an int, which may be negative; compare them with if
let c = min(seed, n)
// CHECK: :[[#@LINE+1]]:36: error: the bounds of a loop are ints, not u64
let d = loop s = 0.0 for i in 0 .. seed => s + 1
// CHECK: :[[#@LINE+1]]:24: error: the bounds of a slice are ints, not u64
let e = slice(f, x = 0 .. seed)
// CHECK: :[[#@LINE+1]]:22: error: a slice is a range of cells, a .. b, not u64
let g = slice(f, x = seed)
// CHECK: :[[#@LINE+1]]:13: error: 'output' requires numbers of one type, not u64 and int, which may be negative; write them apart
output wo = (seed, n)
// CHECK: :[[#@LINE+1]]:16: error: 'output': 9007199254740993 stands between numbers that are f64, which hold ints up to 2^53 exactly; write ints in an output of their own
output mixed = (0.5, 9007199254740993)
// CHECK: :[[#@LINE+1]]:25: error: the slice -1 .. … is empty or leaves the 4 cells of 'x'
let h = slice(f, x = -1 .. n)
// CHECK: :[[#@LINE+1]]:24: error: the slice … .. 5 is empty or leaves the 4 cells of 'x'
let i = slice(f, x = n .. 5)
// CHECK: :[[#@LINE+1]]:16: error: 'finite' requires numbers, fields, or tuples or records of them, not string
let j = finite("a")
