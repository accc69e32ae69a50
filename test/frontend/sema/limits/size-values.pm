// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Tuples and records do not grow without end.
let a = (1, 1, 1, 1)
let b = (a, a, a, a)
let c = (b, b, b, b)
let d = (c, c, c, c)
let e = (d, d, d, d)
// CHECK: :[[#@LINE+1]]:9: error: this has more than 4096 components; use a field or a table
let f = (e, e, e, e)
let g = (f, f)
let h = loop s = 0 for i in 0 .. 3 => g
let a0 = {m = 1}
let a1 = {m = {m = {m = {m = {m = {m = {m = {m = a0}}}}}}}}
let a2 = {m = {m = {m = {m = {m = {m = {m = {m = a1}}}}}}}}
let a3 = {m = {m = {m = {m = {m = {m = {m = {m = a2}}}}}}}}
// CHECK: :[[#@LINE+1]]:15: error: tuples and records are nested more than 32 deep
let a4 = {m = {m = {m = {m = {m = {m = {m = {m = a3}}}}}}}}
