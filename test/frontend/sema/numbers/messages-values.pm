// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// What functions and operators do not work on.
dim x = 8, y = 8 over 10 Mpc/h
let w = white_noise[x, y](1)
// CHECK: :[[#@LINE+1]]:9: error: f64 is not a function
let a = pi(3)
// CHECK: :[[#@LINE+1]]:9: error: 'sqrt' works on numbers, not on bool
let c = sqrt(true)
// CHECK: :[[#@LINE+1]]:9: error: 'number' works on numbers
let d = number(true, 1)
// CHECK: :[[#@LINE+1]]:9: error: 'norm2' works on numbers, not on bool
let e = norm2(true)
// CHECK: :[[#@LINE+1]]:15: error: there is nothing in this vector
let f = norm2(for i in 0 .. 0 => i)
// CHECK: :[[#@LINE+1]]:9: error: '-' works on numbers, not on bool
let g = -true
// CHECK: :[[#@LINE+1]]:17: error: '-' of records with different members: record {a} and record {b}; the second one lacks 'a', and the first one lacks 'b'
let h = {a = 1} - {b = 1}
// CHECK: :[[#@LINE+1]]:32: error: '+' of records with different members: record {a, b, c} and record {b}; the second one lacks 'a', 'c'
let h3 = {a = 1, b = 2, c = 3} + {b = 1}
// CHECK: :[[#@LINE+1]]:20: error: '*' of records with different members: record {b} and record {b, c}; the first one lacks 'c'
let h4 = ({b = 2}) * {b = 1, c = 1}
// CHECK: :[[#@LINE+1]]:21: error: '==' does not compare the dims [x, y] with the dim 'y'; compare single dims, as in dims(f)[0] == x
let h5 = if dims(w) == y then 1 else 2
// CHECK: :[[#@LINE+1]]:20: error: '!=' does not compare the dims [x, x] with the dims [x, y]; compare single dims, as in dims(f)[0] != x
let h6 = if (x, x) != dims(w) then 1 else 2
// CHECK: :[[#@LINE+1]]:18: error: '*' of a record and a vector: record {a} and vector int
let h2 = {a = 1} * (1, 2)
// CHECK: :[[#@LINE+1]]:29: error: the slice 0 .. 0 is empty or leaves the
let i = slice(1i * w, y = 0 .. 0)
// CHECK: :[[#@LINE+3]]:18: error: what the loop begins with and what its body gives differ: int and vector int
// CHECK: :[[#@LINE+2]]:18: note: this is int
// CHECK: :[[#@LINE+1]]:39: note: this is vector int
let n = loop s = 1 for i in 0 .. 3 => (s, s)
// CHECK: :[[#@LINE+1]]:9: error: 'exp' does not work on a function
let p = exp({a = x => x})
// CHECK: :[[#@LINE+1]]:9: error: 'norm2' does not work on record {a}; the sum over all of it is inner(r, r)
let t = norm2({a = 1})
// CHECK: :[[#@LINE+1]]:12: error: 'output' requires real or complex fields, not both
output r = (w, 1i * w)
