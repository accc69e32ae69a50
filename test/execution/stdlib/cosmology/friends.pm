// RUN: %pmc %s -O0 -o %t --precision=f64 && %python %S/../../ranks/on_meshes.py %t %t.out 1e-12 1x1 2x1 3x2 1x5 --exact group,points,lines
// RUN: %python %S/check_friends.py %t.out/1x1
// RUN: %pmc %s -O0 -o %t.32 && %t.32 --plan=estimate --quiet --out %t.single --threads=2 && %python %S/check_friends.py %t.single
// Friends of friends agree with a k-d tree of SciPy, and halos with means of their members, on meshes of ranks.

use catalogs, particles, random

// The linking length is in units of the mean of the spacings, which differ.
dim x = 16 over 50 Mpc/h
dim y = 20 over 40 Mpc/h
dim z = 18 over 45 Mpc/h
dim halo = 400, point = 3000
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col, point -> row

// Waves after shell crossing, and a little noise, so that sheets and knots form.
let disp = for d in (x, y, z) => map q in [x, y, z] => {
  let phase = for e in (x, y, z) => 2 * pi * q[e] / length(e)
  let wave = sin(2 * phase[d] + sin(total(phase))) + 0.5 * sin(3 * total(phase) - phase[d])
  length(d) * (0.08 * wave + 0.001 * normal_of(split(split(3, q), if d == x then 0 else if d == y then 1 else 2)))
}
let mom = for d in (x, y, z) => map q in [x, y, z] => 3 Mpc/h * sin(q[d] / (4 Mpc/h)) + 0.1 * disp[d]
let s = {disp = disp, mom = mom}
output position = for u in positions(s) => number(u, 1 Mpc/h)
output momentum = for u in mom => number(u, 1 Mpc/h)
output group = friends_of_friends(positions(s), 1 Mpc/h, box = for d in (x, y, z) => length(d))
// The sides of a box are matched to coordinates by the names of their dims.
assert max(abs(friends_of_friends(positions(s), 1 Mpc/h, box = for d in (z, y, x) => length(d)) - group)) == 0,
       "the order of the sides"
let halos = halo_catalog[halo](s, b = 0.4, least = 5)
output halos flatten = {pos = for u in halos.pos => number(u, 1 Mpc/h), mom = for u in halos.mom => number(u, 1 Mpc/h),
                        members = halos.members, first = halos.first, exists = halos.exists}
print "{} halos", halos.count

// Points that are not on a lattice, with some periodic coordinates, and with one or two coordinates.
let free = for i in 0 .. 3 => map q in [point] => 12 * (random(split(split(11, i), q)) - 0.2)
output free = free
output points (open, mixed, plane) = (friends_of_friends(free, 0.5), friends_of_friends(free, 0.5, (10, 0, 10)),
                                      friends_of_friends((free[0], free[2]), 0.12, box = (0, 10)))
output lines (open, ring) = (friends_of_friends(free[1], 0.004), friends_of_friends(free[1], 0.004, 10))

// The positions of halos have derivatives with respect to the particles.
fn middle(u) {
  let h = halo_catalog[halo]({disp = for d in (x, y, z) => disp[d] + u[d], mom = disp}, b = 0.4, least = 5)
  sum((h.pos[1] / 1 Mpc/h)^2 * h.members)
}
let direction = for d in (x, y, z) => 1e-3 * disp[d]
let (_, slope) = jvp(middle)(for d in (x, y, z) => 0 * disp[d], tangent = direction)
let (_, back) = value_and_grad(middle)(for d in (x, y, z) => 0 * disp[d])
let backward = inner(back, direction)
assert abs(slope - backward) < 1e-5 * abs(backward), "{} forward, {} backward", slope, backward
output slope
output direction = for u in direction => number(u, 1 Mpc/h)
