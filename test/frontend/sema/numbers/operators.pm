// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Operators.
dim x = 8, y = 8
// CHECK: :[[#@LINE+1]]:11: error: '+' does not work on the dim 'x'
let a = x + 1
// CHECK: :[[#@LINE+1]]:13: error: '+' does not work on string
let b = "a" + "b"
// CHECK: :[[#@LINE+1]]:14: error: '+' does not work on bool and int
let c = true + 1
// CHECK: :[[#@LINE+1]]:9: error: 'not' works on bools, not on int
let d = not 3
// CHECK: :[[#@LINE+1]]:11: error: 'and' works on bools, not on int and bool
let e = 1 and true
let f = true or 3
// CHECK: :[[#@LINE+1]]:9: error: '-' does not work on string
let g = -"a"
// CHECK: :[[#@LINE+1]]:12: error: complex numbers have no order; compare their parts or norm2
let h = 1i < 2i
// CHECK: :[[#@LINE+1]]:15: error: the exponent must be known when the spec is compiled, because the base is in km
let i = (2 km)^(1i)
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: '^': the result must be finite; use another base or exponent
let j = (0i)^(-0.5)
// CHECK: :[[#@LINE+1]]:9: error: 'atan' is not defined for complex numbers
let k = atan(1i)
// CHECK: :[[#@LINE+1]]:17: error: record {a} has no member 'b'
let l = {a = 1}.b
// CHECK: :[[#@LINE+1]]:13: error: int has no members, so no 'b'
let m = (3).b
// CHECK: :[[#@LINE+1]]:25: error: record {abc} has no member 'abd'; did you mean 'abc'?
let n = {abc = 1} with {abd = 2}
// CHECK: :[[#@LINE+1]]:13: error: 'with' changes members of a record, not of int
let o = (3) with {a = 1}
// CHECK: :[[#@LINE+2]]:17: error: the member 'a' is twice in this record
// CHECK: :[[#@LINE+1]]:10: note: the first one
let p = {a = 1, a = 2}
// CHECK: :[[#@LINE+1]]:10: error: int has no components
let q = (3)[1]
// CHECK: :[[#@LINE+1]]:9: error: the function 'sqrt' is not called here; write its arguments in (…)
let r = sqrt[x]
// CHECK: :[[#@LINE+1]]:10: error: a function is not called here; write its arguments in (…) behind the dims
let s = ((a) => a)[x]
let t = x == y and x != "a"
