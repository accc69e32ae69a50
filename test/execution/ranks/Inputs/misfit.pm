// Gradients of misfits by the initial conditions and by omega_m: through LPT alone, and through a simulation, the loop of
// which is reversed in all three ways.
use cosmology, power, fields, lpt, nbody, particles

const n = 18
param omega_m: f64 = 0.3075
dim x = n, y = n, z = n over 4 * n * 1 Mpc/h
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col

let data = white_noise[x, y, z](5)

fn begin(s, c) = lpt(c, colour(s, spectrum(eisenstein_hu(c))), a = 0.1)
fn misfit(particles) = 0.5 sum((overdensity(particles) - data)^2)
fn early(s, m) = misfit(begin(s, flat_lcdm(omega_m = m)))
fn late(s, m) {
  let c = flat_lcdm(omega_m = m)
  misfit(nbody(c, begin(s, c), from = 0.1, to = 1, steps = 3, boost = 2))
}

let s = white_noise[x, y, z](1)
let (before, start) = value_and_grad(early, wrt = (s, m))(s, omega_m)
let (after, keep) = value_and_grad(late, wrt = (s, m))(s, omega_m)
let revolve = grad(late, wrt = (s, m), schedule = "revolve", snapshots = 2)(s, omega_m)
let reverse = grad(late, wrt = (s, m), schedule = "reverse")(s, omega_m)
output by_field (start, keep, revolve, reverse) = (start[0], keep[0], revolve[0], reverse[0])
output by_omega_m (start, keep, revolve, reverse) = (start[1], keep[1], revolve[1], reverse[1])
print "{:.17e} {:.17e}", before, after

fn off(g) = sqrt(inner(g[0] - keep[0], g[0] - keep[0]) / inner(keep[0], keep[0]))
assert off(revolve) < 1e-14, "revolve: {:.2e} off", off(revolve)
assert off(reverse) < 1e-11, "reverse: {:.2e} off", off(reverse)
