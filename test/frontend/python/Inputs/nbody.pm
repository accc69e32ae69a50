// An N-body simulation of given noise.
use cosmology, power, fields, lpt, nbody, particles

const n: int in [2, 512] = 8

param omega_m in (0, 1) = 0.3
param amplitude = 1.0
param weights: list = (1, 2)

dim x = n, y = n, z = n over n * 4 Mpc/h
mesh ranks(row = 1)
layout x -> row

input noise: field[x, y, z]

let cosmo = flat_lcdm(omega_m = omega_m, sigma8 = 0.8)
let linear = spectrum(eisenstein_hu_smooth(cosmo))

fn scaled(f) = amplitude * f

let s = nbody(cosmo, lpt(cosmo, 0.3 * scaled(noise), a = 0.1), from = 0.1, to = 1, steps = 2)

output density = overdensity(s)
output disp = s.disp
output energy = weights[0] * sum(norm2(s.disp)) + weights[1] * amplitude * (1 Mpc/h)^2
