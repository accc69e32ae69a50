// A mock catalog of galaxies. An N-body simulation forms halos, which are found by friends of friends. A halo occupation distribution
// places galaxies in them. The outputs are the galaxies in redshift space, and the multipoles of their power spectrum.

use cosmology, power, fields, lpt, nbody, particles, spectra, catalogs, random

const n: int in [8, 4096] = 128            "particles a side"
const most_halos: int in [1, inf) = 20000  "halos at most"
const most: int in [1, inf) = 60000        "galaxies at most"
const least: int in [2, inf) = 20          "particles of the smallest halo"
const steps: int in [1, inf) = 20          "time steps"
param box: length in (0, inf) = 200 Mpc/h  "box side"
param a in (0, 1] = 0.6666666667           "scale factor of the catalog"
param log_m_min = 13.1                     "log₁₀ of the mass, in Msun/h, at which half of the halos have a central galaxy"
param sigma in (0, inf) = 0.4              "width of this step"
param log_m0 = 13.0                        "log₁₀ of the mass below which there are no satellites"
param log_m1 = 14.0                        "log₁₀ of the scale of the mass of satellites"
param alpha in (0, inf) = 1.0              "slope of the number of satellites"
param particles: bool = false              "writes the particles, too"
param seed: u64 = 1                        "another universe"

dim x = n, y = n, z = n over box
dim halo = most_halos, galaxy = most
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col

let c = flat_lcdm()
let linear = gaussian_field[x, y, z](spectrum(eisenstein_hu(c)), seed)
let end = nbody(c, lpt(c, linear, a = 0.1), times = steps_in_a(0.1, a, steps), boost = 2)

// ---- Halos -------------------------------------------------------------------------------------------------------------

let matter = 2.77536627e11 Msun/h/(Mpc/h)^3 * c.omega_m
let groups = halo_catalog[halo](end, least = least)
let mass = matter * spacing(x)^3 * groups.members
// The mean density within the radius of a halo is 200 times that of the universe. Concentrations are those of Duffy et al. (2008).
let radius = map q in mass =>
  (if groups.exists > 0 then exp(log(mass / (800 / 3 * pi * matter) / 1 (Mpc/h)^3) / 3) else 0) * 1 Mpc/h
let concentration = map q in mass => 10.14 * pow(max(mass, 1e8 Msun/h) / 2e12 Msun/h, -0.081) * pow(a, 1.01)
// Random velocities in halos are those of an isothermal sphere: G M/(2 r).
let dispersion = map q in mass => if groups.exists > 0 then
                                    sqrt(4.30091e-9 (km/s)^2*Mpc/h/Msun/h * mass /
                                         (2 * a * (if groups.exists > 0 then radius else 1 Mpc/h)))
                                  else 0 km/s
let halos = {pos = groups.pos, velocity = for p in groups.mom => 100 km/s/Mpc/h / a * p, mass = number(mass, 1 Msun/h),
             radius = radius, concentration = concentration, dispersion = dispersion, exists = groups.exists}

// ---- Galaxies ----------------------------------------------------------------------------------------------------------

// Cells without a halo have the mass 0, and therefore no galaxies.
let occupation = zheng_hod(log_m_min, sigma, log_m0, log_m1, alpha)
let found = hod_galaxies[galaxy](occupation, halos with {mass = max(halos.mass, 1)}, split(seed, "galaxies"),
                                 box = (box, box, box))
let velocity = hod_velocities(found, halos, split(seed, "velocities"))
// The positions that a distant observer along z infers from the redshifts.
let seen = map q in found.exists => wrap(found.pos[2] + velocity[2] / (100 km/s/Mpc/h * a * E(c, a)), box)

output halos flatten = halos
output galaxies flatten = {pos = found.pos, seen = seen, velocity = velocity, halo = 1.0 * found.halo,
                           central = found.central, exists = found.exists}
if particles {
  output position flatten = positions(end)
}

// ---- Spectra -----------------------------------------------------------------------------------------------------------

fn overdensity_of(pos) =
  cells(x)^3 / found.count * paint_at[x, y, z](pos, window = "tsc", weight = found.exists) - 1
let (k, P, modes) =
  power_multipoles(overdensity_of((found.pos[0], found.pos[1], seen)), z, ells = (0, 2), compensate = "tsc")
let (_, real_space, _) = power_spectrum(overdensity_of(found.pos), compensate = "tsc")
let noise = box^3 / found.count
output spectra (k, P0, P2, real, modes) = (k, P[0] - noise, P[1], real_space - noise, modes)
print "{} halos, {:.0f} galaxies, of which {:.3f} are satellites", groups.count, found.count,
      1 - sum(found.central) / found.count
let (monopole, quadrupole) = (map q in k => k * (P[0] - noise), map q in k => k * P[1])
let isotropic = map q in k => k * (real_space - noise)
plot spectra = (k, monopole, quadrupole, isotropic) xscale log xrange 0.04 h/Mpc .. 1.2 h/Mpc title "Galaxies of the mock catalog" labels ("ℓ = 0", "ℓ = 2", "real space") ylabel "k Pₗ(k)"
