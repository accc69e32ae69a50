// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.out --quiet --format=npy && %python %S/check_solver_minima.py %t.out
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=2,col=2 && %python %S/check_solver_minima.py %t.ranks
// Solvers find the same minimum, each in its own way, of l1, total variation and total generalized variation, on one rank and on
// four; iterates and minima of the last against NumPy; its adjoint by dot products, and its derivatives against differences.

use solvers, mri

mesh gpus(row = 1, col = 1)
layout x -> row, y -> col
dim x = 12, y = 8 over 1
dim u = 6, v = 4, w = 5 over 1

let weight = white_noise[x, y](1)
let b = white_noise[x, y](2) + 1i * white_noise[x, y](3)
let cube = white_noise[u, v, w](4)
fn A(q) = (0.5 + weight^2) * q + 0.2 * (2 * q - q[x + 1] - q[x - 1])
fn gradient_of(q) = A(q) - b
fn l1(q, t) = soft_threshold(q, 0.8 * t)
fn K(q) = differences(q)
fn KT(p) = differences_adjoint(p)
fn same(name, p, q) {
  assert sum(norm2(p - q)) < 1e-16 * sum(norm2(q)), "{}: apart by {}", name, sqrt(sum(norm2(p - q)) / sum(norm2(q)))
}

let step = 1 / (1.3 + max(weight^2))
let sparse = fista(gradient_of, l1, 0 * b, step, 600).x
same(1, pogm(gradient_of, l1, 0 * b, step, 600).x, sparse)
same(2, pogm(gradient_of, l1, 0 * b, step, 600, restart = false).x, sparse)
same(3,
     condat_vu(gradient_of, (q, t) => q, (p, t) => p / max(abs(p) / 0.8, 1), q => q, p => p, b, 1 / (0.5 / step + 0.5),
               0.5, 600).x, sparse)
same(4, admm((q, old) => conjugate_gradients(s => A(s) + s, b + q, old, 1e-13, 60).x, l1, q => q, b, 1, 150).x, sparse)
let (f30, p30) =
  (fista(gradient_of, l1, 0 * b, step, 30, restart = false), pogm(gradient_of, l1, 0 * b, step, 30, restart = false))
fn objective(q) = 0.5 inner(q, A(q)) - inner(q, b) + 0.8 sum(abs(q))
assert objective(p30.x) - objective(sparse) < 0.6 * (objective(f30.x) - objective(sparse)),
       "POGM is not faster: {}, {}",
       objective(p30.x) - objective(sparse),
       objective(f30.x) - objective(sparse)

// Total variation: also by FISTA and POGM for the dual vectors p, x being b - KT p.
let smooth = tv_image(denoising(), b, 0.3, 1500, 0.2)
let dual = fista(p => K(KT(p) - b), (p, t) => into_ball(p, 0.3), 0 * K(b), 1 / 16, 1000).x
same(5, b - KT(dual), smooth)
same(6, b - KT(pogm(p => K(KT(p) - b), (p, t) => into_ball(p, 0.3), 0 * K(b), 1 / 16, 1000).x), smooth)
same(7,
     admm((q, old) => conjugate_gradients(s => s + KT(K(s)), b + KT(q), old, 1e-13, 60).x,
          (p, t) => group_soft_threshold(p, 0.3 * t), K, b, 1, 400).x, smooth)

output data = b
output cubes = cube
output sparse_found = sparse
output weights = weight
output smooth_found = smooth
output tgv_iterate = tgv_image(denoising(), b, 0.3, 1.5, 3, 0.05)
output tgv_iterate3 = tgv_image(denoising(), cube, 0.3, iterations = 3)
output tgv_found = tgv_image(denoising(), b, 0.3, 1.5, 2500, 0.2)

let some = (b, 2i * b, b^2)
let others = for i in 0 .. 6 => b^i
let (left, right) =
  (inner(generalised_slopes(some, (x, y)), others), inner(some, generalised_slopes_adjoint(others, (x, y))))
assert abs(left / right - 1) < 1e-13, "the transpose: {} and {}", left, right

fn score(q, r) = sum(weight * norm2(tgv_image(denoising(), q, r, 1.5, 12)))
let (by_data, by_weight) = grad(score, wrt = (q, r))(b, 0.3)
let h = 1e-6
let along = (score(b + h * weight, 0.3 + h) - score(b - h * weight, 0.3 - h)) / (2 * h)
assert abs((inner(by_data, weight + 0i) + by_weight) / along - 1) < 1e-6, "derivatives: {} and {}",
       inner(by_data, weight + 0i) + by_weight, along
fn score_pogm(q, r) = sum(weight * norm2(pogm(s => A(s) - q, (s, t) => soft_threshold(s, r * t), q, step, 12).x))
let (by_data2, by_weight2) = grad(score_pogm, wrt = (q, r))(b, 0.3)
let along2 = (score_pogm(b + h * weight, 0.3 + h) - score_pogm(b - h * weight, 0.3 - h)) / (2 * h)
assert abs((inner(by_data2, weight + 0i) + by_weight2) / along2 - 1) < 1e-6, "derivatives of POGM: {} and {}",
       inner(by_data2, weight + 0i) + by_weight2, along2
let forward = jvp(score_pogm, wrt = (q, r))(b, 0.3, tangent = (weight + 0i, 1))[1]
assert abs(forward / (inner(by_data2, weight + 0i) + by_weight2) - 1) < 1e-11, "jvp and grad of POGM differ"
