// RUN: %pmc %s --precision=f64 -o %t && %t --out %t.one --quiet --format=npy && %python %S/check_calibration.py %t.one
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=2 --transport=threads --threads=1 && %python %S/check_calibration.py %t.ranks
// Simulation-based calibration (Talts et al. 2018) of nuts in sample_batch: each chain has its own truth and data. The rank of the truth
// among the draws of its posterior is uniform. The seed was chosen before any result was known.

use sampling, random

mesh ranks(row = 1)
layout chain -> row
param seed: u64 = 43
dim chain = 512, draw = 31, five = 5

// A mean and the log of a variance, for five data.
let truth = {mean = white_noise[chain](split(seed, 1)), log_variance = white_noise[chain](split(seed, 2))}
let data = truth.mean + exp(0.5 * truth.log_variance) * white_noise[chain, five](split(seed, 3))
fn energy(s) = 0.5 * s.mean^2 + 0.5 * s.log_variance^2 +
  0.5 sum((data - s.mean)^2, over = five) * exp(-1 * s.log_variance) + 2.5 * s.log_variance
fn noise(k) = {mean = white_noise[chain](split(k, 0)), log_variance = white_noise[chain](split(k, 1))}
let a = sample_batch[chain, draw](energy, noise(split(seed, 4)), nuts(depth = 6, warmup = 200, target = 0.9),
                                  split(seed, 5), thin = 6, noise = k => noise(k))
fn rank_of(x, truth) = sum(map q in x => if x < truth then 1.0 else 0.0, over = draw)
output ranks_of (mean, log_variance) =
  (rank_of(a.chain.mean, truth.mean), rank_of(a.chain.log_variance, truth.log_variance))
// The lengths of trajectories differ between chains.
output gradients = a.gradients
