// What test/bench/gradient runs: a misfit of an N-body simulation, or its value and gradient, several times.
use cosmology, power, fields, lpt, nbody, particles

const n = 128
const what in ("forward", "gradient") = "gradient"
const schedule in ("keep", "revolve", "reverse") = "keep"
const snapshots = 3
param box: length = 400 Mpc/h
param steps: int = 10
param times: int = 1

dim x = n, y = n, z = n over box
let cosmo = flat_lcdm()
let P = eisenstein_hu(cosmo)
let data = white_noise[x, y, z](5)
fn misfit(s) =
  0.5 sum((overdensity(nbody(cosmo, lpt(cosmo, colour(s, spectrum(P)), a = 0.1), from = 0.1, to = 1, steps = steps)) -
           data)^2)
fn derivative(s) =
  if schedule == "revolve" then value_and_grad(misfit, schedule = schedule, snapshots = snapshots)(s)
  else value_and_grad(misfit, schedule = schedule)(s)

// What is computed once depends on what was computed before, so that nothing is left out.
let (s, total) = loop (s, total) = (white_noise[x, y, z](1), 0.0) for i in 0 .. times => {
  if what == "forward" then {
    let value = misfit(s)
    (s * (1 + 1e-12 * value), total + value)
  } else {
    let (value, g) = derivative(s)
    (s - 1e-9 * g, total + value)
  }
}
print "{:.10e} {:.10e}", total, sum(s^2)
