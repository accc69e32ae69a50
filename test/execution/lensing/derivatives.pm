// RUN: %pmc %s -O0 -o %t --precision=f64 && %python %S/../ranks/on_meshes.py %t %t.out 1e-11 1x1 2x1 2x2 3x1
// RUN: %if mpi %{ %python %S/../ranks/on_meshes.py %t %t.out 1e-11 1x1 3x1 --mpi %}
// Derivatives of maps by the initial conditions and by Omega_m, through the simulation, the light cone and the rays: forward against
// backward mode, both against differences, and backward mode by every schedule; on meshes of ranks.

use cosmology, power, fields, lpt, nbody, lensing

const n = 12
const steps = 3
const epsilon = 1e-6
param omega_m = 0.3
dim x = n, y = n, z = n over 120 Mpc/h
dim p = 16, q = 16 over 120 Mpc/h
dim u = 10, v = 12 over 8 deg
dim plane = steps
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col, p -> row, q -> col, u -> row, v -> col

let theta = rays[u, v]()
fn begin(w, c, time) = lpt(c, colour(w, spectrum(eisenstein_hu(c))), a = time(0))
fn moving(c) = equal_shells(c, 300 Mpc/h, steps)

// Traced rays: numbers per source, of planes that are stronger than they are, so that rays bend.
fn traced(w, m) {
  let c = flat_lcdm(omega_m = m)
  let time = moving(c)
  let stack =
    light_cone(c, begin(w, c, time), time, steps, zeros[plane, p, q], keep_planes[plane, p, q](), turned_copies(1)).seen
  let bent = trace_rays(c, 30 * stack, time, theta, source_planes(c, (0.08, 0.4)))
  (bent.kappa[1], bent.gamma1[0] + bent.gamma2[1], bent.omega[1] + bent.beta[0][1])
}
fn straight(w, m) {
  let c = flat_lcdm(omega_m = m)
  let time = moving(c)
  let seen = light_cone(c, begin(w, c, time), time, steps, (0 * theta[0], 0 * theta[0]),
                        born_particles[u, v](c, source_planes(c, (0.08, 0.4)), "tsc")).seen
  (seen[0], seen[1])
}

let w = white_noise[x, y, z](1)
let v1 = white_noise[x, y, z](2)
fn wave(k) = white_noise[u, v](k)

fn compare(f, back, cotangent) {
  let (value, along) = jvp(f, wrt = (w, m))(w, omega_m, tangent = (v1, 0.3))
  let forward = inner(along, cotangent)
  let size = sqrt(inner(along, along) * inner(cotangent, cotangent))
  let backward = inner(back, (v1, 0.3))
  fn at(e) = inner(f(w + e * v1, omega_m + 0.3 e), cotangent)
  let difference = (at(epsilon) - at(-epsilon)) / (2 epsilon)
  let by_m = (inner(f(w, omega_m + epsilon), cotangent) - inner(f(w, omega_m - epsilon), cotangent)) / (2 epsilon)
  print "J v {:.8e}, J^T w {:.8e}, of |J v| |w| = {:.2e}; by omega_m: {:.8e}", forward, backward, size, back[1]
  assert abs(forward - backward) < 1e-11 * size, "{} forward, {} backward", forward, backward
  assert abs(difference - backward) < 1e-6 * size, "{} by differences, {}", difference, backward
  assert abs(by_m - back[1]) < 1e-6 * size, "{} by differences, {}", by_m, back[1]
  back
}
let cotangent = (wave(3), wave(4), wave(5))
let keep = vjp(traced, wrt = (w, m))(w, omega_m, cotangent = cotangent)[1]
let by_rays = compare(traced, keep, cotangent)
let reverse = vjp(traced, wrt = (w, m), schedule = "reverse")(w, omega_m, cotangent = cotangent)[1]
fn off(g) = max(sqrt(inner(g[0] - keep[0], g[0] - keep[0]) / inner(keep[0], keep[0])), abs(g[1] / keep[1] - 1))
assert off(reverse) < 1e-9, "reverse is off by {}", off(reverse)

let two = (wave(3), wave(4))
let revolve = vjp(straight, wrt = (w, m), schedule = "revolve", snapshots = 2)(w, omega_m, cotangent = two)[1]
let by_particles = compare(straight, revolve, two)
output gradient (rays, particles) = (by_rays[0], by_particles[0])
output by_omega_m (rays, particles) = (by_rays[1], by_particles[1])
