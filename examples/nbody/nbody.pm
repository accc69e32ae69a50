// A particle-mesh N-body simulation: Gaussian or given initial conditions, second-order Lagrangian perturbation theory,
// FastPM's kick-drift-kick steps, and the density, power spectrum and particles at the end.

use cosmology, power, fields, lpt, nbody, particles, spectra

const n: int in [2, 32768] = 128              "particles a side"
const boost: int in [1, 8] = 1                "force mesh cells a side for each particle a side"
const kernel in ("fd4", "exact") = "fd4"      "gradient of the force: finite differences, or ik"
const apart: int in [0, 1000000] = 0          "steps between checkpoints; 0: none are kept"
const lpt_kernel in ("fd4", "exact") = "fd4"  "gradient of the initial displacements"

param box: length in (0, inf) = 400 Mpc/h  "box side"
param omega_m in (0, 2] = 0.3075           "matter density today"
param omega_k in [-1, 1] = 0               "curvature density today"
param w0 in [-3, 0] = -1                   "dark energy: w = w0 + wa (1 - a)"
param wa in [-3, 3] = 0
param h in (0, 2] = 0.6774                 "Hubble constant in 100 km/s/Mpc"
param omega_b in (0, 1) = 0.0486           "baryon density today"
param n_s in (0, 3) = 0.9667               "slope of the primordial power spectrum"
param sigma8 in (0, 10) = 0.8159           "rms linear overdensity today in spheres of 8 Mpc/h"
param seed: u64 = 42                       "of the initial random field"
param a_start in (0, inf) = 0.1            "scale factor of the initial conditions"
param a_end in (0, inf) = 1                "scale factor of the result"
param steps: int in [1, inf) = 10          "time steps, equally spaced in a"
param lpt_order: int in [1, 2] = 2         "order of the initial conditions"
param particles: bool = false              "write positions and velocities too"

dim x = n, y = n, z = n over box
mesh gpus(row = 1, col = 1)
layout x -> row, y -> col

input delta_lin: field[x, y, z] optional  "linear overdensity at a = 1; without it, drawn from the seed"
input pk: table optional                  "linear spectrum: k [h/Mpc], P [(Mpc/h)^3]; scaled if sigma8 is given"

assert a_start < a_end, "a_start = {} is not before a_end = {}", a_start, a_end

let cosmo = cosmology(omega_m = omega_m, omega_k = omega_k, w0 = w0, wa = wa, h = h,
                      omega_b = omega_b, n_s = n_s, sigma8 = sigma8)

fn linear_spectrum() =
  if given(pk) then (if given(sigma8) then scaled(log_table(pk), sigma8) else log_table(pk))
  else eisenstein_hu(cosmo)

let linear = if given(delta_lin) then delta_lin
             else gaussian_field[x, y, z](spectrum(linear_spectrum()), seed)
let start = lpt_to_second_order(cosmo, linear, a = a_start, order = lpt_order, kernel = lpt_kernel)
let final =
  nbody(cosmo, start, from = a_start, to = a_end, steps = steps, boost = boost, kernel = kernel, checkpoint = apart)

output density = overdensity(final)
output power (k, P, modes) = power_spectrum(density)
if particles {
  output position flatten = positions(final)
  output velocity flatten = velocities(final, a_end)
}
plot slice(1 + density, z = 0 .. min(8, n)) title "The cosmic web" scale log
