// Halos of a simulation: groups by friends of friends, and spheres with 200 times the mean density.

use cosmology, power, fields, lpt, nbody, particles, catalogs

const n = 64                              "particles a side"
const boost = 4                           "mesh cells per particle along each side"
const steps = 40                          "time steps"
const window = "cic"                      "window of the paint and the readout"
const capacity = 900                      "largest number of groups"
const cores = 3000                        "largest number of cores of spheres"
const least = 50                          "smallest number of particles of a group"
param box: length in (0, inf) = 96 Mpc/h  "box side"
param first in (0, 1) = 0.05              "scale factor of the initial conditions"
param b in (0, 1) = 0.2                   "linking length in mean separations"
param seed: u64 = 1                       "another universe"

dim x = n, y = n, z = n over box
dim halo = capacity, core = cores

let c = flat_lcdm()
let start = lpt(c, gaussian_field[x, y, z](spectrum(eisenstein_hu(c)), seed), a = first, d2 = "true")
// The force without the smoothing of the paint and the readout, because a halo of 100 particles has a radius of two cells for boost = 4.
fn sharp_force(mesh, scale, a) {
  let dk = fft(mesh)
  let phi = ifft(map k in dk => -(scale * inverse_laplacian_kernel(k)) / window_kernel(k, window)^2 * dk)
  for d in dims(mesh) => central_difference(phi, d, "fd4")
}
let end = nbody(c, start, times = steps_in_a(first, 1, steps), boost = boost, window = window, gravity = sharp_force)
let groups = halo_catalog[halo](end, b = b, least = least)
// The radii, in mean separations of particles, are those of spheres of 20 to 200,000 particles.
let mean_separation = spacing(x)
let spheres = spherical_halos[core](end, 0.288 * mean_separation, 6.2 * mean_separation, 40)
output groups (x, y, z, members) =
  (number(groups.pos[0], 1 Mpc/h), number(groups.pos[1], 1 Mpc/h), number(groups.pos[2], 1 Mpc/h), groups.members)
output spheres (x, y, z, number) =
  (number(spheres.pos[0], 1 Mpc/h), number(spheres.pos[1], 1 Mpc/h), number(spheres.pos[2], 1 Mpc/h), spheres.number)
