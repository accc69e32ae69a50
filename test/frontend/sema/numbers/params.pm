// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Params and inputs.
// CHECK: :[[#@LINE+1]]:19: error: 'a' is declared as f64 in Mpc/h, its default is int
param a: length = 100
// CHECK: :[[#@LINE+2]]:21: error: the default is not in the range
// CHECK: :[[#@LINE+1]]:12: note: the range is given here
param b in (0, 1) = 2
// CHECK: :[[#@LINE+1]]:16: error: 'c' is declared as u64, its default is f64
param c: u64 = 1.5
// CHECK: :[[#@LINE+1]]:10: error: a param is f64, int, u64, bool or a length; fields and tables are inputs, strings are consts
param d: field[x] = 1
// CHECK: :[[#@LINE+1]]:17: error: 'e' is declared as bool, its default is int
param e: bool = 3
// CHECK: :[[#@LINE+2]]:11: error: this must be known when the spec is compiled, but 'a' is a param
// CHECK: :[[#@LINE-11]]:7: note: 'a' is defined here
param f = a
// CHECK: :[[#@LINE+1]]:16: error: 'g' is declared as int, its default is f64 in Mpc
param g: int = 3 Mpc
// CHECK: :[[#@LINE+1]]:12: error: only numbers have a range
param h in ("a", "b") = 3
// CHECK: :[[#@LINE+1]]:10: error: a param is f64, int, u64, bool or a length; fields and tables are inputs, strings are consts
param i: string = "x"
// CHECK: :[[#@LINE+2]]:13: error: the bound is in km, the value is a pure number
// CHECK: :[[#@LINE+1]]:19: error: the bound is in km, the value is a pure number
param j in (0 km, 1 km) = 0.5
dim x = 3
// CHECK: :[[#@LINE+1]]:20: error: the default has no unit, and 'o' is in deg; write 3 deg
param o: f64 deg = 3
// CHECK: :[[#@LINE+1]]:23: error: the default has no unit, and 'ol' is in deg; write 3 deg
param ol: list deg = (3, 4 deg)
// CHECK: :[[#@LINE+1]]:33: error: the default is not in the range
param q: f64 ms in [0, 20 us] = 0.03 ms
// CHECK: :[[#@LINE+1]]:10: error: an input is a field or a table; numbers are params
input k: f64
// CHECK: :[[#@LINE+1]]:10: error: an input is a field or a table; numbers are params
input l: vector field[x]
// CHECK: :[[#@LINE+1]]:10: error: the dim 'x' is twice in field[x, x]
input m: field[x, x]
input p: field[x] deg
