// RUN: not %pmc --emit=ast %s 2>&1 | FileCheck %s
// Brackets that are not closed. Each is one error, and the rest is read.

// CHECK: :[[#@LINE+1]]:13: error: expected ')', found the end of the line
let a = f(x,
// CHECK: :[[#@LINE-1]]:10: note: to match this '('
let b = 1
// CHECK: :[[#@LINE+1]]:14: error: expected ',' or ')', found ']'
let c = (1, 2]
// CHECK: :[[#@LINE-1]]:9: note: to match this '('
// Both arguments have an error, and so has the call around them.
// CHECK: :[[#@LINE+3]]:21: error: expected ',' or ')', found '3'
// CHECK: :[[#@LINE+2]]:26: error: expected ',' or ')', found '4'
// CHECK: :[[#@LINE+1]]:30: error: expected an expression, found ','
let d = g(f(a, 3, 3 3, 4 4), , 1)
// CHECK: :[[#@LINE+1]]:10: error: unmatched ')'
let e = 1)
// CHECK: :[[#@LINE+1]]:1: error: unmatched '}'
}
// CHECK: :[[#@LINE+3]]:8: error: expected '}', found the end of the line
fn f(x) = {
  let a = 1
  a + x
// CHECK: :[[#@LINE-3]]:11: note: to match this '{'
param p = 3
// CHECK: :[[#@LINE+1]]:17: error: expected ',' or '}', found 'b'
let r = {a = c  b = 2}
// CHECK: :[[#@LINE-1]]:9: note: to match this '{'
// CHECK: :[[#@LINE+1]]:17: error: expected 'name = value'
let s = {a = 1, 2}
// CHECK: :[[#@LINE-1]]:9: note: in the record that begins here; in a block, names are given with 'let'
// CHECK: :[[#@LINE+2]]:23: error: expected '}', found the end of the file
let t = {
  let b = (1, {a = 2})
// CHECK: :[[#@LINE-2]]:9: note: to match this '{'
// CHECK-NOT: error:
