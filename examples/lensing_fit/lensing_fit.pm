// The initial conditions and the matter density from a noisy map of convergence, by gradients through the light cone and the
// simulation. Sought is the white noise s that all grew from, and u, which tells the matter density.

use math, cosmology, power, fields, lpt, nbody, particles, spectra, lensing, optim

const n: int in [8, 4096] = 64                "particles a side"
const planes: int in [2, 1024] = 12           "steps on the light cone"
const pixels: int in [8, 16384] = 64          "of the map, a side"
const each: int in [1, 100000] = 60           "iterations"
param box: length in (0, inf) = 256 Mpc/h     "box side"
param angle in (0, 0.5) = 5 deg               "side of the map"
param z_source in (0, 10) = 1                 "redshift of the sources"
param omega_m in (0.1, 0.5) = 0.35            "the true matter density"
param sigma8 in (0, 10) = 0.8                 "rms linear overdensity today in spheres of 8 Mpc/h"
param beam in [0, inf) = 1.5                  "width of the Gaussian that the map is seen through, pixels"
param noise in (0, inf) = 0.001               "standard deviation of the data in a pixel"
param seed: u64 = 42                          "of the truth"
param steps: int in [1, inf) = 5              "time steps before the light cone"

dim x = n, y = n, z = n over box
dim p = pixels, q = pixels over angle         // the sky
dim fine = 256                                // multipoles of the prediction
mesh gpus(row = 1, col = 1)
layout x -> row, y -> col, p -> row, q -> col

// u has a normal prior: then every matter density between the ends is as likely as any other.
fn matter(u) = 0.3 + 0.2 erf(u / sqrt(2))
fn cosmology_of(u) = flat_lcdm(omega_m = matter(u), sigma8 = sigma8)
fn initial(s, u) = colour(s, spectrum(eisenstein_hu(cosmology_of(u))))

fn sources(c) {
  let far = comoving_distance(c, 1 / (1 + z_source))
  chi => max(1 - chi / far, 0)
}

// Particles are seen one by one, not on planes, so that derivatives by the cosmology miss nothing.
fn convergence(s, u) {
  let c = cosmology_of(u)
  let time = equal_shells(c, comoving_distance(c, 1 / (1 + z_source)), planes)
  let start = nbody(c, lpt(c, initial(s, u), a = 0.1), from = 0.1, to = time(0), steps = steps)
  let seen = light_cone(c, start, time, planes, zeros[p, q], born_particles[p, q](c, sources(c)), turned_copies()).seen
  smooth(seen, beam * angle / pixels)
}

// The map's edges lack light from particles outside of it: its outermost pixels say nothing.
let inside = map t in [p, q] => if min(index(t, p), index(t, q)) >= 2 and max(index(t, p), index(t, q)) < pixels - 2 then 1.0 else 0.0

let true_noise = white_noise[x, y, z](seed)
let true_u = bisect(u => matter(u) - omega_m, -5, 5)
let truth = convergence(true_noise, true_u)
let data = truth + noise * white_noise[p, q](seed + 1)

// The power of the signal in terms of the noise's, at multipoles up to what the map resolves, by linear theory.
fn multipole(t) = (index(t, fine) + 0.5) / cells(fine) * pi * pixels / angle
fn signal_to_noise(u) {
  let c = cosmology_of(u)
  let linear = spectrum(eisenstein_hu(c))
  let C = limber(c, map t in [fine] => multipole(t), sources(c), grown(c, linear), from = 1 / (1 + z_source), panels = 12)
  let seen = map t in [fine] => exp(-(multipole(t) * beam * angle / pixels)^2)
  C * seen / (noise * angle / pixels)^2
}
// Modes of the map between two of these multipoles.
let modes = map t in [fine] => angle^2 * multipole(t) * (pi * pixels / angle / cells(fine)) / (2 pi) * (1 - 4 / pixels)^2

// -log of the posterior of s and u, and what remains of it for u when s is integrated out around its best value (Laplace): half the logarithm of
// the curvature by s, which is 1 + signal over noise for every mode that the map shows. Without it, the larger u is the
// less |s| explains the data, and the fit would run there.
fn loss(s, u) = 0.5 sum((inside * (convergence(s, u) - data) / noise)^2) + 0.5 sum(s^2) + 0.5 u^2 +
  0.5 sum(modes * log(1 + signal_to_noise(u)))

optimize (s, u) from (0.01 * white_noise[x, y, z](seed + 2), 0.0)
  minimizing loss(s, u) with lbfgs() for each iterations
  history losses

// What the power of a Gaussian map can tell of u, beside the prior (Tegmark, Taylor & Heavens 1997, eq. 15).
let h = 1e-2
let change = (log(1 + signal_to_noise(u + h)) - log(1 + signal_to_noise(u - h))) / (2 * h)
let width = (matter(u + h) - matter(u - h)) / (2 * h) / sqrt(1 + 0.5 sum(modes * change^2))
print "Omega_m {:.4f} +- {:.4f}, the truth is {:.4f}", matter(u), width, omega_m

let fit = convergence(s, u)
let fit_initial = initial(s, u)
let true_initial = initial(true_noise, true_u)
output truth
output data
output fit
output fit_initial
output true_initial
output losses
let found = matter(u)
output found
output width
let (k, r_initial) = correlation(true_initial, fit_initial)
let (l, r_map) = correlation(inside * truth, inside * fit)
let (l2, r_data) = correlation(inside * truth, inside * data)
output recovery (k, r_initial) = (k, r_initial)
output maps (l, r_fit, r_data) = (l, r_map, r_data)
plot convergence_maps = (truth, data, fit) shared title "Convergence: the truth, the data, the fit"
plot map_correlations = (l, r_map, r_data) title "Correlation with the true map" xscale log
