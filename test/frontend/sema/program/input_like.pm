// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
dim x = 8, y = 8 over 10 Mpc/h
let w = white_noise[x, y](1)
// CHECK: :[[#@LINE+1]]:17: error: an input is like a record of fields and numbers, not like field[x, y]
input net: like w
// CHECK: :[[#@LINE+1]]:18: error: an input is like a record of fields and numbers, and 'net2/b' is string
input net2: like {a = w, b = "half"}
// CHECK: :[[#@LINE+1]]:7: error: an input cannot be called 'out', because --out is a flag of every program; choose another name
input out: like {a = w}
