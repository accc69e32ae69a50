// RUN: %pmc %s -O0 -o %t --precision=f64 && %python %S/../ranks/on_meshes.py %t %t.out 1e-9 1x1 2x2 3x1
// RUN: %python %S/check_potentials.py %t.out/1x1
// Fifth forces of nDGP and f(R): their potentials against Newton's method with sparse matrices, and their linear growth against SciPy. Gradients by
// the overdensity and the parameters against differences. On meshes of ranks.

use cosmology, fields, modified_gravity, multigrid, nbody

dim x = 12 over 40 Mpc/h
dim y = 8 over 30 Mpc/h
dim z = 8 over 30 Mpc/h
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
param omega_m = 0.31

let c = flat_lcdm(omega_m = omega_m)
let g = smooth(white_noise[x, y, z](1), 3 Mpc/h)
let d = exp(1.5 * g / sqrt(mean(g^2)))
let delta = d / mean(d) - 1
output delta
output ndgp = ndgp_potential(c, delta, 0.8, crossing = 1, cycles = 14)
output ndgp_strong = ndgp_potential(c, delta, 0.5, crossing = 3, cycles = 8, shape = "W", sweeps = 3)
output hu_sawicki = hu_sawicki_potential(c, delta, 0.8, f_r0 = 1e-5, cycles = 14)
output hu_sawicki_screened = hu_sawicki_potential(c, delta, 0.5, f_r0 = 1e-6, cycles = 10, shape = "W", sweeps = 3)

// Without coarser grids, many sweeps solve the finest grid approximately.
fn near(name, a, b, most = 1e-7) {
  assert max(abs(a - b)) < most * max(abs(b)), "{}: off by {} of {}", name, max(abs(a - b)), max(abs(b))
}
fn of_mean_0(f) = (f - mean(f)) / 1 (Mpc/h)^2
let exact = of_mean_0(ndgp_potential(c, delta, 0.8, 1, cycles = 14))
near("ndgp_potential, levels", of_mean_0(ndgp_potential(c, delta, 0.8, 1, cycles = 9, levels = 0)), exact)
near("hu_sawicki_potential, levels", of_mean_0(hu_sawicki_potential(c, delta, 0.8, 1e-5, cycles = 9, levels = 0)),
     of_mean_0(hu_sawicki_potential(c, delta, 0.8, 1e-5, cycles = 14)))
fn left(u) = sqrt(mean((exact - of_mean_0(u))^2))
let plain = left(ndgp_potential(c, delta, 0.8, 1, cycles = 1))
assert left(ndgp_potential(c, delta, 0.8, 1, cycles = 1, sweeps = 4)) < 0.7 * plain, "more sweeps leave as much"
assert left(ndgp_potential(c, delta, 0.8, 1, cycles = 1, levels = 1, shape = "W")) <
       left(ndgp_potential(c, delta, 0.8, 1, cycles = 1, levels = 1)), "W-cycles leave as much"

// ---- forces ----
let mesh_of_8 = (1 + delta) / 8
let plain_force = fourier_force("fd2")(mesh_of_8, 8)
fn check_forces(i: int, e) {
  let n = ndgp_force(c, 1, 3, levels = 1, sweeps = 3, shape = "W", force = fourier_force("fd2"))(mesh_of_8, 8, 0.8)[i]
  let f =
    hu_sawicki_force(c, 1e-5, 3, levels = 1, sweeps = 3, shape = "W", force = fourier_force("fd2"))(32 * mesh_of_8,
                                                                                                    0.25, 0.8)[i]
  near("ndgp_force", n / 1 Mpc/h,
       (plain_force[i] + difference(ndgp_potential(c, delta, 0.8, 1, 3, 1, 3, "W"), e)) / 1 Mpc/h, 1e-10)
  near("hu_sawicki_force", f / 1 Mpc/h,
       (plain_force[i] + difference(hu_sawicki_potential(c, delta, 0.8, 1e-5, 3, 1, 3, "W"), e)) / 1 Mpc/h, 1e-10)
}
check_forces(0, x)
check_forces(2, z)
// Waves of the lattice are left out where each particle has eight cells.
let lattice = map q in [x, y, z] => cos(pi * index(q, x)) + cos(pi * index(q, y)) * cos(pi * index(q, z))
let fine_force = hu_sawicki_force(c, 1e-5, 3, force = fourier_force("fd2"))
near("hu_sawicki_force, lattice", fine_force(mesh_of_8 + 0.1 * lattice, 8, 0.8)[0] / 1 Mpc/h,
     fine_force(mesh_of_8, 8, 0.8)[0] / 1 Mpc/h, 1e-10)

// ---- linear growth ----
let k = 0.2 h/Mpc
let ndgp_growth = modified_growth(c, ndgp_strength(c, 1.5), k, 0.7)
let f_growth = modified_growth(c, hu_sawicki_strength(c, 1e-5), k, 0.7, today = raw_growth(c, 1))
output numbers (beta, ndgp_D, ndgp_f, range2, D, f) =
  (ndgp_beta(c, 0.7, 1.5), ndgp_growth.D, ndgp_growth.f, number(hu_sawicki_range2(c, 0.7, 1e-5), 1 (Mpc/h)^2),
   f_growth.D, f_growth.f)
let halved_growth = modified_growth(c, (k, a) => 1, k, 0.7, today = {D1 = 2 * raw_growth(c, 1).D1})
near("modified_growth, today", halved_growth.D + 0 * g, 0.5 * growth(c, 0.7).D1 + 0 * g, 1e-9)

// ---- gradients ----
fn everything(u, m, p) {
  let c = flat_lcdm(omega_m = m)
  let changed = (1 + delta) * exp(u) - 1
  (ndgp_potential(c, changed, 0.8, p, cycles = 3), hu_sawicki_potential(c, changed, 0.8, 1e-5 * p, cycles = 3),
   modified_growth(c, hu_sawicki_strength(c, 1e-5 * p), k, 0.8).D * 9 (Mpc/h)^2,
   hu_sawicki_force(c, 1e-5 * p, cycles = 3)((1 + changed) / 8, 8, 0.8)[1] * 1 Mpc/h)
}
let v = 0.3 * smooth(white_noise[x, y, z](11), 3 Mpc/h)
let none = 0 * v
let (value, along) = jvp(everything, wrt = (u, m, p))(none, omega_m, 1.2, tangent = (v, 0.07, 0.4))
let (_, back) = vjp(everything, wrt = (u, m, p))(none, omega_m, 1.2, cotangent = value)
fn at(e) = inner(everything(e * v, omega_m + 0.07 e, 1.2 + 0.4 e), value)
dim end = 2
let epsilon = 1e-5
let (_, ends) = loop u = 0.0 for i in end => { u stacking at((2 * i - 1) * epsilon) / 1 (Mpc/h)^4 }
let difference_of = (ends[end = 1] - ends[end = 0]) / (2 epsilon)
let (forward, backward) =
  (inner(along, value) / 1 (Mpc/h)^4, (inner(back[0], v) + 0.07 back[1] + 0.4 back[2]) / 1 (Mpc/h)^4)
let size = sqrt(inner(along, along) * inner(value, value)) / 1 (Mpc/h)^4
print "J v {:.6e}, J^T w {:.6e}, by differences {:.6e}, of {:.3e}", forward, backward, difference_of, size
assert abs(forward - backward) < 1e-10 * size, "{} forward, {} backward", forward, backward
assert abs(difference_of - backward) < 1e-7 * size, "{} by differences, {} backward", difference_of, backward
output back = back[0]
