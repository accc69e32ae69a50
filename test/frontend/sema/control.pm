// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// if, loop, for, let.
param t: bool = true
param n: int = 3
param box: length = 100 Mpc/h
dim x = 8, y = 8
let w = white_noise[x](1)
// CHECK: :[[#@LINE+1]]:12: error: the condition of 'if' is a bool, not int
let a = if 3 then 1 else 2
// CHECK: :[[#@LINE+3]]:19: error: the branches of 'if' differ: int and f64 in Mpc/h
// CHECK: :[[#@LINE+2]]:19: note: this is int
// CHECK: :[[#@LINE+1]]:26: note: this is f64 in Mpc/h
let b = if t then 1 else 2 Mpc/h
// CHECK: :[[#@LINE+3]]:19: error: the branches of 'if' differ: field[x] and field[y]
// CHECK: :[[#@LINE+2]]:19: note: this is field[x]
// CHECK: :[[#@LINE+1]]:26: note: this is field[y]
let c = if t then w else white_noise[y](1)
// CHECK: :[[#@LINE+3]]:19: error: the branches of 'if' differ: record {a} and record {b}
// CHECK: :[[#@LINE+2]]:19: note: this is record {a}
// CHECK: :[[#@LINE+1]]:32: note: this is record {b}
let d = if t then {a = 1} else {b = 1}
// CHECK: :[[#@LINE+3]]:19: error: the branches of 'if' differ: vector int and vector int
// CHECK: :[[#@LINE+2]]:19: note: this is vector int
// CHECK: :[[#@LINE+1]]:31: note: this is vector int
let e = if t then (1, 2) else (1, 2, 3)
// CHECK: :[[#@LINE+3]]:19: error: the branches of 'if' differ: string and string
// CHECK: :[[#@LINE+2]]:19: note: this is string
// CHECK: :[[#@LINE+1]]:28: note: this is string
let f = if t then "a" else "b"
// CHECK: :[[#@LINE+1]]:34: error: the bounds of a loop are ints, not f64
let g = loop s = 0 for i in 0 .. 2.5 => s
// CHECK: :[[#@LINE+1]]:34: error: the bounds of a loop are ints, not f64 in Mpc/h
let h = loop s = 0 for i in 0 .. box => s
// CHECK: :[[#@LINE+3]]:18: error: what the loop begins with and what its body gives differ: field[x] and field[y]
// CHECK: :[[#@LINE+2]]:18: note: this is field[x]
// CHECK: :[[#@LINE+1]]:39: note: this is field[y]
let i = loop s = w for i in 0 .. 2 => white_noise[y](1)
// CHECK: :[[#@LINE+1]]:9: error: 2 names for 3 values
let j = loop (a, b) = (1, 2, 3) for i in 0 .. 2 => (a, b)
// CHECK: :[[#@LINE+1]]:26: error: the condition of 'while' is a bool, not int
let k = loop s = 1 while s => s
// CHECK: :[[#@LINE+3]]:18: error: what the loop begins with and what its body gives differ: int and vector int
// CHECK: :[[#@LINE+2]]:18: note: this is int
// CHECK: :[[#@LINE+1]]:35: note: this is vector int
let l = loop s = 1 while s < 3 => (s, s)
// CHECK: :[[#@LINE+1]]:23: error: the bound of an unrolled 'for' must be known when the spec is compiled
let m = for i in 0 .. n => i
// CHECK: :[[#@LINE+1]]:9: error: this 'for' makes a vector of 5000 components; use a loop
let o = for i in 0 .. 5000 => i
// CHECK: :[[#@LINE+1]]:18: error: 'for' runs over dims, a vector or a range, not over int
let p = for i in 3 => i
// CHECK: :[[#@LINE+1]]:14: error: 2 names for 3 values
let (q, r) = (1, 2, 3)
// CHECK: :[[#@LINE+1]]:14: error: 2 names for int
let (s, u) = 3
// CHECK: :[[#@LINE+1]]:9: error: this has no value
let v = { let a = 1 }
// CHECK: :[[#@LINE+1]]:9: error: the text of the spec
let z = error("the text of the spec")
// CHECK: :[[#@LINE+1]]:32: error: taken
let never = if given(box) then error("taken") else 1
let not_taken = if false then error("not taken") else 1
