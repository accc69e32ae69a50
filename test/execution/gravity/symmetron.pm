// RUN: %pmc %s -O0 -o %t --precision=f64 && %python %S/../ranks/on_meshes.py %t %t.out 1e-9 1x1 2x2 3x1
// RUN: %python %S/check_symmetron.py %t.out/1x1
// The fifth force of the symmetron against Newton's method with sparse matrices, small waves against linear theory, and gradients against
// differences. On meshes of ranks.

use fields, modified_gravity, multigrid, nbody

dim x = 12 over 40 Mpc/h
dim y = 8, z = 8 over 30 Mpc/h
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col

let g = smooth(white_noise[x, y, z](1), 3 Mpc/h)
let d = exp(1.5 * g / sqrt(mean(g^2)))
let delta = d / mean(d) - 1
output delta
output weak = symmetron_potential(delta, 0.9, 0.4, 2 Mpc/h, coupling = 0.7, cycles = 14)
output screened = symmetron_potential(delta, 0.6, 0.5, 1 Mpc/h, coupling = 1, cycles = 12, shape = "W", sweeps = 3)
assert max(abs(symmetron_potential(delta, 0.4, 0.5, 1 Mpc/h, 1))) == 0 (Mpc/h)^2, "before the symmetry breaking"

fn near(name, a, b, most = 1e-7) {
  assert max(abs(a - b)) < most * max(abs(b)), "{}: off by {} of {}", name, max(abs(a - b)), max(abs(b))
}
fn pure(f) = f / 1 (Mpc/h)^2
let exact = pure(symmetron_potential(delta, 0.9, 0.4, 2 Mpc/h, 0.7, cycles = 14))
near("levels", pure(symmetron_potential(delta, 0.9, 0.4, 2 Mpc/h, 0.7, cycles = 30, levels = 0)), exact)
fn left(u) = sqrt(mean((exact - pure(u))^2))
assert left(symmetron_potential(delta, 0.9, 0.4, 2 Mpc/h, 0.7, cycles = 1, sweeps = 4)) <
       0.7 * left(symmetron_potential(delta, 0.9, 0.4, 2 Mpc/h, 0.7, cycles = 1)), "more sweeps leave as much"

// A small wave along x has the strength of linear theory, for k of the difference of order 2.
let wave = map q in delta => 1e-5 * cos(2 * pi * index(q, x) / 12)
let k = 2 / spacing(x) * sin(pi / 12)
let linear = map q in wave => -(symmetron_strength(0.4, 2 Mpc/h, 0.7)(k, 0.9) - 1) * wave / k^2
near("small waves", pure(symmetron_potential(wave, 0.9, 0.4, 2 Mpc/h, 0.7, cycles = 20)), pure(linear), 1e-4)
assert symmetron_strength(0.5, 2 Mpc/h, 0.7)(k, 0.4) == 1, "the strength before the symmetry breaking"

// ---- forces ----
let mesh_of_8 = (1 + delta) / 8
let plain_force = fourier_force("fd2")(mesh_of_8, 8)
fn check_force(i: int, e) {
  let f = symmetron_force(0.4, 2 Mpc/h, 0.7, 3, levels = 1, sweeps = 3, shape = "W", force = fourier_force("fd2"))
  near("symmetron_force", f(32 * mesh_of_8, 0.25, 0.9)[i] / 1 Mpc/h,
       (plain_force[i] + difference(symmetron_potential(delta, 0.9, 0.4, 2 Mpc/h, 0.7, 3, 1, 3, "W"), e)) / 1 Mpc/h,
       1e-10)
}
check_force(0, x)
check_force(2, z)

// ---- gradients ----
let v = 0.3 * smooth(white_noise[x, y, z](11), 3 Mpc/h)
fn everything(u, p) {
  let changed = (1 + delta) * exp(u) - 1
  sum(pure(symmetron_potential(changed, 0.9, 0.4 * p, 2 Mpc/h * p, 0.7 * p, cycles = 4))^2) +
    sum(symmetron_force(0.4 * p, 2 Mpc/h, 0.7, cycles = 3)((1 + changed) / 8, 8, 0.9)[1]^2) / 1 (Mpc/h)^2
}
let (value, slope) = jvp(everything, wrt = (u, p))(0 * v, 1.1, tangent = (v, 0.4))
let (_, back) = value_and_grad(everything, wrt = (u, p))(0 * v, 1.1)
let backward = inner(back[0], v) + 0.4 * back[1]
let steps = (everything(1e-5 * v, 1.1 + 4e-6) - everything(-1e-5 * v, 1.1 - 4e-6)) / 2e-5
assert abs(slope - backward) < 1e-9 * abs(backward), "{} forward, {} backward", slope, backward
assert abs(slope - steps) < 1e-6 * abs(slope), "{}, and {} by differences", slope, steps
