// What test/bench/lensing runs: a simulation, alone or with maps of lensing, or the gradient of a sum over a map, several times.
use cosmology, power, fields, lpt, nbody, lensing

const n = 128
const planes = 16
const pixels = 512
const what in ("nbody", "planes", "born", "particles", "rays") = "rays"
const schedule in ("none", "keep", "reverse") = "none"
param times: int = 1

dim x = n, y = n, z = n over 256 Mpc/h
dim p = pixels, q = pixels over 256 Mpc/h
dim plane = planes
dim u = pixels, v = pixels over 5 deg

let c = flat_lcdm()
let P = eisenstein_hu(c)
let reach = comoving_distance(c, 1 / 2.2)
let time = equal_shells(c, reach, planes)
let theta = rays[u, v]()
let source = chi => max(1 - chi / reach, 0)
let none = 0 * theta[0]
let noise = white_noise[u, v](5)

fn cone(start, first, observe) = light_cone(c, start, time, planes, first, observe, turned_copies()).seen
fn result(s) {
  let start = nbody(c, lpt(c, colour(s, spectrum(P)), a = 0.1), from = 0.1, to = time(0), steps = 5)
  if what == "nbody" then sum(nbody(c, start, from = time(0), to = 1, steps = planes).disp[0]^2) / 1 (Mpc/h)^2
  else if what == "born" then sum(noise * cone(start, none, on_planes[p, q](born(c, theta, source))))
  else if what == "particles" then sum(noise * cone(start, none, born_particles[u, v](c, source)))
  else {
    let stack = cone(start, zeros[plane, p, q], keep_planes[plane, p, q]())
    if what == "planes" then sum(stack^2) / 1 (Mpc/h)^2
    else {
      let bent = trace_rays(c, stack, time, theta, source)
      sum(noise * (bent.kappa + bent.gamma1 + bent.gamma2))
    }
  }
}

// What is computed once depends on what was computed before, so that nothing is left out.
let (s, total) = loop (s, total) = (white_noise[x, y, z](1), 0.0) for i in 0 .. times => {
  if schedule == "none" then {
    let value = result(s)
    (s * (1 + 1e-12 * value), total + value)
  } else {
    let (value, g) = value_and_grad(result, schedule = schedule)(s)
    (s - 1e-9 * g, total + value)
  }
}
print "{:.10e} {:.10e}", total, sum(s^2)
