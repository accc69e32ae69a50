// RUN: %pmc %s -O0 -o %t --precision=f64 && %python %S/../ranks/on_meshes.py %t %t.out 1e-9 1x1 2x2 3x1
// RUN: %python %S/check_linear_response.py %t.out/1x1
// Massive neutrinos by their linear response: fields and forces against NumPy, gradients against differences. On meshes of ranks.

use cosmology, fields, lpt, neutrinos

param mass in [0, 2] = 0.2
const n = 12
dim x = n, y = n, z = n over 400 Mpc/h
dim end = 2
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
let c = flat_lcdm(omega_m = 0.31, h = 0.7, omega_b = 0.05)
let f = neutrino_fraction(c, mass)
let delta = 1e-3 * smooth(white_noise[x, y, z](1), 20 Mpc/h)
output delta

// ---- the approximate ratio ----
let approximate = free_streaming_ratio(c, mass / 3)
let rate = k => 0.98 - 0.05 * number(k, 1 h/Mpc)
let start = neutrino_start(c, delta, 0.1, rate)
output start (x, y, z, px, py, pz) =
  (start.disp[0], start.disp[1], start.disp[2], start.mom[0], start.mom[1], start.mom[2])
output force (x, y, z) = neutrino_force(f, approximate, "fd2", "fd2")(0.5 + 0.5 * delta, 2, 0.3)
output matter = with_neutrinos(delta, 0.3, f, approximate)
let table = tabulate((x, a) => approximate(exp(x) * 1 h/Mpc, a), from = (-6, 0.1), to = (1, 1), points = (2000, 40))
output numbers (f, ratio, strength, tabulated, beyond, exact) =
  (f, approximate(0.1 h/Mpc, 0.5), neutrino_strength(f, approximate)(0.1 h/Mpc, 0.5),
   ratio_of_table(table, 0.003 h/Mpc, 2 h/Mpc)(0.1 h/Mpc, 0.5),
   ratio_of_table(table, 0.003 h/Mpc, 0.2 h/Mpc)(9 h/Mpc, 0.5),
   approximate(0.2 h/Mpc, 0.5))
dim two = 2
let both = map q in [two, x, y, z] => delta * (1 + index(q, two))
fn same(name, a, b) {
  assert max(abs(a - b)) <= 1e-10 * max(abs(b)), "{}: off by {} of {}", name, max(abs(a - b)), max(abs(b))
}
same("with_neutrinos, over", with_neutrinos(both, 0.3, f, approximate, over = (x, y, z))[two = 1],
     2 * with_neutrinos(delta, 0.3, f, approximate))
let exact = neutrino_start(c, delta, 0.1, k => growth(c, 0.1).f1, kernel = "exact", laplacian = "fd2")
let by_lpt = lpt(c, delta / growth(c, 0.1).D1, a = 0.1, kernel = "exact", laplacian = "fd2")
same("neutrino_start, kernel, laplacian", exact.mom[1], by_lpt.mom[1])
same("neutrino_start, kernel, laplacian", exact.disp[1], by_lpt.disp[1])
let batch = neutrino_start(c, both, 0.1, rate, over = (x, y, z))
same("neutrino_start, over", (batch.mom[0])[two = 0], start.mom[0])

// ---- gradients ----
fn everything(u, b, s) {
  let ratio = free_streaming_ratio(c, 0.1 * b)
  let f = neutrino_fraction(c, 0.3 * b)
  let changed = 1e-3 * u
  (with_neutrinos(changed, s, f, ratio) * 1 Mpc/h, neutrino_force(f, ratio)(1 + changed, 1, s)[1],
   neutrino_start(c, changed, 0.1 * s, k => 0.9 * b).mom[0])
}
let w = white_noise[x, y, z](3)
let v = white_noise[x, y, z](4)
let (value, along) = jvp(everything, wrt = (u, b, s))(w, 1.2, 0.6, tangent = (v, 0.3, 0.2))
let (_, back) = vjp(everything, wrt = (u, b, s))(w, 1.2, 0.6, cotangent = value)
fn at(t) = inner(everything(w + t * v, 1.2 + 0.3 t, 0.6 + 0.2 t), value) / 1 (Mpc/h)^2
let epsilon = 1e-5
let (_, ends) = loop w = 0.0 for i in end => { w stacking at((2 * i - 1) * epsilon) }
let difference = (ends[end = 1] - ends[end = 0]) / (2 epsilon)
let (forward, backward) =
  (inner(along, value) / 1 (Mpc/h)^2, (inner(back[0], v) + 0.3 back[1] + 0.2 back[2]) / 1 (Mpc/h)^2)
let size = sqrt(inner(along, along) * inner(value, value)) / 1 (Mpc/h)^2
assert abs(forward - backward) < 1e-10 * size, "{} forward, {} backward", forward, backward
assert abs(difference - backward) < 1e-7 * size, "{} by differences, {} backward", difference, backward
output back = back[0]
