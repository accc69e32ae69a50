// RUN: not %pmc --emit=pm -D nn=3 -D n=abc -D m=9 -D kernel=exakt -D flag=1 -D box=3 -D x=4 -D r=2km -D gap=25 %s 2>&1 | FileCheck %s
// -D: names, types and ranges.
// CHECK: error: -D nn=3: the spec has no const 'nn'; did you mean 'n'?
// CHECK: error: -D box=3: 'box' is a param: give it to the program, --box=3
// CHECK: error: -D x=4: 'x' is not a const
// CHECK: error: -D n=abc: it must be an int
// CHECK: :[[#@LINE+9]]:7: note: 'n' is declared here
// CHECK: error: -D m: 'm' = 9 is not in [2, 8]
// CHECK: :[[#@LINE+8]]:7: note: 'm' is declared here
// CHECK: error: -D kernel: "exakt" is none of "fd4", "exact"; did you mean 'exact'?
// CHECK: :[[#@LINE+7]]:7: note: 'kernel' is declared here
// CHECK: error: -D flag=1: it must be true or false
// CHECK: :[[#@LINE+6]]:7: note: 'flag' is declared here
// CHECK: error: -D r=2km: it must be in Mpc/h
// CHECK: :[[#@LINE+5]]:7: note: 'r' is declared here
const n = 128
const m in [2, 8] = 4
const kernel in ("fd4", "exact") = "fd4"
const flag = true
const r = 3 Mpc/h
const gap: f64 mm = 3 mm
param box: length = 3 Mpc/h
dim x = 8
// CHECK: error: -D gap=25: it has no unit, and must be in
