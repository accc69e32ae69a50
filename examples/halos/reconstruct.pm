// The initial conditions from a field of halo masses, by the networks of train.pm: section 7.2 of the FlowPM paper (Modi, Lanusse & Seljak
// 2021). Sought is the white noise s whose simulation has such halos.

use halonet, cosmology, power, fields, spectra, nn, optim

const n: int in [8, 512] = 64                "cells a side, and particles"
const method in ("lbfgs", "adam") = "lbfgs"  "optimizer"
const each: int in [1, 100000] = 100         "iterations in every stage"

param box: length in (0, inf) = 400 Mpc/h  "box side"
param steps: int in [1, inf) = 5           "time steps of the simulation, equally spaced in a"
param least in (0, inf) = 1                "mass that is added before logs are taken, 1e12 Msun/h"
param rate in (0, inf) = 0.1               "of Adam"
param seed: u64 = 1                        "of the first guess"

dim x = n, y = n, z = n over box
dim feature = 3, a = 30, b = 10, c = 10, d = 5, one = 1
dim stage = 5
mesh ranks(row = 1)
layout x -> row

input halos: field[x, y, z]    "masses of halos, 1e12 Msun/h"
input initial: field[x, y, z]  "the true linear overdensity today, to compare with"

let channels = (feature, a, b, c, d, one)
let like_it = {
  likely = likely_start(1, channels, (x, y, z)), heavy = heavy_start(1, channels)
  centre = zeros[feature], width = zeros[feature], offset = zeros[stage], spread = zeros[stage]
}
input net: like like_it  "the networks, of train.pm"

let linear = spectrum(eisenstein_hu(universe()))
fn density(s) = evolved(colour(s, linear), steps)

// Masses are compared where they are smoothed over 4, 2, 1, 1/2 and 0 cells, in stages.
let radius = map q in [stage] => if index(q, stage) == 4 then 0 else 2 * pow(0.5, index(q, stage) - 1)
fn loss(s, j) {
  let r = radius[stage = j]
  let difference =
    log_mass(halo_mass(net, density(s), channels), r, least) - log_mass(halos, r, least) - net.offset[stage = j]
  0.5 sum((difference / net.spread[stage = j])^2) + 0.5 sum(s^2)
}

optimize fit from 0.01 * white_noise[x, y, z](seed)
  minimizing loss(fit, int(j)) with if method == "adam" then adam(rate) else lbfgs()
  for j in (0, 1, 2, 3, 4), each iterations each
  checkpoint every 20
  history losses

let found = colour(fit, linear)
let final = density(fit)
let true_final = evolved(initial, steps)
let (k, r_initial) = correlation(initial, found)
let (k2, t_initial) = transfer_function(initial, found)
let (k3, r_final) = correlation(true_final, final)
let (k4, t_final) = transfer_function(true_final, final)
output found
output final
output losses
output recovery (k, r_initial, t_initial, r_final, t_final) = (k, r_initial, t_initial, r_final, t_final)
print "the cross-correlation of initial conditions is above 0.9 for k up to {:.3f} h/Mpc",
      max(map q in k => if r_initial > 0.9 then number(k, 1 h/Mpc) else 0)
plot initial_fields = (slice(initial, z = 0 .. min(4, n)), slice(found, z = 0 .. min(4, n))) shared title "Initial conditions" labels ("True", "Found from halos") clabel "δ"
plot correlations = (k, r_initial, r_final) title "Correlation with the truth" labels ("initial", "final") ylabel "correlation" xscale log
