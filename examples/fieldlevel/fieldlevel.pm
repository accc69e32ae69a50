// Field-level inference from galaxy counts: Hamiltonian Monte Carlo over the initial modes, the matter density and the galaxy bias
// together, through perturbation theory, Lagrangian bias, redshift space and a Poisson likelihood.

use cosmology, power, fields, lpt, particles, tracers, random, sampling

const n: int in [4, 256] = 12              "cells a side, and particles"
const samples: int in [1, 1000000] = 120
const apart: int in [0, 1000000] = 20      "samples between checkpoints"
param box: length in (0, inf) = 240 Mpc/h  "box side"
param omega_m in (0, 1) = 0.3              "the true matter density"
param b1 = 0.8                             "the true linear Lagrangian bias"
param b2 = 0.2                             "the quadratic bias, which is known"
param density in (0, inf) = 3.0            "expected galaxies in a cell"
param seed: u64 = 1
param leaps: int in [1, inf) = 30          "leapfrog steps in a trajectory"
param first_leaps: int in [1, inf) = 10    "in the first one; the number then grows by 2 in each"
param step in (0, inf) = 0.04              "of the leapfrog, in terms of the prior's widths"
param warm: int in [0, inf) = 40           "samples that are left out of the means"

dim x = n, y = n, z = n over box
dim sample = samples
dim one = 1
mesh gpus(row = 1, col = 1)
layout x -> row, y -> col

// u is the matter density and v the bias in terms of their priors.
fn matter(u) = 0.3 + 0.1 * u
fn bias(v) = 1 + 0.5 * v

// The expected counts of galaxies in redshift space, along z. Bias can make a density negative: it then approaches 0.
fn expected(s, u, v) {
  let c = flat_lcdm(omega_m = matter(u), sigma8 = 0.8)
  let linear = colour(s, spectrum(eisenstein_hu(c, points = 1024, panels = 128)))
  let fields = bias_fields(linear, 1.5 spacing(x))
  let seen = redshift_space(c, lpt(c, linear, a = 1), 1, z)
  let galaxies = 1 + tracer_overdensity(seen, lagrangian_bias(fields, b1 = bias(v), b2 = b2))
  0.5 density * (galaxies + sqrt(galaxies^2 + 0.05))
}

let truth = white_noise[x, y, z](seed)
let (true_u, true_v) = ((omega_m - 0.3) / 0.1, (b1 - 1) / 0.5)
let counts = poisson_counts[x, y, z](expected(truth, true_u, true_v), split(seed, "galaxies"))

// -log of the posterior.
fn energy(state) {
  let (s, u, v) = state
  let mean = expected(s, u, v)
  sum(mean - counts * log(mean)) + 0.5 sum(s^2) + 0.5 u^2 + 0.5 v^2
}

// Where the growth and the spectrum are defined.
fn allowed(state) = matter(state[1]) > 0.08 and matter(state[1]) < 0.8

// A normal number for every place in the chain.
fn normal(i) = sum(white_noise[one](seed + i))

let nothing = map i in [sample] => 0.0
let begin = (0.1 * white_noise[x, y, z](seed + 2), 0.0, 0.0)
let start = {state = begin, energy = energy(begin), accepted = 0.0, mean_field = 0 * truth,
             omega = nothing, bias = nothing, energies = nothing}
let end = loop c = start for i in 0 .. samples checkpoint every apart => {
  let p = (white_noise[x, y, z](seed + 10 + 4 * i), normal(11 + 4 * i), normal(12 + 4 * i))
  let draw = 0.5 (1 + erf(normal(13 + 4 * i) / sqrt(2)))
  let next = hmc_step(energy, c.state, c.energy, p, draw, step, min(leaps, first_leaps + 2 * i), allowed)
  let (s, u, v) = next.s
  let counts = if i >= warm then 1.0 else 0.0
  {state = next.s, energy = next.energy, accepted = c.accepted + next.taken, mean_field = c.mean_field + counts * s,
   omega = c.omega with {[sample = i] = matter(u)}, bias = c.bias with {[sample = i] = bias(v)},
   energies = c.energies with {[sample = i] = next.energy}}
}

let kept = max(samples - warm, 1)
let mean_field = end.mean_field / kept
fn after_warming(f) = sum(map j in f => if index(j, sample) >= warm then f else 0) / kept
fn mean_and_width(chain) {
  let mean = after_warming(chain)
  (mean, sqrt(after_warming((chain - mean)^2)))
}
let (mean_omega, width_omega) = mean_and_width(end.omega)
let (mean_bias, width_bias) = mean_and_width(end.bias)
output chain (omega_m, b1, energy) = (end.omega, end.bias, end.energies)
output mean_field
output truth
output counts
output diagnostics = (end.accepted / samples, mean_omega, width_omega, mean_bias, width_bias,
                      energy((truth, true_u, true_v)))
print "accepted {:.3f}", end.accepted / samples
print "omega_m = {:.4f} +- {:.4f}, true {:.4f}", mean_omega, width_omega, omega_m
print "b1 = {:.4f} +- {:.4f}, true {:.4f}", mean_bias, width_bias, b1
print "correlation of the mean field with the truth {:.4f}",
      sum(mean_field * truth) / sqrt(sum(mean_field^2) * sum(truth^2))
let link = map j in [sample] => index(j, sample) + 0.0
let (Omega_m, bias_b1) = (end.omega, end.bias)
plot chain = (link, bias_b1, Omega_m) title "The chains of b₁ and Ωₘ" xlabel "sample" ylabel "b₁, Ωₘ"
