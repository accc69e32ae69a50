// How well a power spectrum constrains the cosmology: derivatives of the N-body P(k) with respect to Omega_m and sigma8
// in forward mode, and the Fisher matrix of its Gaussian errors.

use cosmology, power, fields, lpt, nbody, particles, spectra

const n: int in [8, 4096] = 64             "particles a side"
param box: length in (0, inf) = 500 Mpc/h  "box side"
param omega_m in (0, 1) = 0.3075           "matter density today"
param sigma8 in (0, 10) = 0.8159           "rms linear overdensity today in spheres of 8 Mpc/h"
param seed: u64 = 42                       "of the initial random field"
param steps: int in [1, inf) = 10          "time steps, equally spaced in a"
param k_max: f64 h/Mpc = 0.2 h/Mpc         "shells beyond it are left out"

dim x = n, y = n, z = n over box
mesh gpus(row = 1, col = 1)
layout x -> row, y -> col

// (k, P, modes) for one realization: the white noise stays the same.
fn measured(omega_m, sigma8) {
  let cosmo = flat_lcdm(omega_m = omega_m, sigma8 = sigma8)
  let linear = gaussian_field[x, y, z](spectrum(eisenstein_hu(cosmo)), seed)
  let final = nbody(cosmo, lpt(cosmo, linear, a = 0.1), from = 0.1, to = 1, steps = steps)
  power_spectrum(overdensity(final), compensate = "cic")
}

// The derivative of the spectrum along one parameter.
let (fiducial, along_m) = jvp(measured, wrt = omega_m)(omega_m, sigma8, tangent = 1.0)
let (again, along_s) = jvp(measured, wrt = sigma8)(omega_m, sigma8, tangent = 1.0)
let (k, P, modes) = fiducial
let P_m = along_m[1]
let P_s = along_s[1]

// P is a mean over modes of which half are independent: its variance is 2 P^2/modes.
fn information(a, b) = sum(map m in P => if modes > 0 and k <= k_max then a * b * modes / (2 P^2) else 0)
let f_mm = information(P_m, P_m)
let f_ms = information(P_m, P_s)
let f_ss = information(P_s, P_s)
let det = f_mm * f_ss - f_ms^2
assert det > 0, "the spectrum does not tell the parameters apart: the determinant is {}", det

output derivatives (k, P, dP_domega_m, dP_dsigma8, modes) = (k, P, P_m, P_s, modes)
output fisher = (f_mm, f_ms, f_ss)
let (of_omega_m, of_sigma8) =
  (map m in P => if modes > 0 then P_m / P else 0, map m in P => if modes > 0 then P_s / P else 0)
plot sensitivity = (k, of_omega_m, of_sigma8) title "Relative change of P with each parameter" labels ("θ = Ωₘ", "θ = σ₈") ylabel "∂ ln P / ∂θ" xscale log
print "Fisher matrix: {:.6e} {:.6e} {:.6e}", f_mm, f_ms, f_ss
print "omega_m = {:.4f} +- {:.4f}, alone {:.4f}", omega_m, sqrt(f_ss / det), 1 / sqrt(f_mm)
print "sigma8 = {:.4f} +- {:.4f}, alone {:.4f}", sigma8, sqrt(f_mm / det), 1 / sqrt(f_ss)
print "correlation {:.4f}", -f_ms / sqrt(f_mm * f_ss)
