// The initial conditions from the final density: section 7.1 of the FlowPM paper (Modi, Lanusse & Seljak 2021). The
// overdensity of an N-body simulation with Gaussian noise in every cell is given; sought is the white noise s that it
// grew from, with a Gaussian prior, by minimizing half the misfit, smoothed at first and less and less, plus half |s|^2.

use cosmology, power, fields, lpt, nbody, particles, spectra, optim

const n: int in [8, 4096] = 128              "cells a side, and particles"
const method in ("lbfgs", "adam") = "lbfgs"  "optimizer"
const each: int in [1, 100000] = 100         "iterations in every stage"
const apart: int in [1, 100000] = 20         "iterations between checkpoints"

param box: length in (0, inf) = 400 Mpc/h  "box side"
param omega_m in (0, 1) = 0.3075           "matter density today"
param sigma8 in (0, 10) = 0.8159           "rms linear overdensity today in spheres of 8 Mpc/h"
param noise in (0, inf) = 1                "standard deviation of the data in a cell"
param seed: u64 = 42                       "of the truth"
param steps: int in [1, inf) = 5           "time steps, equally spaced in a"
param rate in (0, inf) = 0.1               "of Adam"

dim x = n, y = n, z = n over box
mesh gpus(row = 1, col = 1)
layout x -> row, y -> col

let cosmo = flat_lcdm(omega_m = omega_m, sigma8 = sigma8)
let spectrum_table = eisenstein_hu(cosmo)

fn initial(s) = colour(s, spectrum(spectrum_table))
fn final(s) = overdensity(nbody(cosmo, lpt(cosmo, initial(s), a = 0.1, order = 1), from = 0.1, to = 1, steps = steps))

let truth = white_noise[x, y, z](seed)
let true_final = final(truth)
let data = true_final + noise * white_noise[x, y, z](seed + 1)

fn loss(s, r) = 0.5 sum((smooth(final(s) - data, r * spacing(x)) / noise)^2) + 0.5 sum(s^2)

// On the lattice every particle is at a kink of the window.
optimize fit from 0.01 * white_noise[x, y, z](seed + 2)
  minimizing loss(fit, r) with if method == "adam" then adam(rate) else lbfgs()
  for r in (4, 2, 1, 0.5, 0), each iterations each
  checkpoint every apart
  history losses

let fit_final = final(fit)
let true_initial = initial(truth)
let fit_initial = initial(fit)
output true_initial
output fit_initial
output true_final
output fit_final
output data
output losses
let (k, r_initial) = correlation(true_initial, fit_initial)
let (k2, t_initial) = transfer_function(true_initial, fit_initial)
let (k3, r_final) = correlation(true_final, fit_final)
let (k4, t_final) = transfer_function(true_final, fit_final)
output recovery (k, r_initial, t_initial, r_final, t_final) = (k, r_initial, t_initial, r_final, t_final)
plot initial_fields = (slice(true_initial, z = 0 .. min(8, n)), slice(fit_initial, z = 0 .. min(8, n))) shared title "Initial conditions" labels (
  "True", "Found") clabel "δ"
plot final_fields = (slice(1 + true_final, z = 0 .. min(8, n)), slice(1 + fit_final, z = 0 .. min(8, n))) shared scale log title "What becomes of them" labels (
  "Of the true ones", "Of the found ones") clabel "1 + δ"
plot correlations = (k, r_initial, r_final) title "Correlation with the truth" labels ("initial", "final") ylabel "correlation" xscale log
