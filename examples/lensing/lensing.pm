// Weak lensing: a simulation, its light cone, maps of convergence and shear for sources at three redshifts, along straight
// rays and along bent ones, and their power spectra against the Limber approximation.

use cosmology, power, fields, lpt, nbody, particles, spectra, lensing, sky

const n: int in [8, 4096] = 128            "particles a side"
const planes: int in [2, 1024] = 24        "lens planes, and steps on the light cone"
const pixels: int in [8, 16384] = 512      "of maps and lens planes, a side"
const bands: int in [2, 1024] = 12         "bins of l"
param box: length in (0, inf) = 256 Mpc/h  "box side"
param angle in (0, 30) = 5 deg             "side of the maps"
param omega_m in (0, 1) = 0.3075           "matter density today"
param sigma8 in (0, 10) = 0.8159           "rms linear overdensity today in spheres of 8 Mpc/h"
param seed: u64 = 42                       "of the initial random field"
param steps: int in [1, inf) = 10          "time steps before the light cone"
param z1 in (0, 10) = 0.5                  "redshifts of the sources"
param z2 in (0, 10) = 1
param z3 in (0, 10) = 1.5

dim x = n, y = n, z = n over box
dim p = pixels, q = pixels over box    // a lens plane
dim plane = planes
dim u = pixels, v = pixels over angle  // the sky
dim fine = 8 * bands                   // multipoles of the prediction
mesh gpus(row = 1, col = 1)
layout x -> row, y -> col, p -> row, q -> col, u -> row, v -> col

let cosmo = flat_lcdm(omega_m = omega_m, sigma8 = sigma8)
let linear = gaussian_field[x, y, z](spectrum(eisenstein_hu(cosmo)), seed)

// The light cone begins behind the farthest sources. Until then there is nothing to see.
let reach = comoving_distance(cosmo, 1 / (1 + max(z1, max(z2, z3))))
let time = equal_shells(cosmo, reach, planes)
let start = nbody(cosmo, lpt(cosmo, linear, a = 0.1), from = 0.1, to = time(0), steps = steps)
let cone = light_cone(cosmo, start, time, planes, zeros[plane, p, q], keep_planes[plane, p, q](), turned_copies())

// Along straight rays, and along those that every plane bends.
let theta = rays[u, v]()
let sources = source_planes(cosmo, (z1, z2, z3))
let none = 0 * theta[0]
let straight = over_planes(cosmo, cone.seen, time, (none, none, none), born(cosmo, theta, sources))
let bent = trace_rays(cosmo, cone.seen, time, theta, sources)
output kappa_born (z1, z2, z3) = (straight[0], straight[1], straight[2])
output kappa (z1, z2, z3) = (bent.kappa[0], bent.kappa[1], bent.kappa[2])
output gamma1 (z1, z2, z3) = (bent.gamma1[0], bent.gamma1[1], bent.gamma1[2])
output gamma2 (z1, z2, z3) = (bent.gamma2[0], bent.gamma2[1], bent.gamma2[2])
output omega (z1, z2, z3) = (bent.omega[0], bent.omega[1], bent.omega[2])
let (near, middle, far) = bent.kappa
let shear = sqrt(bent.gamma1[2]^2 + bent.gamma2[2]^2)
plot near_sources = near title "Convergence of the near sources" clabel "κ"
plot middle_sources = middle title "Convergence of the middle sources" clabel "κ"
plot far_sources = far title "Convergence of the far sources" clabel "κ"
plot far_shear = shear title "Shear of the far sources" clabel "γ"

fn rms(f) = sqrt(mean((f - mean(f))^2))
let shown = for i in 0 .. 3 => {
  let difference = rms(bent.kappa[i] - straight[i])
  print "kappa {:.5f} rms; straight rays differ by {:.2e}, rotation {:.2e}", rms(bent.kappa[i]), difference,
        rms(bent.omega[i])
  difference
}

// The prediction, from the simulation's own spectra at both ends of the light cone, on a mesh fine enough for all that planes
// show. Between them P/D1^2 is taken as linear in D1^2, as it is for the first correction to linear theory.
let (k0, early, modes0) = power_spectrum(overdensity(start, boost = 2), compensate = "cic")
let (k1, late, modes1) = power_spectrum(overdensity(cone.particles, boost = 2), compensate = "cic")
let D0 = growth(cosmo, time(0)).D1
// Shell m is at m + 1/2 fundamental modes; there is nothing below the first, and noise of particles behind the last.
fn shell_at[B, M](f: field[B], m: field[M]) = sum(map i in [B, M] => f * max(1 - abs(m - index(i, B)), 0), over = B)
fn P(k, a) {
  let m = min(k * box / (2 pi) - 0.5, cells(x) - 1)
  let D = growth(cosmo, a).D1
  let t = (D^2 - D0^2) / (1 - D0^2)
  let value = D^2 * ((1 - t) * shell_at(early, m) / D0^2 + t * shell_at(late, m))
  // What is painted on planes and read from them is smoothed by two windows.
  exp(-(k * box / pixels)^2 / 3) * value
}

// In bands of l. The weight falls to 0 at the edges, since the maps are not periodic.
let weight = map t in [u, v] => sin(pi * t[u] / angle) * sin(pi * t[v] / angle)
let width = 6 * pi / angle
fn measured(f) = angular_spectrum(f, 0.5 width, width, bands, weight)
let (l, C1, modes) = measured(bent.kappa[0])
let (l2, C2, modes2) = measured(bent.kappa[1])
let (l3, C3, modes3) = measured(bent.kappa[2])
fn limber_of(i) = band_means[fine](l => limber(cosmo, l, sources, P, from = time(0))[i], 0.5 width, width, bands)
let (L1, L2, L3) = (limber_of(0), limber_of(1), limber_of(2))
output spectra (l, C1, limber1, C2, limber2, C3, limber3, modes) = (l, C1, L1, C2, L2, C3, L3, modes)
plot spectrum = (l, C3, L3) scale log title "Convergence of the far sources and its prediction" labels ("measured", "predicted") xlabel "ℓ" ylabel "C(ℓ)"
