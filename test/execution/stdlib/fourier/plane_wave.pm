// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet && %python %S/check_plane_wave.py %t.out
// A plane wave before its caustic, where Zel'dovich's approximation is exact: the N-body steps must stay on it, and do
// up to the resolution of the mesh.

use cosmology, lpt, nbody, particles

dim x = 32, y = 32, z = 32 over 100 Mpc/h

let c = flat_lcdm(omega_m = 0.3075)
let a = 1.0
let kf = 2 pi / length(x)
let delta = map q in [x, y, z] => 0.4 cos(kf * q[x])
let start = lpt(c, delta, a = 0.1, kernel = "exact")
let final = nbody(c, start, from = 0.1, to = a, steps = 5, kernel = "exact", window = "tsc")

output position flatten = positions(final)
output velocity flatten = velocities(final, a)
