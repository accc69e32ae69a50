// RUN: %pmc %s -o %t && %t --out %t.out --quiet --u=1e-8
// RUN: %t --out %t.out --quiet --u=1e-6 --v=1e-6 && %t --out %t.out --quiet && %t --out %t.out --quiet --u=1e3 --v=1e4
// RUN: %t --out %t.out --quiet --u=1e8 --v=1e-8 && %t --out %t.out --quiet --u=1e8 --v=1e8
// RUN: %t --out %t.out --quiet --u=1e-6 --mesh row=2 --transport=threads --threads=1
// The iterations of lbfgs and newton_cg reach the minimum whatever the units u of the unknown and v of the function are. The
// curvature is v/u^2, up to 1e18.

use optim

param u: f64 = 1
param v: f64 = 1
dim x = 6
mesh ranks(row = 1)
layout x -> row

// Rosenbrock's function.
fn valley(s) = v * (100 * (s.b / u - (s.a / u)^2)^2 + (1 - s.a / u)^2)
let from = {a = -1.2 * u, b = 1.0 * u}
let bottom = minimize(valley, from, lbfgs(), iterations = 60)[1] / v
assert bottom < 1e-12, "lbfgs: f = {} at u = {}, v = {}", bottom, u, v

// Negative curvature at the start: the minimum at 1 has the value -0.25.
fn wells(s) = v * (0.25 * (s / u)^4 - 0.5 * (s / u)^2)
let well = minimize(wells, 0.1 * u, newton_cg(), iterations = 12)[1] / v
assert abs(well + 0.25) < 1e-14, "newton_cg: f = {} at u = {}, v = {}", well, u, v
let curved = minimize(valley, from, newton_cg(), iterations = 80)[1] / v
assert curved < 1e-12, "newton_cg: f = {} at u = {}, v = {}", curved, u, v

// Fields of f32. The first step of lbfgs has the length 1, and one of 1e-8 u would change f by less than f32 represents.
let y = min(u, 1e3)
let w = map q in [x] => 1 + 3 * index(q, x)
fn bowl(s) = v * (sum(w * (s / y - 1)^2) + 0.1 * sum((s / y - 1)^4))
let by_pairs = minimize(bowl, zeros[x], lbfgs(), iterations = 30)[0] / y
assert max(abs(by_pairs - 1)) < 1e-3, "lbfgs: a field is off by {} at u = {}, v = {}", max(abs(by_pairs - 1)), u, v
let by_newton = minimize(bowl, zeros[x], newton_cg(), iterations = 12)[0] / y
assert max(abs(by_newton - 1)) < 1e-3, "newton_cg: a field is off by {} at u = {}, v = {}", max(abs(by_newton - 1)), u,
       v
