// The power spectrum of f(R) gravity relative to general relativity, from the same particles, at a = 2/3 and at a = 1.

use cosmology, power, fields, lpt, nbody, particles, spectra, modified_gravity

const n = 64                               "particles a side"
const steps = 30                           "time steps"
const boost = 2                            "mesh cells per particle along each side"
const cycles = 4                           "multigrid cycles of each force"
param box: length in (0, inf) = 128 Mpc/h  "box side"
param first in (0, 0.5) = 0.04             "scale factor of the initial conditions"
param seed: u64 = 1                        "another universe"

dim x = n, y = n, z = n over box

let c = flat_lcdm()
let start = lpt(c, gaussian_field[x, y, z](spectrum(eisenstein_hu(c)), seed), a = first, d2 = "true")
const early = 2 * steps / 3

fn spectra_of(gravity) {
  let middle = nbody(c, start, times = steps_in_a(first, 2 / 3, early), boost = boost, gravity = gravity)
  let end = nbody(c, middle, times = steps_in_a(2 / 3, 1, steps - early), boost = boost, gravity = gravity)
  (power_spectrum(overdensity(middle, boost = boost)), power_spectrum(overdensity(end, boost = boost)))
}
let plain = spectra_of((mesh, scale, a) => fourier_force()(mesh, scale))
let strong = spectra_of(hu_sawicki_force(c, 1e-5, cycles = cycles))
let weak = spectra_of(hu_sawicki_force(c, 1e-6, cycles = cycles))
fn ratio(s, i: int) {
  let (P, P0) = (s[i][1], plain[i][1])
  map m in P => if P0 > 0 then P / P0 else 1
}
let (k, P, modes) = plain[0]
output enhancement (k, modes, strong_early, strong, weak_early, weak) =
  (k, modes, ratio(strong, 0), ratio(strong, 1), ratio(weak, 0), ratio(weak, 1))
