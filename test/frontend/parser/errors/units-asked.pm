// RUN: not %pmc --emit=ast %s 2>&1 | FileCheck %s
// CHECK: :[[#@LINE+1]]:15: error: a table with units has two columns, x and y; found 1
input a: table(k in h/Mpc)
// CHECK: note: as in 'table(k in h/Mpc, P in (Mpc/h)^3)'
// CHECK: :[[#@LINE+1]]:23: error: expected a unit, found ')'
input b: table(k, P in)
// CHECK: :[[#@LINE+1]]:16: error: expected the name of a column or an axis, found '3'
input c: table(3, P)
// CHECK: :[[#@LINE+1]]:15: error: expected a unit, found ')'
output d (k in) = e
// CHECK: :[[#@LINE+1]]:14: error: expected a unit, found a string
plot f xunit "a text"
// CHECK: :[[#@LINE+1]]:12: error: a 'const' declares one name, found ','
const a = 1, b = 2
// CHECK: note: write 'const b = …' as a statement of its own
// CHECK: :[[#@LINE+1]]:19: error: a 'param' declares one name, found ','
param p: f64 = 1.0, "text"
