// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Declared types of parameters and results.
dim x = 8, y = 8, z = 8
let xy = zeros[x, y]
let xz = zeros[x, z]
// CHECK: :[[#@LINE+2]]:44: error: the value of 'turned' must be field[b, a], not field[x, y]; here its dims are [y, x]
// CHECK: :[[#@LINE+2]]:9: note: in 'turned', instantiated here
fn turned(d: field[a, b]) -> field[b, a] = d
let a = turned(xy)
// CHECK: :[[#@LINE+1]]:16: error: 'd' of 'turned' must be field[a, b], not field[x]
let b = turned(zeros[x])
// CHECK: :[[#@LINE+1]]:16: error: 'd' of 'turned' must be field[a, b], not int
let c = turned(3)
// CHECK: :[[#@LINE+1]]:16: error: 'd' of 'turned' must be field[a, b], not complex field[kx, ky]
let d = turned(fft(xy))
fn first(v: vector field[a, b]) = v[a]
// CHECK: :[[#@LINE+1]]:15: error: 'v' of 'first' must be vector field[a, b], not field[x, y]
let e = first(xy)
// CHECK: :[[#@LINE+1]]:15: error: 'v' of 'first' must be vector field[a, b], not (field[x, y], int)
let f = first((xy, 3))
// CHECK: :[[#@LINE+1]]:15: error: 'v' of 'first' must be vector field[a, b], not (field[x, y], field[x, z]); here its dims are [x, y]
let g = first((xy, xz))
fn same(u: field[D], v: field[D]) = u + v
// CHECK: :[[#@LINE+1]]:18: error: 'v' of 'same' must be field[D], not field[x, z]; here its dims are [x, y]
let h = same(xy, xz)
fn fine(u: field[a], v: field[refine(a, 2)]) = u
// CHECK: :[[#@LINE+1]]:24: error: 'v' of 'fine' must be field[…], not field[x]; here its dims are [x*2]
let i = fine(zeros[x], zeros[x])
fn whole(n: int, t: bool, s: string, p: table, c: complex) = n
// CHECK: :[[#@LINE+2]]:15: error: 'n' of 'whole' must be int, not f64
// CHECK: :[[#@LINE+1]]:31: error: 'p' of 'whole' must be table, not int
let j = whole(1.5, true, "s", 3, 1i)
// CHECK: :[[#@LINE+2]]:18: error: 't' of 'whole' must be bool, not int
// CHECK: :[[#@LINE+1]]:26: error: 'p' of 'whole' must be table, not int
let k = whole(1, 0, "s", 3, 1i)
// CHECK: :[[#@LINE+3]]:24: error: 's' of 'whole' must be string, not int
// CHECK: :[[#@LINE+2]]:27: error: 'p' of 'whole' must be table, not int
// CHECK: :[[#@LINE+1]]:30: error: 'c' of 'whole' must be complex, not string
let l = whole(1, true, 3, 3, "i")
fn numbers(v: vector f64) = v[0]
// CHECK: :[[#@LINE+1]]:17: error: 'v' of 'numbers' must be f64, not string
let m = numbers((1, "a"))
// CHECK: :[[#@LINE+1]]:17: error: 'v' of 'numbers' must be vector f64, not int
let n = numbers(3)
fn waves(f: complex field[kx, ky]) = f
// CHECK: :[[#@LINE+1]]:15: error: 'f' of 'waves' must be complex field[kx, ky], not field[x, y]
let o = waves(xy)
