// RUN: %pmc %s -O0 -o %t --precision=f64 && %python %S/../../ranks/on_meshes.py %t %t.out 1e-10 1x1 2x2 3x1
// RUN: %python %S/check_tracers.py %t.out/1x1
// Bias fields and their spectra, log-normal mocks, local non-Gaussianity, radial redshift space and the Alcock-Paczynski effect, against
// NumPy. Their gradients by the initial conditions, bias and cosmology against differences. On meshes of ranks.

use cosmology, fields, lensing, particles, spectra, surveys, tracers, primordial

dim x = 12 over 240 Mpc/h
dim y = 10 over 240 Mpc/h
dim z = 8 over 200 Mpc/h
dim deep = 2
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
param omega_m = 0.31

let c = flat_lcdm(omega_m = omega_m)
let other = flat_lcdm(omega_m = 0.4)
fn T(k) = 1 / (1 + (20 * k)^2)
fn P(k) = 3e4 (Mpc/h)^3 / (1 + number(k, 0.05 h/Mpc)^2)
fn noise(seed) = smooth(white_noise[x, y, z](seed), 8 Mpc/h)
let w = white_noise[x, y, z](1)
let delta = noise(1)
let s = {disp = for d in (x, y, z) => 20 Mpc/h * noise(if d == x then 2 else if d == y then 3 else 4),
         mom = for d in (x, y, z) => 9 Mpc/h * noise(if d == x then 5 else if d == y then 6 else 7), a = 0.5}
output w
output delta
output disp = s.disp
output mom = s.mom

// ---- bias ----
let b = bias_fields(delta, 15 Mpc/h)
output bias (delta, square, shear, curvature) = (b.delta, b.square, b.shear, b.curvature)
let parts = advected_fields(s, b, boost = 2, window = "tsc")
let plain = advected_fields(s, b)
output parts = plain
let area = 1 (Mpc/h)^2
let joined = plain[0] + 1.2 * plain[1] + 0.35 * plain[2] - 0.4 * plain[3] + 5 * plain[4]
fn near(name, a, b) {
  assert max(abs(a - b)) < 1e-11 * max(abs(b)), "{}: off by {} of {}", name, max(abs(a - b)), max(abs(b))
}
near("tracer_overdensity", tracer_overdensity(s, lagrangian_bias(b, 1.2, 0.7, -0.4, 5 area)), joined)
near("tracer_overdensity, boost", tracer_overdensity(s, lagrangian_bias(b, bs = 2), boost = 2, window = "tsc"),
     parts[0] + 2 * parts[3])
near("advected_fields, boost", parts[0], overdensity(s, boost = 2, window = "tsc"))
let (k, S, modes) = basis_spectra(plain, compensate = "cic")
output spectra (k, S00, S01, S04, S11, S12, S23, S24, S33, S34, S44, modes) =
  (k, S[0], S[1], S[4], S[5], S[6], S[10], S[11], S[12], S[13], S[14], modes)
// Of a batch each field alone.
let two = map q in [deep, x, y, z] => delta * (1 + index(q, deep))
near("bias_fields, over", bias_fields(two, 15 Mpc/h, over = (x, y, z)).shear[deep = 1], 4 * b.shear)
near("lognormal_field, over", (lognormal_field[deep, x, y, z](P, 3, over = (x, y, z)))[deep = 0],
     lognormal_field[x, y, z](P, 3))
near("local_non_gaussianity, over", (local_non_gaussianity(c, T, two, 50, over = (x, y, z)))[deep = 0],
     local_non_gaussianity(c, T, delta, 50))

near("primordial_potential, over", (primordial_potential(c, T, two, over = (x, y, z)))[deep = 1],
     2 * primordial_potential(c, T, delta))
near("lognormal_colour, over", (lognormal_colour(0.5 * two + w, P, over = (x, y, z)))[deep = 1],
     lognormal_colour(delta + w, P))

