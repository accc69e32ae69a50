// The sky all around an observer in a simulation: HEALPix maps of the matter in shells of a light cone among copies of the box, the convergence
// of sources behind them in the Born approximation, and its angular power spectrum.

use math, cosmology, power, fields, lpt, nbody, lensing, healpix

const n: int in [8, 4096] = 64             "particles a side"
const nside: int in [1, 1024] = 64         "of maps: 12 nside^2 pixels"
const shells: int in [2, 1024] = 12        "steps on the light cone"
const most: int in [1, 8] = 2              "copies of the box on each side"
const top: int in [2, 1500] = 128          "largest l"
param box: length in (0, inf) = 256 Mpc/h  "box side"
param far: length in (0, inf) = 600 Mpc/h  "where the light cone begins"
param z_s in (0, 10) = 0.2                 "redshift of the sources"
param omega_m in (0, 1) = 0.3075           "matter density today"
param sigma8 in (0, 10) = 0.8159           "rms linear overdensity today in spheres of 8 Mpc/h"
param seed: u64 = 42                       "of the initial random field"
param steps: int in [1, inf) = 8           "time steps before the light cone"

dim x = n, y = n, z = n over box
dim pixel = npix(nside)
dim shell = shells
dim l = top + 1, m = top + 1
mesh gpus(row = 1, col = 1)
layout x -> row, y -> col, pixel -> (row, col), m -> row

let cosmo = flat_lcdm(omega_m = omega_m, sigma8 = sigma8)
let P = spectrum(eisenstein_hu(cosmo))
let time = equal_shells(cosmo, far, shells)
let start = nbody(cosmo, lpt(cosmo, gaussian_field[x, y, z](P, seed), a = 0.1), from = 0.1, to = time(0), steps = steps)

// Both are looked at while the particles move once.
let sources = comoving_distance(cosmo, 1 / (1 + z_s))
let efficiency = chi => max(1 - chi / sources, 0)
let kept = keep_shells[shell, pixel](most = most)
let straight = born_sphere[pixel](cosmo, efficiency, most = most)
let none = light_of_nothing[pixel]()
let cone = light_cone(cosmo, start, time, shells, (zeros[shell, pixel], none), light => (kept(light), straight(light)))
let (overdensity, kappa) = cone.seen
output overdensity
output kappa
print "kappa {:.5f} rms; the last shell's overdensity {:.3f}", sqrt(mean(kappa^2)),
      sqrt(mean(overdensity[shell = shells - 1]^2))

// Particles are few: their noise is that of their number on the sky, weighted as they are.
let C = sphere_power[l, m](kappa)
let multipole = map q in [l] => index(q, l) + 0.0
let particles = 1 / (spacing(x) * spacing(y) * spacing(z))
let noise = integrate(chi => (1.5 omega_m / hubble_distance()^2 / scale_factor(cosmo, chi) * efficiency(chi))^2 /
  particles, from = 0 Mpc/h, to = min(sources, far), panels = 8)
let linear =
  limber(cosmo, max(multipole, 1), efficiency, grown(cosmo, P), from = scale_factor(cosmo, min(sources, far)))
output spectra (l, C, linear, noise) = (multipole, C, linear, noise + 0 * C)
// The mean of the sky, l = 0, has no place on logarithmic axes.
fn above_0(f) = part(f, l, 1, top)
let (ell, sky_C, predicted_C) = (above_0(multipole), above_0(C), above_0(linear + noise))
plot power = (ell, sky_C, predicted_C) scale log title "Convergence of the full sky" labels ("measured", "predicted") xlabel "ℓ" ylabel "C(ℓ)"
plot sky = kappa title "Convergence of the sources" projection mollweide clabel "κ"
let nearest_shell = overdensity[shell = shells - 1]
plot nearest = nearest_shell title "Matter in the nearest shell" projection mollweide colors inferno clabel "overdensity"
