// Multipoles of the power spectrum of a galaxy survey, and of its window. The inputs are a catalog and random points. The weights are those
// of Feldman, Kaiser & Peacock. The multipoles are about the line of sight to each galaxy.

use fields, surveys, spectra

const n: int in [8, 4096] = 64                "cells a side"
const galaxies_read: int in [1, inf) = 1000   "rows of the catalog"
const randoms_read: int in [1, inf) = 20000   "rows of the random points"
const separations: int in [2, inf) = 16       "bins of the window"
param box: length in (0, inf) = 512 Mpc/h     "side of the box around the survey, which is periodic"
param P0 in (0, inf) = 1e4                    "(Mpc/h)³, the value of the power spectrum for which the weights are optimal"
param widest: length in (0, inf) = 256 Mpc/h  "largest separation of the window"

dim x = n, y = n, z = n over box
dim galaxy = galaxies_read, point = randoms_read, column = 5
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col, galaxy -> row, point -> row

// Columns: x, y and z from the observer in Mpc/h, the expected density of galaxies there in (h/Mpc)³, and a weight.
input galaxies: field[galaxy, column]  "the catalog"
input randoms: field[point, column]    "random points of the survey; their weights are not used"

// The observer is at the origin. The box is around the random points.
fn place(f, i) = f[column = i] * 1 Mpc/h
fn density(f) = f[column = 3] * 1 (h/Mpc)^3
let observer = for i in 0 .. 3 => {
  let (low, high) = (min(place(randoms, i)), max(place(randoms, i)))
  assert high - low < box, "the survey is {} wide, expected less than the box, {}", high - low, box
  0.5 box - 0.5 (low + high)
}
let pos = for i in 0 .. 3 => place(galaxies, i) + observer[i]
let points = for i in 0 .. 3 => place(randoms, i) + observer[i]

let field = fkp_field[x, y, z](pos, density(galaxies), points, density(randoms), P0 = P0 * 1 (Mpc/h)^3,
                               completeness = galaxies[column = 4], window = "tsc")
let (k, P, modes) = survey_multipoles(field.F, observer, normalization = field.normalization, noise = field.noise,
                                      compensate = "tsc")
output multipoles (k, P0, P2, P4, modes) = (k, P[0], P[1], P[2], modes)

// The window is the correlation function of the weighted random points, which is 1 at small separations.
let alpha = sum(galaxies[column = 4]) / cells(point)
let weighted = alpha / spacing(x)^3 *
  paint_at[x, y, z](points, window = "tsc", weight = fkp_weight(density(randoms), P0 * 1 (Mpc/h)^3))
let (s, Q, pairs) = survey_correlation(weighted, observer, 0 Mpc/h, widest / separations, separations,
                                       normalization = field.normalization)
output window (s, Q0, Q2, Q4, pairs) = (s, Q[0], Q[1], Q[2], pairs)

print "{:.0f} galaxies, {:.3f} times the random points; shot noise {:.1f} (Mpc/h)^3", sum(galaxies[column = 4]), alpha,
      field.noise
let (monopole, quadrupole, hexadecapole) = (P[0], P[1], P[2])
plot multipoles = (k, k * monopole, k * quadrupole, k * hexadecapole) title "Multipoles of the survey" labels ("ℓ = 0", "ℓ = 2", "ℓ = 4") ylabel "k Pₗ(k)"
let (Q0, Q2, Q4) = (Q[0], Q[1], Q[2])
plot window = (s, Q0, Q2, Q4) title "Multipoles of the window" labels ("ℓ = 0", "ℓ = 2", "ℓ = 4") ylabel "Qₗ(s)"
