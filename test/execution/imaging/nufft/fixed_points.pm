// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.out --quiet --format=npy && %python %S/check_fixed_points.py %t.out
// RUN: %t --out %t.out --quiet --format=npy --mesh row=2,col=2 && %python %S/check_fixed_points.py %t.out
// RUN: %t --out %t.out --quiet --mesh row=3,col=1
// Fixed points and their implicit derivatives, of complex fields and of tuples, against differences and against linear algebra; what
// FISTA finds, differentiated so and through its iterations; Adam and L-BFGS on complex unknowns.

use solvers, optim

mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
dim x = 6, y = 4 over 1

let w = white_noise[x, y](1)
let b = white_noise[x, y](2) + 1i * white_noise[x, y](3)
let v = white_noise[x, y](4) + 1i * white_noise[x, y](5)
fn slow(u, b, a) = b + a * (0.3 sin(w) * u + 0.2i * u[x + 1] - 0.2 * conj(u))
fn found(b, a) = fixed_point(u => slow(u, b, a), 0 * b, 1e-14, 200)
let x0 = found(b, 0.9)
assert max(abs(slow(x0, b, 0.9) - x0)) < 1e-13
output data (w, b, v) = (w + 0i, b, v)
output solution = x0
let back = vjp(found, wrt = (b, a))(b, 0.9, cotangent = v)[1]
output by_b = back[0]
let h = 1e-5
let difference = (inner(v, found(b, 0.9 + h)) - inner(v, found(b, 0.9 - h))) / (2 * h)
assert abs(back[1] / difference - 1) < 1e-8, "by a number: {} and {}", back[1], difference

// A pair, not linear.
fn pair(a) = fixed_point(p => (0.4 * sin(p[1]) + a * w, 0.3 * cos(p[0]) * a), (0 * w, 0 * w), 1e-14, 100)
fn size(a) = sum(pair(a)[0] * pair(a)[1]^2)
let slope = (size(0.7 + h) - size(0.7 - h)) / (2 * h)
assert abs(grad(size)(0.7) / slope - 1) < 1e-8, "of a pair: {} and {}", grad(size)(0.7), slope
let tangent_of_pair = jvp(size)(0.7, tangent = 1.0)[1]
assert abs(tangent_of_pair / slope - 1) < 1e-8, "forwards, of a pair: {} and {}", tangent_of_pair, slope
let tangent = jvp(found, wrt = (b, a))(b, 0.9, tangent = (v, 1.0))[1]
let along = (found(b + h * v, 0.9 + h) - found(b - h * v, 0.9 - h)) / (2 * h)
assert max(abs(tangent - along)) < 1e-8 * max(abs(along)), "forwards: off by {}", max(abs(tangent - along))

// FISTA.
fn A(q) = (1 + w^2) * q + 0.3 * (2 * q - q[x + 1] - q[x - 1])
let step = 1 / (2.2 + max(w^2))
fn sparse(b, t) = fista(q => A(q) - b, (q, s) => soft_threshold(q, t * s), 0 * b, step, 400).x
fn implied(b, t) = implicit(sparse(b, t), q => soft_threshold(q - step * (A(q) - b), t * step), 1e-14, 500)
fn score(f) = (b, t) => inner(v, f(b, t))
let (through, t1) = grad(score(sparse), wrt = (b, t))(b, 0.3)
let (without, t2) = grad(score(implied), wrt = (b, t))(b, 0.3)
assert sum(norm2(through - without)) < 1e-16 * sum(norm2(through)) and abs(t1 / t2 - 1) < 1e-8, "FISTA: {} and {}", t1,
       t2

// With the step searched for: the same, and derivatives through it.
fn objective(q) = 0.5 inner(q, A(q)) - inner(b, q)
let searched = fista_search(objective, (q, s) => soft_threshold(q, 0.3 * s), 0 * b, 8.0, 400)
assert sum(norm2(searched.x - sparse(b, 0.3))) < 1e-18 * sum(norm2(searched.x)), "off by {}",
       sum(norm2(searched.x - sparse(b, 0.3)))
assert searched.step > 0.9 / (2.2 + max(w^2)) / 2 and searched.step < 8 / 3, "the step is {}", searched.step
fn by_search(b, t) =
  fista_search(q => 0.5 inner(q, A(q)) - inner(b, q), (q, s) => soft_threshold(q, t * s), 0 * b, 8.0, 400).x
let (of_search, t3) = grad(score(by_search), wrt = (b, t))(b, 0.3)
assert sum(norm2(through - of_search)) < 1e-16 * sum(norm2(through)) and abs(t1 / t3 - 1) < 1e-8,
       "a search for steps: {} and {}", t1, t3

// Optimizers: both parts of an unknown find their place; Adam scales them alike.
fn misfit(q) = 0.5 inner(q, A(q)) - inner(b, q)
let solution = cg(A, b, 1e-14, 200)
let (by_lbfgs, loss) = minimize(misfit, 0 * b, lbfgs(), iterations = 40)
assert sum(norm2(by_lbfgs - solution)) < 1e-12 * sum(norm2(solution)), "L-BFGS is off by {}",
       sum(norm2(by_lbfgs - solution))
let (by_adam, loss_adam) = minimize(misfit, 0 * b, adam(0.02), iterations = 1500)
assert sum(norm2(by_adam - solution)) < 1e-8 * sum(norm2(solution)), "Adam is off by {}", sum(norm2(by_adam - solution))
let first = minimize(misfit, 0 * b, adam(0.02), iterations = 1)[0]
assert max(abs(first - 0.02 * b / abs(b))) < 1e-8, "Adam's first step goes along the gradient: {}",
       max(abs(first - 0.02 * b / abs(b)))
