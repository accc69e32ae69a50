// RUN: not %pmc --emit=ast %s 2>&1 | FileCheck %s
// CHECK: :[[#@LINE+2]]:15: error: a table in parentheses has 2 or 3 axes, found 1
// CHECK: note: write 'table' for a table over one axis, or 'table(k in h/Mpc, P in (Mpc/h)^3)' for columns with units
input a: table(k)
// CHECK: :[[#@LINE+1]]:15: error: a table in parentheses has 2 or 3 axes, found 4
input b: table(k, l, m, n)
// CHECK: :[[#@LINE+1]]:19: error: expected the name of a column or an axis, found '3'
input c: table(k, 3)
