// The density of particles that white noise displaces, as a function of the noise and the cosmology.
use cosmology, power, fields, lpt, particles

const n: int in [4, 256] = 16  "cells a side, and particles"

param omega_m in (0.05, 0.95) = 0.3  "matter density today"
param sigma8 in (0.1, 10) = 0.8      "rms linear overdensity today in spheres of 8 Mpc/h"

dim x = n, y = n, z = n over n * 10 Mpc/h

input noise: field[x, y, z]  "one number of unit variance a cell"

let cosmo = flat_lcdm(omega_m = omega_m, sigma8 = sigma8)
let linear = colour(noise, spectrum(eisenstein_hu(cosmo, points = 1024, panels = 128)))

output linear
output density = overdensity(lpt(cosmo, linear, a = 1))
