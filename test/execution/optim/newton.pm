// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.one --quiet --format=npy && %python %S/check_newton.py %t.one
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=2 --transport=threads --threads=1 && %python %S/check_newton.py %t.ranks
// Newton's method with conjugate gradients has the iterates of NumPy: with negative curvature at the start, for a record, and for a search that fails.

use optim

mesh ranks(row = 1)
layout x -> row
dim step = 14, x = 6, y = 5

let w = map q in [x] => 1 + 0.5 * index(q, x)
// Negative curvature around 0.
fn f(s) = sum(0.25 * w * s^4 - 0.5 * s^2 + 0.1 * s) + 0.5 * sum(s)^2
let start = map q in [x] => 0.1 * index(q, x) - 0.2
fn iterates(method) = (loop (s, state) = (start, method.start(start)) for i in step => {
  let next = method.step(f, s, state, i == 0)
  (next[0], next[1]) stacking next[0]
})[1]
output iterates_of = iterates(newton_cg())
output few_solves = iterates(newton_cg(solves = 2, c1 = 0.3))
// No step decreases f by ten times what its slope promises.
let none = minimize(f, start, newton_cg(c1 = 10, halvings = 3), 3)
assert max(abs(none[0] - start)) == 0, "without a step, the state moves by {}", max(abs(none[0] - start))

// Without halvings, the full step is tried.
let whole = minimize(s => sum((s - 3)^2), start, newton_cg(halvings = 0), 1)[0]
assert max(abs(whole - 3)) < 1e-12, "after a full step, the distance is {}", max(abs(whole - 3))

// A quadratic function of a record has a gradient of 0 at the end.
let b = white_noise[y](1)
fn bowl(r) =
  0.5 * sum((2 + w) * r.a^2) - sum(r.a) + 0.5 * sum(r.b^2) + r.c^2 + 0.3 * r.c * sum(r.a) - sum(b * r.b) - r.c
let from = {a = 0 * w + 1, b = 0 * b, c = 4.0}
let end = minimize(bowl, from, newton_cg(), 14)[0]
let slope = grad(bowl)(end)
assert max(abs(slope.a)) + max(abs(slope.b)) + abs(slope.c) < 1e-9,
       "the gradient at the end is {} {} {}", max(abs(slope.a)), max(abs(slope.b)), slope.c
