// RUN: not %pmc --emit=ast %s 2>&1 | FileCheck %s
// CHECK: :[[#@LINE+1]]:22: error: expected 'minimizing', found the end of the line
optimize s from start
let a = 1
// CHECK: :[[#@LINE+1]]:37: error: expected 'with' and an optimizer, found the end of the line
optimize s from start minimizing s^2
let b = 1
// CHECK: :[[#@LINE+1]]:49: error: expected 'for' and a number of iterations, found the end of the line
optimize s from start minimizing s^2 with adam()
let c = 1
// CHECK: :[[#@LINE+1]]:57: error: expected 'iterations', found the end of the line
optimize s from start minimizing s^2 with adam() for 100
let d = 1
// CHECK: :[[#@LINE+1]]:66: error: expected ',', found '100'
optimize s from start minimizing s^2 with adam() for r in (1, 2) 100 iterations
// CHECK: :[[#@LINE+1]]:79: error: expected 'every', found '3'
optimize s from start minimizing s^2 with adam() for 10 iterations checkpoint 3
// CHECK: :[[#@LINE+1]]:76: error: expected a name, found '3'
optimize s from start minimizing s^2 with adam() for 10 iterations history 3
// CHECK: :[[#@LINE+1]]:73: error: expected ':', found ','
optimize s from start minimizing s^2 with adam() for i in 0 .. n every 3, checks = s
// CHECK: :[[#@LINE+1]]:81: error: expected '=', found the end of the line
optimize s from start minimizing s^2 with adam() for i in 0 .. n every 3: checks
fn f(x) {
// CHECK: :[[#@LINE+1]]:3: error: 'optimize' is allowed only at the top level
  optimize s from x minimizing s^2 with adam() for 10 iterations
  x
}
// CHECK: :[[#@LINE+1]]:9: error: expected '(', found the end of the line
@adjoint
fn g(x) = x
// CHECK: :[[#@LINE+1]]:12: error: expected 'fn', found the end of the line
@adjoint(f)
let e = 1
// CHECK: :[[#@LINE+1]]:2: error: expected 'adjoint' or 'tangent', found 'other'
@other(f)
fn h(x) = x
// CHECK: :[[#@LINE+2]]:1: error: a function has one '@tangent'
@tangent(f)
@tangent(g)
fn j(x) = x
// CHECK: :[[#@LINE+1]]:13: error: expected the name of the function that second derivatives differentiate, found ')'
@tangent(f, )
fn k(x) = x
if a > 0 {
// CHECK: :[[#@LINE+1]]:3: error: '@adjoint' must be in front of a function at the top level
  @adjoint(f)
  fn i(x) = x
}
