// Networks that tell where halos are and how heavy, from the density of a simulation with few particles and few steps: section 7.2 of the
// FlowPM paper (Modi, Lanusse & Seljak 2021), after Modi, Feng & Seljak (2018). The halos are those of simulate.pm and halos.py.

use halonet, fields, nn, optim, spectra

const n: int in [8, 512] = 64  "cells a side, and particles"

param box: length in (0, inf) = 400 Mpc/h  "box side"
param steps: int in [1, inf) = 5           "time steps of the simulation, equally spaced in a"
param passes: int in [0, inf) = 300        "training steps of each network, of the whole box each"
param rate in (0, 1) = 0.01                "of the optimizer"
param least in (0, inf) = 1                "mass that is added before logs are taken, 1e12 Msun/h"
param seed: u64 = 1                        "of the networks"

dim x = n, y = n, z = n over box
dim feature = 3, a = 30, b = 10, c = 10, d = 5, one = 1
dim stage = 5
mesh ranks(row = 1)
layout x -> row

input initial: field[x, y, z]  "linear overdensity today"
input halos: field[x, y, z]    "masses of halos, 1e12 Msun/h"

let channels = (feature, a, b, c, d, one)
let delta = evolved(initial, steps)
let raw = features[feature](delta)
let centre = mean(raw, over = (x, y, z))
let width = sqrt(mean((raw - centre)^2, over = (x, y, z)))
let seen = standard(raw, {centre = centre, width = width})

// ---- Where halos are: the cross entropy of cells that have some mass of a halo, and of those that have none ------------

let is_there = map q in halos => if halos > 0 then 1.0 else 0.0
let share = mean(is_there)
fn wrong(f) = mean(softplus(f) - is_there * f)

optimize positions from likely_start(seed, channels, (x, y, z))
  minimizing wrong(likely(positions, seen, channels))
  with adamw(rate, decay = 0, schedule = cosine_rate(passes, warmup = 10))
  for i in 0 .. passes
  checkpoint every 50
  history position_losses[100]

// ---- How heavy: the log of the mass, in cells that have some -----------------------------------------------------------

fn off(m) = sum(is_there * (log(max(m, 0) + least) - log(halos + least))^2) / sum(is_there)

optimize masses from heavy_start(seed, channels)
  minimizing off(heavy(masses, seen, channels))
  with adamw(rate, decay = 0, schedule = cosine_rate(passes, warmup = 10))
  for i in 0 .. passes
  checkpoint every 50
  history mass_losses[100]

// ---- How far the product is off, smoothed over `radius` cells ----------------------------------------------------------

let radius = map q in [stage] => if index(q, stage) == 4 then 0 else 2 * pow(0.5, index(q, stage) - 1)
let start = {likely = positions, heavy = masses, centre = centre, width = width}
let told = halo_mass(start, delta, channels)
let (offset, spread) = (loop _ = 0.0 for i in stage => {
  let difference = log_mass(told, radius[stage = i], least) - log_mass(halos, radius[stage = i], least)
  _ stacking (mean(difference), sqrt(mean((difference - mean(difference))^2)))
})[1]

// Beside somebody who knows the share of cells with halos, and the mean of the logs.
let typical = sum(is_there * log(halos + least)) / sum(is_there)
let where_errors = (wrong(likely(positions, seen, channels)), wrong(log(share / (1 - share)) + 0 * halos))
let mass_errors = (sqrt(off(heavy(masses, seen, channels))), sqrt(off(exp(typical) - least + 0 * halos)))
print "{:.3f} of the cells have mass of halos; cross entropy {:.4f}, knowing that alone {:.4f}", share, where_errors[0],
      where_errors[1]
print "logs of masses are off by {:.4f}, always saying the mean {:.4f}", mass_errors[0], mass_errors[1]

let (k, r) = correlation(halos, told)
let (k2, t) = transfer_function(halos, told)
let (k3, r_matter) = correlation(halos, delta)
output net = {likely = positions, heavy = masses, centre = centre, width = width, offset = offset, spread = spread}
output position_losses
output mass_losses
output errors = (where_errors[0], where_errors[1], mass_errors[0], mass_errors[1])
output density = delta
output told
output agreement (k, r, t, r_matter) = (k, r, t, r_matter)
let hundredth = map q in position_losses => index(q, dims(position_losses)[0])
plot training = (hundredth, position_losses, mass_losses) title "Losses" labels ("of positions", "of masses") xlabel "hundredth of the steps" ylabel "loss"
