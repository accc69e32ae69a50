// Initial conditions and matter density from a noisy map of convergence: samples of all that are compatible with it, by Hamiltonian Monte
// Carlo, whose gradients go through the light cone and the simulation.

use math, cosmology, power, fields, lpt, nbody, spectra, lensing, sampling

const n: int in [4, 256] = 8               "particles a side"
const planes: int in [1, 256] = 3          "steps on the light cone"
const pixels: int in [8, 4096] = 12        "of the map, a side"
const samples: int in [2, 1000000] = 140
const apart: int in [0, 1000000] = 20      "samples between checkpoints"
param box: length in (0, inf) = 400 Mpc/h  "box side"
param angle in (0, 0.5) = 0.25             "side of the map, radians"
param z_source in (0, 10) = 0.5            "redshift of the sources"
param near in (0, 1) = 0.2                 "where the light cone ends, in terms of the sources' distance"
param omega_m in (0.1, 0.5) = 0.35         "the true matter density"
param sigma8 in (0, 10) = 0.8              "rms linear overdensity today in spheres of 8 Mpc/h"
param beam in [0, inf) = 1                 "width of the Gaussian that the map is seen through, pixels"
param noise in (0, inf) = 0.002            "standard deviation of the data in a pixel"
param seed: u64 = 1                        "of the truth, its noise and the chain"
param steps: int in [1, inf) = 1           "time steps before the light cone"
param leaps: int in [1, inf) = 32          "leapfrog steps in a trajectory"
param first_leaps: int in [1, inf) = 4     "in the first one"
param step in (0, inf) = 0.05              "of the leapfrog, in terms of the prior's widths"
param warm: int in [0, inf) = 40           "samples that are left out of the means"

dim x = n, y = n, z = n over box
dim p = pixels, q = pixels over angle  // the sky
dim sample = samples
dim one = 1
mesh gpus(row = 1, col = 1)
layout x -> row, y -> col, p -> row, q -> col

// u has a normal prior: then every matter density between the ends is as likely as any other.
fn matter(u) = 0.3 + 0.2 erf(u / sqrt(2))
fn cosmology_of(u) = flat_lcdm(omega_m = matter(u), sigma8 = sigma8)

// Particles are seen one by one, not on planes, so that derivatives by the cosmology miss nothing. Through the gap before `near`, where
// single particles would fill pixels, and through the beam kappa goes on smoothly where they move.
fn convergence(s, u) {
  let c = cosmology_of(u)
  let far = comoving_distance(c, 1 / (1 + z_source))
  let time = equal_shells(c, far, planes, near * far)
  let linear = colour(s, spectrum(eisenstein_hu(c, points = 512, panels = 64)))
  let start = nbody(c, lpt(c, linear, a = 0.2), from = 0.2, to = time(0), steps = steps)
  let observe = born_particles[p, q](c, chi => efficiency_of(c, chi, far), "tsc")
  smooth(light_cone(c, start, time, planes, zeros[p, q], observe, turned_copies()).seen, beam * angle / pixels)
}

// The map's edges lack light from particles outside of it: its outermost pixels say nothing.
let inside = map t in [p, q] =>
  if min(index(t, p), index(t, q)) >= 2 and max(index(t, p), index(t, q)) < pixels - 2 then 1.0 else 0.0

let true_noise = white_noise[x, y, z](seed)
let truth = convergence(true_noise, bisect(u => matter(u) - omega_m, -5, 5))
let data = truth + noise * white_noise[p, q](seed + 1)

// -log of the posterior of the white noise s and of u.
fn energy(state) {
  let (s, u) = state
  0.5 sum((inside * (convergence(s, u) - data) / noise)^2) + 0.5 sum(s^2) + 0.5 u^2
}

// A normal number for every place in the chain.
fn normal(i) = sum(white_noise[one](seed + i))

let nothing = map i in [sample] => 0.0
let begin = (0.1 * white_noise[x, y, z](seed + 2), 0.0)
let (chain, e, accepted, mean_s, mean_map, omega_chain, energy_chain) =
  loop (chain, e, accepted, mean_s, mean_map, omega_chain, energy_chain) =
    (begin, energy(begin), 0.0, 0 * true_noise, 0 * truth, nothing, nothing)
    for i in 0 .. samples checkpoint every apart => {
      let momentum = (white_noise[x, y, z](seed + 10 + 3 * i), normal(11 + 3 * i))
      let draw = 0.5 (1 + erf(normal(12 + 3 * i) / sqrt(2)))
      let next = hmc_step(energy, chain, e, momentum, draw, step, min(leaps, first_leaps + 2 * i))
      let (s, u) = next.s
      let counts = if i >= warm then 1.0 else 0.0
      (next.s, next.energy, accepted + counts * next.taken, mean_s + counts * s,
       mean_map + (if i >= warm then convergence(s, u) else 0 * truth),
       map j in omega_chain => if index(j, sample) == i then matter(u) else omega_chain,
       map j in energy_chain => if index(j, sample) == i then next.energy else energy_chain)
    }

let kept = max(samples - warm, 1)
fn after_warming(f) = sum(map j in omega_chain => if index(j, sample) >= warm then f(omega_chain) else 0) / kept
let found = after_warming(o => o)
let width = sqrt(after_warming(o => (o - found)^2))
let fit = mean_map / kept
let initial = mean_s / kept
fn rms(f) = sqrt(sum(inside * f^2) / sum(inside))
print "accepted {:.3f}", accepted / kept
print "Omega_m {:.4f} +- {:.4f}, the truth is {:.4f}", found, width, omega_m
print "kappa {:.2e} rms, noise {:.2e}, error of the mean map {:.2e}", rms(truth), rms(data - truth), rms(fit - truth)

output truth
output data
output fit
output initial
output true_noise
output omega_chain
output energy_chain
output diagnostics = (accepted / kept, found, width)
let (k, r) = correlation(true_noise, initial)
output recovery (k, r) = (k, r)
let link = map j in [sample] => index(j, sample) + 0.0
plot convergence_maps = (truth, data, fit) shared title "Convergence" labels ("Truth", "Data", "Mean of the samples") xlabel "angle p [rad]" ylabel "angle q [rad]" clabel "κ"
plot chain = (link, omega_chain) title "The chain of the matter density" xlabel "sample" ylabel "Ωₘ"
