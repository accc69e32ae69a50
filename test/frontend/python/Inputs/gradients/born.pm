// Convergence along straight rays through the light cone of an N-body simulation of given noise.
use cosmology, power, fields, lpt, nbody, particles, lensing, sky

const n: int in [4, 64] = 8
const planes: int in [2, 64] = 3

param omega_m in (0, 1) = 0.3

dim x = n, y = n, z = n over 128 Mpc/h
dim p = 8, q = 8 over 128 Mpc/h
dim plane = planes
dim u = 4, v = 4 over 5 deg

input noise: field[x, y, z]

let cosmo = flat_lcdm(omega_m = omega_m, sigma8 = 0.8)
let linear = noise
let reach = comoving_distance(cosmo, 1 / (1 + 0.2))
let time = equal_shells(cosmo, reach, planes)
let start = nbody(cosmo, lpt(cosmo, 0.3 * linear, a = 0.1), from = 0.1, to = time(0), steps = 2)
let cone = light_cone(cosmo, start, time, planes, zeros[plane, p, q], keep_planes[plane, p, q](), turned_copies())
let theta = rays[u, v]()
let sources = source_planes(cosmo, (0.1, 0.2, 0.2))
let none = 0 * theta[0]
let straight = over_planes(cosmo, cone.seen, time, (none, none, none), born(cosmo, theta, sources))
output kappa = straight[1]
