// The enhancement of the matter power spectrum by nDGP and f(R) gravity, beside linear theory.

use cosmology, power, fields, lpt, nbody, particles, spectra, modified_gravity

const n = 128                              "particles a side"
const steps = 30                           "time steps"
param box: length in (0, inf) = 128 Mpc/h  "box side"
param crossing in (0, inf) = 1             "crossing scale of nDGP, in units of c/H0"
param f_r0 in (0, 0.001) = 1e-5            "-df/dR today"
param first in (0, 1) = 0.04               "scale factor of the initial conditions"
param seed: u64 = 1                        "another universe"

dim x = n, y = n, z = n over box
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col

let c = flat_lcdm(omega_m = 0.281, h = 0.697, omega_b = 0.046, n_s = 0.971, sigma8 = 0.82)
let linear = gaussian_field[x, y, z](spectrum(eisenstein_hu(c)), seed)
let start = lpt(c, linear, a = first)

// The same particles under three laws of gravity. Each fifth force solves a nonlinear equation by multigrid cycles.
fn spectrum_of(gravity) {
  let end = nbody(c, start, times = steps_in_a(first, 1, steps), boost = 2, gravity = gravity)
  power_spectrum(overdensity(end))
}
let (k, P, modes) = spectrum_of((mesh, scale, a) => fourier_force()(mesh, scale))
let (_, P_ndgp, _) = spectrum_of(ndgp_force(c, crossing))
let (_, P_f, _) = spectrum_of(hu_sawicki_force(c, f_r0))

// Linear theory.
fn linear_rise(strength) = map m in k => modified_growth(c, strength, max(k, 1e-4 h/Mpc), 1).D^2 - 1
let linear_ndgp = linear_rise(ndgp_strength(c, crossing))
let linear_f = linear_rise(hu_sawicki_strength(c, f_r0))

let shell = dims(k)[0]
fn rise(a) = map m in k => if P > 0 then a / P - 1 else 0
let (rise_ndgp, rise_f) = (rise(P_ndgp), rise(P_f))
output enhancement (k, ndgp, ndgp_linear, f, f_linear) = (k, rise_ndgp, linear_ndgp, rise_f, linear_f)
print "at k = {:.3f} h/Mpc: P is {:.3f} times that of general relativity in nDGP, {:.3f} times in f(R)",
      number(k[shell = n / 8], 1 h/Mpc), 1 + rise_ndgp[shell = n / 8], 1 + rise_f[shell = n / 8]
plot enhancement = (k, rise_ndgp, linear_ndgp, rise_f, linear_f) xscale log xrange 0.05 h/Mpc .. 2 h/Mpc title "Power spectrum relative to general relativity" labels ("nDGP", "nDGP, linear", "f(R)", "f(R), linear") ylabel "P/P(general relativity) − 1"
