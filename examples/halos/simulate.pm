// The universe that the halos of this example come from: an N-body simulation with more particles and a finer mesh than the one that the
// networks are used with. halos.py finds halos among its particles.

use cosmology, power, fields, lpt, nbody, particles

const n: int in [8, 4096] = 64   "cells a side of the coarse mesh"
const finer: int in [1, 16] = 3  "particles a side for each of these"
const boost: int in [1, 8] = 2   "force mesh cells a side for each particle a side"

param box: length in (0, inf) = 400 Mpc/h  "box side"
param steps: int in [1, inf) = 10          "time steps, equally spaced in a"
param seed: u64 = 1                        "of the universe"

dim x = n, y = n, z = n over box
dim X = n * finer, Y = n * finer, Z = n * finer over box
mesh ranks(row = 1)
layout x -> row, X -> row

let cosmo = flat_lcdm(omega_m = 0.3075, sigma8 = 0.8159)
let linear = gaussian_field[X, Y, Z](spectrum(eisenstein_hu(cosmo)), seed)
let final = nbody(cosmo, lpt(cosmo, linear, a = 0.1), from = 0.1, to = 1, steps = steps, boost = boost)

// The waves of the initial conditions that the coarse mesh has, too.
let waves = fft(linear)
let coarse =
  ifft(map k in waves => if max(abs(index(k, X)), max(abs(index(k, Y)), abs(index(k, Z)))) < n / 2 then waves else 0)

output initial = coarse[X = finer * x, Y = finer * y, Z = finer * z]
output position flatten = positions(final)
