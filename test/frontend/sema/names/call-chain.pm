// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// An error in a function is reported once, with the calls that lead to it.
// CHECK: :[[#@LINE+3]]:17: error: record {weight} has no member 'size'
// CHECK: :[[#@LINE+3]]:15: note: in 'inner', instantiated here
// CHECK: :[[#@LINE+3]]:9: note: in 'outer', instantiated here
fn inner(a) = a.size + 1
fn outer(a) = inner(a)
let x = outer({weight = 1})
let y = outer({weight = 2})
let z = inner(3)
// CHECK: :[[#@LINE+9]]:14: error: calls are nested more than 200 deep
// CHECK: :[[#@LINE+8]]:14: note: in 'deep', instantiated here
// CHECK: :[[#@LINE+7]]:14: note: in 'deep', instantiated here
// CHECK: :[[#@LINE+6]]:14: note: in 'deep', instantiated here
// CHECK: :[[#@LINE+5]]:14: note: in 'deep', instantiated here
// CHECK: :[[#@LINE+4]]:14: note: in 'deep', instantiated here
// CHECK: :[[#@LINE+3]]:14: note: in 'deep', instantiated here
// CHECK: :[[#@LINE+2]]:14: note: in 'deep', instantiated here
// CHECK: :[[#@LINE+2]]:9: note: in 'deep', instantiated here
fn deep(f) = f(f)
let w = deep(deep)
