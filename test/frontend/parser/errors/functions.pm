// RUN: not %pmc --emit=ast %s 2>&1 | FileCheck %s
// fn and types.

// CHECK: :[[#@LINE+1]]:4: error: expected the name of the function, found '('
fn (x) = x
// CHECK: :[[#@LINE+1]]:6: error: expected '(', found '='
fn f = 3
// CHECK: note: as in 'fn square(x) = x^2'
// CHECK: :[[#@LINE+1]]:8: error: expected '=' or '{', found ':'
fn f(x): x
// CHECK: note: a ':' is allowed only between a declared name and its type
// CHECK: :[[#@LINE+1]]:6: error: expected the name of a dim, found ']'
fn f[](x) = x
// CHECK: :[[#@LINE+1]]:6: error: expected the name of a dim, found '1'
fn f[1](x) = x
// An error in the head does not hide those in the body.
// CHECK: :[[#@LINE+2]]:6: error: expected the name of a parameter, found '1'
// CHECK: :[[#@LINE+1]]:14: error: expected an expression, found the end of the line
fn f(1) = x +
let a = 3
// CHECK: :[[#@LINE+1]]:9: error: unknown type 'float'
fn f(x: float) = x
// CHECK: note: did you mean 'f64'?
// CHECK: :[[#@LINE+1]]:9: error: unknown type 'vectr'
fn f(x: vectr field[x]) = x
// CHECK: note: did you mean 'vector'?
// CHECK: :[[#@LINE+1]]:9: error: unknown type 'xyzzy'
fn f(x: xyzzy) = x
// CHECK-NOT: did you mean
// CHECK: :[[#@LINE+1]]:12: error: expected a type, found '('
fn f(x) -> (f64, f64) = x
// CHECK: note: tuples and records have no type to write; leave it out
// CHECK: :[[#@LINE+1]]:9: error: expected a type, found the end of the line
param q:
// CHECK: :[[#@LINE+1]]:14: error: expected '[', found ')'
fn f(x: field) = x
// CHECK: note: a field names its dims: 'field[x, y, z]'
// CHECK: :[[#@LINE+1]]:15: error: expected an expression, found ']'
fn f(x: field[]) = x
// CHECK: :[[#@LINE+1]]:14: error: unknown unit 'kmm'
param r: f64 kmm = 3
// CHECK: note: did you mean 'km'?
// CHECK: :[[#@LINE+1]]:16: error: this exponent could belong to a part of the unit or to all
let h = 3 Mpc/h^3
// CHECK: note: put what it belongs to in parentheses: '(Mpc/h)^3'
// CHECK: :[[#@LINE+1]]:12: error: the exponent of a unit is a whole number from -99 to 99
let i = 3 K^n
// CHECK: note: to raise the number too, put it in parentheses: '(2 K)^x'
// CHECK: :[[#@LINE+1]]:12: error: the exponent of a unit is a whole number from -99 to 99
let j = 3 K^2.5
// CHECK: :[[#@LINE+1]]:12: error: the exponent of a unit is a whole number from -99 to 99
let k = 3 K^100
// CHECK-NOT: error:
