// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet
// RUN: not %pmc %S/Inputs/too_many.pm 2>&1 | FileCheck %s
// Library functions that are written out for a number of components or steps: every number up to the most, and one more is an error.
use math, matrices
fn same(a, b) = abs(a - b) < 1e-12 * max(abs(b), 1)
fn numbers(n: int) = for i in 0 .. n => 1.0 + i
fn check(n: int) {
  let factorial = loop p = 1.0 for i in 0 .. n => p * (i + 1)
  assert same(product(numbers(n)), factorial), "the product of {} numbers: {}", n, product(numbers(n))
  n
}
let all = check(1) + check(2) + check(3) + check(4) + check(5) + check(6) + check(7) + check(8)
fn steps(n: int) {
  // 1 + 2 (2 + 2 (3 + …)): each step counts once, in its order.
  let found = repeated(0.0, (x, i) => 2 * x + i, n)
  let expected = loop x = 0.0 for i in 0 .. n => 2 * x + i
  assert same(found, expected), "{} steps: {}, expected {}", n, found, expected
  n
}
let some = steps(0) + steps(1) + steps(8) + steps(9) + steps(10) + steps(17) + steps(18) + steps(19) + steps(26) +
  steps(27) + steps(28) + steps(35) + steps(36)
fn solved(n: int) {
  let A = for i in 0 .. n => for j in 0 .. n => (if i == j then 2.0 + i else 0.0) + 1 / (1.0 + i + 2 * j)
  let x = numbers(n)
  let found = solve(A, matrix_vector(A, x))
  assert total(for i in 0 .. n => abs(found[i] - x[i])) < 1e-9, "{} unknowns", n
  n
}
let systems = solved(1) + solved(2) + solved(3) + solved(15) + solved(16)
print "{} {} {}", all, some, systems
// CHECK-DAG: error: the index of a component must be from 0 to 8, not -1
// CHECK-DAG: error: 'repeated' makes 36 steps at most
// CHECK-DAG: error: a matrix has at most 16 rows and columns here
