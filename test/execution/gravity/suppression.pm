// RUN: %pmc %s -O0 -o %t --precision=f64
// RUN: %t --out %t.light --quiet --mass=0.1 --ratio=%S/Inputs/ratio_0.1.txt --grown=%S/Inputs/growth_0.1.txt
// RUN: %t --out %t.heavy --quiet --mass=0.3 --ratio=%S/Inputs/ratio_0.3.txt --grown=%S/Inputs/growth_0.3.txt
// RUN: %python %S/check_suppression.py %t.light %t.heavy
// The suppression of small waves by massive neutrinos in a simulation, with tables of CAMB, against the growth in these tables.

use math, cosmology, fields, nbody, neutrinos, particles, spectra

param mass in [0, 2] = 0.2
input ratio: table(k, a)
input grown: table(k, a)
dim x = 24, y = 24, z = 24 over 400 Mpc/h
let c = flat_lcdm(omega_m = 0.31, h = 0.7, omega_b = 0.05)
let delta = 1e-3 * smooth(white_noise[x, y, z](1), 20 Mpc/h)
fn of_table(k, a) = interpolate(ratio, clamp(number(k, 1 h/Mpc), 5e-3, 1), a)

// Growth rates relative to those without massive neutrinos, at a = 0.1.
fn relative(k) {
  let q = clamp(number(k, 1 h/Mpc), 5e-3, 1)
  (log(interpolate(grown, q, 0.12)) - log(interpolate(grown, q, 0.08))) / log(0.12 / 0.08)
}
let f1 = growth(c, 0.1).f1
fn power_of(rate, gravity) {
  let start = neutrino_start(c, delta, 0.1, rate)
  let end = nbody(c, start, times = steps_in_a(0.1, 1, 20), boost = 2, window = "tsc", gravity = gravity)
  power_spectrum(overdensity(end, window = "tsc"))
}
let (k, P0, modes) = power_of(k => f1, (mesh, scale, a) => fourier_force()(mesh, scale))
let (_, P, _) = power_of(k => f1 + relative(k), neutrino_force(neutrino_fraction(c, mass), of_table))
output suppression (k, ratio) = (k, map m in P => if P0 > 0 then P / P0 else 0)
