// The map of convergence that JaxPM makes, too, in map.py: by planes, of the box as it is.
use cosmology, power, fields, lpt, nbody, lensing

const n = 128
const planes = 16
const pixels = 512

dim x = n, y = n, z = n over 256 Mpc/h
dim p = pixels, q = pixels over 256 Mpc/h
dim u = pixels, v = pixels over 5 deg

let c = flat_lcdm()
let reach = comoving_distance(c, 1 / 2.2)
let time = equal_shells(c, reach, planes)
let theta = rays[u, v]()
let linear = colour(white_noise[x, y, z](1), spectrum(eisenstein_hu(c)))
let start = nbody(c, lpt(c, linear, a = 0.1), from = 0.1, to = time(0), steps = 5)
let observe = on_planes[p, q](born(c, theta, source_planes(c, (1.2, 1.2))))
output linear
output kappa = light_cone(c, start, time, planes, (0 * theta[0], 0 * theta[0]), observe).seen[0]
