// RUN: %pmc %s -O0 -o %t --precision=f64 && %python %S/../../ranks/on_meshes.py %t %t.out 1e-10 1x1 2x2 3x1
// RUN: %python %S/check_statistics.py %t.out/1x1
// Multipoles, correlation functions, the bispectrum, marks, interlaced paints and surveys in a box whose sides differ in length and in
// cells, against sums over cells, modes, pairs and triangles in NumPy. Their gradients against differences. On meshes of ranks.

use math, fields, linalg, particles, spectra, surveys

dim x = 12 over 60 Mpc/h
dim y = 16 over 60 Mpc/h
dim z = 10 over 50 Mpc/h
dim galaxy = 90, point = 300, end = 2
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col

let a = white_noise[x, y, z](1)
let b = a + white_noise[x, y, z](2)
output a
output b

// ---- multipoles ----
let (k, P, modes) = power_multipoles(a, y, ells = (0, 2, 4, 6), compensate = "tsc")
output multipoles (k, P0, P2, P4, P6, modes) = (k, P[0], P[1], P[2], P[3], modes)
let (k2, C, modes2) = cross_multipoles(a, b, x, ells = (2, 4), compensate = "cic")
output crossed (k, P2, P4, modes) = (k2, C[0], C[1], modes2)
let (s, X, pairs) = correlation_function(a, z, 4 Mpc/h, 5.5 Mpc/h, 4, ells = (0, 4), compensate = "ngp")
output correlations (s, X0, X4, pairs) = (s, X[0], X[1], pairs)
let (s2, Y, pairs2) = cross_correlation_function(a, b, y, 0 Mpc/h, 7 Mpc/h, 4, ells = (2, 0), compensate = "cic")
output cross_correlations (s, X2, X0, pairs) = (s2, Y[0], Y[1], pairs2)

// ---- three points, marks, interlaced paints ----
output triangles (k1, k2, k3, B, count) = bispectrum(a, 0.05 h/Mpc, 0.12 h/Mpc, 3, compensate = "cic")
output equal (k1, k2, k3, B, count) = bispectrum(b, 0.3 h/Mpc, 0.06 h/Mpc, 1)
let delta = 0.1 * a
output marked = marked_overdensity(delta, 4 Mpc/h, 1.5, delta_s = 0.5)
let disp = for d in (x, y, z) => 3 Mpc/h * white_noise[x, y, z](if d == x then 4 else if d == y then 5 else 6)
output disp = disp
output interlaced = interlaced_overdensity({disp = disp, mom = disp}, boost = 2, window = "tsc")

// ---- surveys ----
let observer = (-20 Mpc/h, 31 Mpc/h, 12.5 Mpc/h)
let (k3, S, modes3) =
  survey_multipoles(a, observer, ells = (0, 2, 4), normalization = 9e4 (Mpc/h)^3, noise = 7 (Mpc/h)^3,
                    compensate = "cic")
output survey (k, P0, P2, P4, modes) = (k3, S[0], S[1], S[2], modes3)
// The observer may be in the box, at a cell: F there has no direction.
let within = (25 Mpc/h, 30 Mpc/h, 20 Mpc/h)
let W = survey_multipoles(b, within, ells = (4, 2))[1]
output within (P4, P2) = (W[0], W[1])
let (s3, Z, pairs3) =
  survey_correlation(a, observer, 3 Mpc/h, 6 Mpc/h, 4, ells = (0, 2, 4), normalization = 9e4 (Mpc/h)^3)
output survey_correlations (s, X0, X2, X4, pairs) = (s3, Z[0], Z[1], Z[2], pairs3)
let H = survey_correlation(b, within, 0 Mpc/h, 8 Mpc/h, 3, ells = (4,))[1]
output within_correlations = H[0]
fn uniform(D, seed) = for i in 0 .. 3 => length((x, y, z)[i]) * (0.5 + 0.5 * sin(3 * white_noise[D](seed + i)))
let galaxies = uniform(galaxy, 11)
let points = uniform(point, 21)
fn density(pos) = 3e-4 (h/Mpc)^3 * (1 + pos[0] / length(x))
let complete = map q in [galaxy] => 1 + 0.2 * sin(index(q, galaxy))
output galaxies = galaxies
output points = points
output complete = complete
let fkp = fkp_field[x, y, z](galaxies, density(galaxies), points, density(points), P0 = 4000 (Mpc/h)^3,
                             completeness = complete, window = "tsc")
output density = fkp.F
output numbers (normalization, noise, weight) =
  (fkp.normalization, fkp.noise, fkp_weight(1e-4 (h/Mpc)^3, P0 = 3e4 (Mpc/h)^3))

// ---- gradients ----
fn seen(f) {
  let overdense = 0.1 * f
  let bent = interlaced_overdensity({disp = for d in (x, y, z) => disp[d] + f * 1 Mpc/h, mom = disp}, window = "pcs")
  let (_, P, _) = power_multipoles(bent, z)
  let (_, X, _) = correlation_function(f, z, 4 Mpc/h, 5.5 Mpc/h, 4)
  let (_, _, _, B, _) = bispectrum(f, 0.05 h/Mpc, 0.12 h/Mpc, 3)
  let (_, S, _) = survey_multipoles(f, observer)
  let (_, Z, _) = survey_correlation(f, observer, 3 Mpc/h, 6 Mpc/h, 4, ells = (2,))
  ((for l in 0 .. 3 => P[l] / 1e3 (Mpc/h)^3), X, B / 1e6 (Mpc/h)^6, (for l in 0 .. 3 => S[l] / 1e3 (Mpc/h)^3),
   Z[0], marked_overdensity(overdense, 4 Mpc/h, 1.5), cross_covariance(slice(f, z = 0), slice(f, y = 1), x))
}
let v = 0.5 * a + white_noise[x, y, z](7)
let (value, along) = jvp(seen)(a, tangent = v)
let (_, back) = vjp(seen)(a, cotangent = value)
let epsilon = 1e-5
fn at(e) = inner(seen(a + e * v), value)
let (_, ends) = loop u = 0.0 for i in end => { u stacking at((2 * i - 1) * epsilon) }
let difference = (ends[end = 1] - ends[end = 0]) / (2 epsilon)
let (forward, backward) = (inner(along, value), inner(back, v))
let size = sqrt(inner(along, along) * inner(value, value))
print "J v {:.6e}, J^T w {:.6e}, by differences {:.6e}, of {:.3e}", forward, backward, difference, size
assert abs(forward - backward) < 1e-11 * size, "{} forward, {} backward", forward, backward
assert abs(difference - backward) < 1e-8 * size, "{} by differences, {} backward", difference, backward
output back
