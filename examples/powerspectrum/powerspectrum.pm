// The power spectrum of a density field from a file.

use spectra

const n: int in [2, 8192] = 64                                 "cells a side"
const window in ("none", "ngp", "cic", "tsc", "pcs") = "none"  "the window it was painted with, to be divided out"
param box: length in (0, inf) = 200 Mpc/h                      "box side"

dim x = n, y = n, z = n over box

input density: field[x, y, z]  "overdensity, n^3"

let (k, P, modes) = power_spectrum(density, compensate = window)

print "rms overdensity {}, mean {}", sqrt(mean(density^2)), mean(density)
output power (k, P, modes) = (k, P, modes)
plot (k, P) title "Power spectrum" scale log
