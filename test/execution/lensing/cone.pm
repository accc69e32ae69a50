// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet && %python %S/check_cone.py %t.out
// RUN: %t --out %t.curved --quiet --omega_k=-0.4 --mesh row=3,col=1 && %python %S/check_cone.py %t.curved -0.4
// RUN: %t --out %t.mesh --quiet --mesh row=2,col=2 && %python %S/check_cone.py %t.mesh
// Particles on the light cone, lens planes, Born maps and traced rays, for several sources, against a replay in NumPy, on meshes of
// ranks, too.

use cosmology, power, fields, lpt, nbody, lensing

const n = 16
const steps = 7  // shells of 84 Mpc/h, some of which meet two copies of the box
param box: length = 100 Mpc/h
param omega_k = 0.0
param reach: length = 590 Mpc/h  "of the cone"
dim x = n, y = n, z = n over box
dim p = 24, q = 20 over box
dim u = 14, v = 18 over 8 deg
dim plane = steps
dim copy = 60
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col, p -> row, q -> col, u -> row, v -> col

let c = cosmology(omega_m = 0.28, omega_k = omega_k)
output linear = gaussian_field[x, y, z](spectrum(eisenstein_hu(c)), 3)
let time = equal_shells(c, reach, steps)
let start = nbody(c, lpt(c, linear, a = 0.1), from = 0.1, to = time(0), steps = 3)
let theta = rays[u, v]()
let none = 0 * theta[0]

let cone = light_cone(c, start, time, steps, zeros[plane, p, q], keep_planes[plane, p, q](), turned_copies(5))
output turned = cone.seen
output particles (x, y, z, px, py, pz) = (cone.particles.disp[0], cone.particles.disp[1], cone.particles.disp[2],
                                          cone.particles.mom[0], cone.particles.mom[1], cone.particles.mom[2])

// Collected on the way: a number of maps, and one for a distribution of sources.
let sources = source_planes(c, (0.12, 0.2, 0.9))
output maps (a, b, c) =
  light_cone(c, start, time, steps, (none, none, none), on_planes[p, q](born(c, theta, sources))).seen
fn n_of_z(z) = z^2 * exp(-(z / 0.2)^1.5)
let fold = light_cone(c, start, time, steps, zeros[plane, p, q], keep_planes[plane, p, q]()).seen
output same = fold
output direct (a, b) =
  light_cone(c, start, time, steps, (none, none), born_particles[u, v](c, source_planes(c, (0.12, 0.9)), "tsc"),
             turned_copies(5)).seen
output spread = over_planes(c, fold, time, none, born(c, theta, source_distribution(c, n_of_z, 0.6), "tsc"))
output aligned = over_planes(c, fold, time, none, intrinsic_alignment(c, theta, n_of_z, 0.6, 1.3))
let shear = over_planes(c, fold, time, (none, none), born_shear(c, theta, chi => sources(chi)[1]))
output straight (gamma1, gamma2) = (shear[0], shear[1])

// Planes a hundred times as strong as these deflect by more than a pixel.
let traced = trace_rays(c, 100 * fold, time, theta, sources)
output rays1 (b1, b2, k, g1, g2, w) =
  (traced.beta[0][0], traced.beta[1][0], traced.kappa[0], traced.gamma1[0], traced.gamma2[0], traced.omega[0])
output rays3 (b1, b2, k, g1, g2, w) =
  (traced.beta[0][2], traced.beta[1][2], traced.kappa[2], traced.gamma1[2], traced.gamma2[2], traced.omega[2])

output angular = limber(c, map n in [copy] => 20 (index(n, copy) + 1), chi => sources(chi)[2],
                        (k, a) => a * k * 1 (Mpc/h)^4 * exp(-k * 4 Mpc/h), from = time(0), panels = 128)

fn entry(i, j) = map n in [copy] => turned_copies(5)(index(n, copy)).turn[i][j]
fn shift(i) = map n in [copy] => turned_copies(5)(index(n, copy)).shift[i]
output copies (a, b, c, d, e, f, g, h, i, x, y, z) =
  (entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 0), entry(1, 1), entry(1, 2), entry(2, 0), entry(2, 1), entry(2, 2),
   shift(0), shift(1), shift(2))
