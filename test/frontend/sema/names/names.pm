// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Undefined names, also in functions that nothing calls.
param omega: f64 = 1
// CHECK: :[[#@LINE+1]]:13: error: undefined name 'omegga'; did you mean 'omega'?
let alpha = omegga
// CHECK: :[[#@LINE+1]]:12: error: undefined name 'alpa'; did you mean 'alpha'?
let beta = alpa
// CHECK: :[[#@LINE+2]]:20: error: undefined name 'valeu'
// CHECK: :[[#@LINE+1]]:28: error: undefined name 'lenght'; did you mean 'length'?
fn unused(value) = valeu + lenght(3)
// CHECK: :[[#@LINE+1]]:17: error: undefined name 'unusd'; did you mean 'unused'?
let gamma = cos(unusd)
// CHECK: :[[#@LINE+2]]:12: error: 'late' is used before it is defined
// CHECK: :[[#@LINE+2]]:5: note: defined here
let zeta = late
let late = 1
// CHECK: :[[#@LINE+1]]:12: error: there is no 'norm': write sqrt(norm2(v))
let iota = norm(3)
// CHECK: :[[#@LINE+1]]:23: error: undefined name 'wide'
let kappa = map k in [wide] => k
// CHECK: :[[#@LINE+2]]:38: error: undefined name 'q'
// CHECK: :[[#@LINE+1]]:59: error: undefined name 'w'
fn f(delta: field[x, y]) -> field[x, q] = for d in (x, y, w) => d
// CHECK: :[[#@LINE+2]]:9: error: two parameters are called 'a'
// CHECK: :[[#@LINE+1]]:6: note: the first one
fn g(a, a) = a
fn h(a) {
  let b = a
  // CHECK: :[[#@LINE+2]]:7: error: 'b' is defined twice in this block
  // CHECK: :[[#@LINE-2]]:7: note: first defined here
  let b = 2
  // CHECK: :[[#@LINE+1]]:17: error: 'local' leads back to itself: recursion is not possible, use a loop
  fn local(u) = local(u)
  b
}
// CHECK: :[[#@LINE+1]]:16: error: undefined name 'q'
let mu = (p => q)(1)
