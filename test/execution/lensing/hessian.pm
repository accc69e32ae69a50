// RUN: %pmc %s -O0 -o %t --precision=f64 && %python %S/../ranks/on_meshes.py %t %t.out 1e-10 1x1 2x2
// Hessian products of a misfit of maps by the initial conditions, for straight rays and for bent ones: tangents of gradients against
// differences of gradients; on meshes of ranks.

use cosmology, power, fields, lpt, nbody, lensing

const n = 8
const steps = 2
const epsilon = 1e-4
dim x = n, y = n, z = n over 120 Mpc/h
dim p = 12, q = 12 over 120 Mpc/h
dim s = 8, t = 8 over 8 deg
dim plane = steps
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col, p -> row, q -> col, s -> row, t -> col

let c = flat_lcdm(omega_m = 0.3)
let time = equal_shells(c, 300 Mpc/h, steps)
let theta = rays[s, t]()
let sources = source_planes(c, (0.08, 0.4))
let source = chi => sources(chi)[1]
let data = 0.01 white_noise[s, t](5)

fn start(w) = lpt(c, colour(w, spectrum(eisenstein_hu(c))), a = time(0))
fn planes_of(w) =
  light_cone(c, start(w), time, steps, zeros[plane, p, q], keep_planes[plane, p, q](), turned_copies(1)).seen
fn straight(w) {
  let kappa = over_planes(c, planes_of(w), time, 0 * theta[0], born(c, theta, source, "tsc"))
  sum((kappa - data)^2)
}
fn bent(w) {
  let maps = trace_rays(c, 30 * planes_of(w), time, theta, source, "pcs")
  sum((maps.kappa - data)^2 + maps.gamma1^2 + maps.omega^2)
}
let w = white_noise[x, y, z](1)
let v = white_noise[x, y, z](2)

fn check(f) {
  let along = jvp(grad(f))(w, tangent = v)[1]
  let difference = loop sum = 0 * w for i in 0 .. 2 => sum + (i - 0.5) / epsilon * grad(f)(w + (2 i - 1) * epsilon * v)
  let size = sqrt(inner(along, along))
  let off = sqrt(inner(difference - along, difference - along))
  print "|H v| {:.8e}, differences are off by {:.1e} of it", size, off / size
  assert size > 0 and off < 1e-7 * size, "a Hessian product of norm {} is off by {}", size, off
  along
}
output by_straight = check(straight)
output by_bent = check(bent)
