// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet && %python %S/check_maps.py %t.out
// RUN: %t --out %t.mesh --quiet --mesh row=2,col=2 && %python %S/check_maps.py %t.mesh
// What is made of maps, and the Limber approximation, against NumPy and SciPy.

use cosmology, fields, lensing, sky

dim u = 24 over 5 deg
dim v = 18 over 4 deg
dim l = 6
dim t = 20
mesh ranks(row = 1, col = 1)
layout u -> row, v -> col

output f = smooth(white_noise[u, v](1), 0.25 deg)
output g = white_noise[u, v](2) + f
output weight = map t in [u, v] => sin(pi * t[u] / length(u))^2 * (0.2 + t[v] / length(v))

let (g1, g2) = shear_from_convergence(f)
let (E_map, B_map) = kaiser_squires(f, g)
let (E_back, B_back) = kaiser_squires(g1, g2)
output shear (g1, g2, E, B, again, none) = (g1, g2, E_map, B_map, E_back, B_back)
output auto (l, C, modes) = angular_spectrum(f, from = 40, width = 150, count = 7)
output weighted (l, C, modes) = angular_cross(f, g, from = 40, width = 150, count = 7, weight = weight)
// The first bin begins at 0: the mode 0 does not count.
output lowest (l, C, modes) = angular_spectrum(3 + f, from = 0, width = 120, count = 7)
let kelvin = map q in f => (2 K) * f
let (same_l, C_kelvin, same_modes) = angular_spectrum(kelvin, from = 40, width = 150, count = 7)
output in_kelvin = map q in C_kelvin => number(C_kelvin, 4 K^2)
output aperture = aperture_mass(g, 0.6 deg)
output peak = peaks(g)
output heights = peak_counts(g, from = -1, width = 0.5, count = 9)
output values = histogram(g, from = -1, width = 0.5, count = 9)
// Values at the edges of bins.
dim hundredth = 1001
let decimals = map q in [hundredth] => 0.01 * index(q, hundredth)
output at_edges (a, b, c) =
  (histogram(decimals, from = 0, width = 0.1, count = 100), histogram(decimals, from = 0.3, width = 0.07, count = 100),
   histogram(decimals, from = -0.1, width = 0.3, count = 100))

let c = flat_lcdm(omega_m = 0.3)
fn spectrum(k) = 2e4 (Mpc/h)^3 * pow(number(k, 0.02 h/Mpc), -1.3)
fn n_of_z(z) = z^2 * exp(-(z / 0.5)^1.5)
let multipoles = map q in [l] => 50 * 2^q[l]
let two = limber(c, multipoles, source_planes(c, (0.5, 1.5)), grown(c, spectrum), from = 0.4)
let spread = limber(c, multipoles, source_distribution(c, n_of_z, 3), grown(c, spectrum), from = 0.25)
output predicted (a, b, c) = (two[0], two[1], spread)
output one = limber(c, 300, source_planes(c, (0.5, 1.5)), grown(c, spectrum), from = 0.4)[1]
// Seven shells that the box cuts into 12 pieces, and sources between two borders.
fn turned_over(k, a) = a * 2e4 (Mpc/h)^3 / (1 + number(k, 0.02 h/Mpc)^2)^0.8
let borders = equal_shells(c, comoving_distance(c, 0.4), 7)
output planes = limber_planes(c, multipoles, source_planes(c, (0.5, 1.5)), turned_over, borders, 7, 650 Mpc/h)[1]
output whole =
  limber_planes(c, multipoles, source_planes(c, (0.5, 1.5)), turned_over, borders, 7, comoving_distance(c, 0.4) / 14)[1]
output bands = band_means[t](l => 1 / l, from = 50, width = 30, count = 5)
