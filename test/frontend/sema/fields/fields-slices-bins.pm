// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Slices, bins, vectors.
param n: int = 3
param t: bool = true
param box: length = 3 Mpc/h
dim x = 8, y = 8, z = 8 over box
let w = white_noise[x, y](1)
let wk = fft(w)
// CHECK: :[[#@LINE+1]]:19: error: the transform of a real field keeps half of its modes
let a = slice(wk, x = 3)
// CHECK: :[[#@LINE+1]]:15: error: 'slice' requires a field, not int
let b = slice(3, x = 3)
// CHECK: :[[#@LINE+1]]:26: error: the bounds of a slice are ints, not f64
let c = slice(w, x = 0.5 .. 2)
// CHECK: :[[#@LINE+1]]:22: error: a slice is a range of cells, a .. b, not string
let d = slice(w, x = "a")
// CHECK: :[[#@LINE+1]]:31: error: the bin requires a pure number, not f64 in Mpc/h
let f = bins k in w into 4 by k[x] => 1
// CHECK: :[[#@LINE+1]]:26: error: the number of bins must be known when the spec is compiled
let g = bins k in w into n by index(k, x) => 1
// CHECK: :[[#@LINE+1]]:46: error: bins sum real numbers, not complex; take real(…) or norm2(…)
let h = bins k in w into 3 by index(k, x) => 1i
// CHECK: :[[#@LINE+1]]:26: error: the number of bins must be from 1 to 1073741824, not 0
let i = bins k in w into 0 by index(k, x) => 1
// CHECK: :[[#@LINE+1]]:31: error: the bin is a number, not string
let j = bins k in w into 3 by "b" => 1
// CHECK: :[[#@LINE+1]]:9: error: 'norm2' does not work on string
let l = norm2("x")
// CHECK: :[[#@LINE+1]]:9: error: 'dot' works on two vectors of equal size, not on vector int and vector int
let m = dot((1, 2), (1, 2, 3))
// CHECK: :[[#@LINE+1]]:16: error: '+' of vectors with 2 and 3 components
let o = (1, 2) + (1, 2, 3)
// CHECK: :[[#@LINE+1]]:15: error: 'total' adds the components of a vector, not of field[x, y]; 'sum' adds elements
let p = total(w)
// CHECK: :[[#@LINE+1]]:15: error: 'total' adds the components of a vector, not of int
let q = total(3)
// CHECK: :[[#@LINE+1]]:16: error: the index of a component must be from 0 to 1, not 2
let r = (1, 2)[2]
// CHECK: :[[#@LINE+1]]:9: error: this vector int does not have one component for each dim; index it with 0, 1, …
let s = (1, 2)[x]
// CHECK: :[[#@LINE+1]]:16: error: the index of a component is an int, not f64 in Mpc/h; int(x) rounds down
let u = (1, 2)[box]
// CHECK: :[[#@LINE+1]]:17: error: the index of a component must be known when the spec is compiled, because the components are not numbers or fields, but the dim 'x'
let u1 = (x, y)[n]
// CHECK: :[[#@LINE+1]]:25: error: the components of this vector differ: f64 and f64 in Mpc/h
let u2 = (1.5, 1 Mpc/h)[n]
// CHECK: :[[#@LINE+1]]:24: error: the components of this vector differ: int and field[x]
let u3 = (1, zeros[x])[n]
