// Hamiltonian Monte Carlo (Duane et al. 1987) over the initial modes of a small field and the matter density together:
// samples of what is compatible with a noisy final density, by the gradient of its posterior.

use cosmology, power, fields, lpt, particles, sampling

const n: int in [4, 256] = 16              "cells a side, and particles"
const samples: int in [1, 1000000] = 250
const apart: int in [0, 1000000] = 20      "samples between checkpoints"
param box: length in (0, inf) = 160 Mpc/h  "box side"
param omega_m in (0, 1) = 0.3              "the true matter density"
param prior_width in (0, inf) = 0.1        "of the matter density, around 0.3"
param noise in (0, inf) = 0.5              "standard deviation of the data in a cell"
param seed: u64 = 1
param leaps: int in [1, inf) = 80          "leapfrog steps in a trajectory"
param first_leaps: int in [1, inf) = 10    "in the first one: far from where the chain settles, long ones go astray"
param step in (0, inf) = 0.02              "of the leapfrog, in terms of the prior's widths"
param warm: int in [0, inf) = 50           "samples that are left out of the means"

dim x = n, y = n, z = n over box
dim sample = samples
dim one = 1
mesh gpus(row = 1, col = 1)
layout x -> row, y -> col

// u is the matter density in terms of its prior.
fn matter(u) = 0.3 + prior_width * u
fn final(s, u) {
  let cosmo = flat_lcdm(omega_m = matter(u), sigma8 = 0.8)
  overdensity(lpt(cosmo, colour(s, spectrum(eisenstein_hu(cosmo, points = 1024, panels = 128))), a = 1))
}

let truth = white_noise[x, y, z](seed)
let data = final(truth, (omega_m - 0.3) / prior_width) + noise * white_noise[x, y, z](seed + 1)

// -log of the posterior.
fn energy(state) {
  let (s, u) = state
  0.5 sum(((final(s, u) - data) / noise)^2) + 0.5 sum(s^2) + 0.5 u^2
}

// Where the growth and the spectrum are defined.
fn allowed(state) = matter(state[1]) > 0.08 and matter(state[1]) < 0.8

// A normal number for every place in the chain.
fn normal(i) = sum(white_noise[one](seed + i))

let nothing = map i in [sample] => 0.0
let begin = (0.1 * white_noise[x, y, z](seed + 2), 0.0)
let (chain, e, accepted, mean_s, omega_chain, energy_chain) =
  loop (chain, e, accepted, mean_s, omega_chain, energy_chain) = (begin, energy(begin), 0.0, 0 * truth, nothing,
                                                                  nothing)
    for i in 0 .. samples checkpoint every apart => {
      let p = (white_noise[x, y, z](seed + 10 + 3 * i), normal(11 + 3 * i))
      let draw = 0.5 (1 + erf(normal(12 + 3 * i) / sqrt(2)))
      let next = hmc_step(energy, chain, e, p, draw, step, min(leaps, first_leaps + 2 * i), allowed)
      let (s, u) = next.s
      let counts = if i >= warm then 1.0 else 0.0
      (next.s, next.energy, accepted + next.taken, mean_s + counts * s,
       map j in omega_chain => if index(j, sample) == i then matter(u) else omega_chain,
       map j in energy_chain => if index(j, sample) == i then next.energy else energy_chain)
    }

let kept = max(samples - warm, 1)
let mean_field = mean_s / kept
fn after_warming(f) = sum(map j in omega_chain => if index(j, sample) >= warm then f(omega_chain) else 0) / kept
let mean_omega = after_warming(o => o)
let width = sqrt(after_warming(o => (o - mean_omega)^2))
output omega_chain
output energy_chain
output mean_field
output truth
output diagnostics = (accepted / samples, mean_omega, width)
print "accepted {:.3f}", accepted / samples
print "omega_m = {:.4f} +- {:.4f}, true {:.4f}", mean_omega, width, omega_m
print "correlation of the mean field with the truth {:.4f}",
      sum(mean_field * truth) / sqrt(sum(mean_field^2) * sum(truth^2))
let link = map j in [sample] => index(j, sample) + 0.0
plot chain = (link, omega_chain) title "The chain of Ωₘ" xlabel "sample" ylabel "Ωₘ"
