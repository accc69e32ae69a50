// RUN: %pmc %s --precision=f64 -o %t && %t --out %t.out --quiet
// The gradient of a 64^3 simulation of ten steps along random directions, against differences; and by all schedules.
use cosmology, power, fields, lpt, nbody, particles
param epsilon = 3e-8
dim x = 64, y = 64, z = 64 over 200 Mpc/h
let cosmo = flat_lcdm()
let data = white_noise[x, y, z](5)
fn misfit(s) {
  let linear = colour(s, spectrum(eisenstein_hu(cosmo)))
  0.5 sum((overdensity(nbody(cosmo, lpt(cosmo, linear, a = 0.1), from = 0.1, to = 1, steps = 10)) - data)^2)
}
let s = white_noise[x, y, z](1)
let g = grad(misfit)(s)
for i in 0 .. 2 => {
  let v = white_noise[x, y, z](2 + i)
  let along = inner(g, v)
  let difference = (misfit(s + epsilon * v) - misfit(s - epsilon * v)) / (2 epsilon)
  let size = sqrt(inner(g, g))
  print "direction {}: {:.10e}, difference {:.10e}, |g| {:.3e}", i, along, difference, size
  assert abs(along - difference) < 1e-5 * size, "direction {}: {} by the gradient, {} by differences, |g| = {}", i,
         along, difference, size
  along
}
let revolve = grad(misfit, schedule = "revolve", snapshots = 3)(s)
let reverse = grad(misfit, schedule = "reverse")(s)
fn off(h) = sqrt(inner(h - g, h - g) / inner(g, g))
print "revolve off by {:.2e}, reverse by {:.2e}", off(revolve), off(reverse)
assert off(revolve) < 1e-13, "revolve: {} off", off(revolve)
assert off(reverse) < 1e-6, "reverse: {} off", off(reverse)
