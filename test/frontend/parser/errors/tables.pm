// RUN: not %pmc --emit=ast %s 2>&1 | FileCheck %s
// CHECK: :[[#@LINE+2]]:15: error: a table in parentheses has 2 or 3 axes, found 1
// CHECK: note: write 'table' for a table over one axis, or 'table(k in h/Mpc, P in (Mpc/h)^3)' for columns with units
input a: table(k)
// CHECK: :[[#@LINE+1]]:15: error: a table in parentheses has 2 or 3 axes, found 4
input b: table(k, l, m, n)
// CHECK: :[[#@LINE+1]]:19: error: expected the name of a column or an axis, found '3'
input c: table(k, 3)
// CHECK: :[[#@LINE+2]]:15: error: a table with units has two columns, x and y; found 3
// CHECK: note: write a file and an input for each further column: 'input e: table(k in h/Mpc, e in (Mpc/h)^3)'; a table over several axes has '->' before its value: 'table(k in h/Mpc, z -> P)'
input d: table(k in h/Mpc, z, P)
// CHECK: :[[#@LINE+1]]:24: error: expected the name of the value, found ')'
input e: table(k, z -> )
// CHECK: :[[#@LINE+1]]:27: error: a table has one value, and it follows all axes
input f: table(k, z -> P, q)
// CHECK: :[[#@LINE+1]]:15: error: a table in parentheses has 2 or 3 axes, found 4
input g: table(k, l, m, n -> P)
