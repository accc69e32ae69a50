// RUN: %pmc %s -O0 -o %t --precision=f64 && %python %S/../../ranks/on_meshes.py %t %t.out 1e-10 1x1 3x1 2x2
// RUN: %python %S/check_light_catalog.py %t.out/1x1
// A catalog on the light cone agrees with a search over all particles and copies of the box, on meshes of ranks.

use cosmology, power, fields, lpt, lensing

dim x = 12, y = 12, z = 12 over 60 Mpc/h
dim p = 12, q = 12 over 60 Mpc/h
dim step = 3, list = 3000, copy = 4
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col

let c = flat_lcdm()
let time = equal_shells(c, 170 Mpc/h, 3, near = 20 Mpc/h)
let start = lpt(c, gaussian_field[x, y, z](spectrum(eisenstein_hu(c)), 5), a = time(0))
output distances = for i in 0 .. 4 => number(comoving_distance(c, time(i)), 1 Mpc/h)

// Large moves, and copies of the box as they are and turned.
let move = for i in 0 .. 3 => 0.5 start.disp[i] + 1.5 Mpc/h * white_noise[x, y, z](i)
output disp = for u in start.disp => number(u, 1 Mpc/h)
output move = for u in move => number(u, 1 Mpc/h)
output turns flatten = {turn = for i in 0 .. 3 =>
  for j in 0 .. 3 => map q in [copy] => turned_copies(4)(index(q, copy)).turn[i][j]
                        shift = for i in 0 .. 3 => map q in [copy] => turned_copies(4)(index(q, copy)).shift[i]}

fn plain(catalog) = {pos = for u in catalog.pos => number(u, 1 Mpc/h), velocity = number(catalog.velocity, 1 km/s),
                     copy = catalog.copy, exists = catalog.exists}
fn kept(observe, disp, move, copies) = loop sum = empty_catalog[step, list]() for i in 0 .. 3 =>
  sum + observe(light_of(disp, move, shell_of(c, time, i), copies, 4))
let wedge = keep_catalog[step, list]((x, y, chi) => abs(x - 30 Mpc/h) < 0.2 * chi and y < 30 Mpc/h)
output same flatten = plain(kept(keep_catalog[step, list](), start.disp, move, same_copies))
output turned flatten = plain(kept(wedge, start.disp, move, turned_copies(4)))
let wide = keep_catalog[step, list]((x, y, chi) => abs(x - 30 Mpc/h) < 0.2 * chi, beyond = 13 Mpc/h)
output around flatten = plain(kept(wide, start.disp, move, turned_copies(4)))

// A simulation has as many particles in the catalog as on the lens planes.
let seen = light_cone(c, start, time, 3, {planes = zeros[step, p, q] * 1 Mpc/h, catalog = empty_catalog[step, list]()},
                      light => {planes = keep_planes[step, p, q]()(light), catalog = keep_catalog[step, list]()(light)},
                      candidates = 4).seen
let found = sum(seen.catalog.exists, over = list)
let expected = sum(seen.planes + 50 Mpc/h, over = (p, q)) * (spacing(p) * spacing(q) / spacing(x)^3)
assert max(abs(found - expected)) < 1e-6 * max(found), "the catalog and the planes count different particles"

// Places and velocities have derivatives.
fn middle(e) = sum(kept(keep_catalog[step, list](), (1 + e) * start.disp, move, same_copies).pos[2]^2) / 1 (Mpc/h)^2
let (value, slope) = jvp(middle)(0.0, tangent = 1.0)
let back = grad(middle)(0.0)
let steps = (middle(1e-6) - middle(-1e-6)) / 2e-6
assert abs(slope - back) < 1e-9 * abs(back), "{} forward, {} backward", slope, back
assert abs(slope - steps) < 1e-4 * abs(slope), "{}, and {} by differences", slope, steps
print "{:.0f} particles", sum(found)