// ---- log-normal mocks, local non-Gaussianity ----
output lognormal = lognormal_colour(w, P)
output potential = primordial_potential(c, T, delta)
output skewed = local_non_gaussianity(c, T, delta, f_nl = 3e3)
output kurtic = local_non_gaussianity(c, T, delta, g_nl = 2e7)
output numbers (alpha, b, b2, parallel, perpendicular) =
  (potential_to_overdensity(c, T)(0.03 h/Mpc), scale_dependent_bias(c, T, 2.5, 30)(0.01 h/Mpc),
   scale_dependent_bias(c, T, 2.5, 30, a = 0.6, p = 1.6, delta_c = 1.7)(0.01 h/Mpc),
   alcock_paczynski(c, other, 0.4).parallel,
   alcock_paczynski(c, other, 0.4).perpendicular)

// ---- positions ----
let observer = (40 Mpc/h, -30 Mpc/h, 75 Mpc/h)
let radial = radial_redshift_space(c, s, 0.5, observer)
output radial = radial.disp
let factors = alcock_paczynski(c, other, 0.4)
output seen = fiducial_positions(s, factors, y, observer).disp
output far = fiducial_distances(c, other, positions(s), observer, 500 Mpc/h, points = 4000)
// Two points are one straight line.
let stretch = comoving_distance(other, scale_factor(c, 500 Mpc/h)) / 500 Mpc/h
let by_line = fiducial_distances(c, other, positions(s), observer, 500 Mpc/h, points = 2)[0] - observer[0]
near("fiducial_distances, points", by_line / 1 Mpc/h, stretch * (positions(s)[0] - observer[0]) / 1 Mpc/h)

// ---- gradients ----
fn everything(u, b1, m) {
  let c = flat_lcdm(omega_m = m)
  let linear = local_non_gaussianity(c, T, lognormal_colour(u, P), f_nl = 30 * b1, g_nl = 1e4)
  let b = bias_fields(linear, 15 Mpc/h)
  let moved = {disp = for d in (x, y, z) => s.disp[d] + u * 1 Mpc/h, mom = s.mom}
  let seen =
    fiducial_positions(radial_redshift_space(c, moved, 0.5, observer), alcock_paczynski(c, other, 0.4), y, observer)
  let (_, S, _) = basis_spectra(advected_fields(seen, b, window = "pcs"))
  (tracer_overdensity(seen, lagrangian_bias(b, b1, 0.7, -0.4, 5 area), window = "tsc"),
   (for i in 0 .. 15 => S[i] / 1e4 (Mpc/h)^3),
   fiducial_distances(c, other, seen.disp, observer, 500 Mpc/h)[2] * scale_dependent_bias(c, T, b1, 3e4)(0.02 h/Mpc) /
     9 Mpc/h)
}
let v = white_noise[x, y, z](11)
let (value, along) = jvp(everything, wrt = (u, b1, m))(w, 1.3, omega_m, tangent = (v, 0.7, 0.4))
let (_, back) = vjp(everything, wrt = (u, b1, m))(w, 1.3, omega_m, cotangent = value)
fn at(e) = inner(everything(w + e * v, 1.3 + 0.7 e, omega_m + 0.4 e), value)
let epsilon = 1e-5
let (_, ends) = loop u = 0.0 for i in deep => { u stacking at((2 * i - 1) * epsilon) }
let difference = (ends[deep = 1] - ends[deep = 0]) / (2 epsilon)
let (forward, backward) = (inner(along, value), inner(back, (v, 0.7, 0.4)))
let size = sqrt(inner(along, along) * inner(value, value))
print "J v {:.6e}, J^T w {:.6e}, by differences {:.6e}, of {:.3e}", forward, backward, difference, size
assert abs(forward - backward) < 1e-11 * size, "{} forward, {} backward", forward, backward
assert abs(difference - backward) < 1e-8 * size, "{} by differences, {} backward", difference, backward
output back = back[0]
