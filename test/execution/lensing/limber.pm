// RUN: %pmc %s -o %t && %t --out %t.out --quiet
// Angular spectra of maps against Limber's approximation with the simulation's own spectra: within 10 % in every band of l
// from 200 to 2000, averaged over 25 lines of sight, which do not see the same parts of the planes.

use cosmology, power, fields, lpt, nbody, particles, spectra, lensing, sky

const n = 64
const planes = 12
const bands = 5
dim x = n, y = n, z = n over 192 Mpc/h
dim p = 256, q = 256 over 192 Mpc/h
dim u = 96, v = 96 over 5 deg
dim sight = 25
dim fine = 60
param seed: u64 = 1

let c = flat_lcdm()
let time = equal_shells(c, comoving_distance(c, 1 / 1.7), planes)
let start = nbody(c, lpt(c, gaussian_field[x, y, z](spectrum(eisenstein_hu(c)), seed), a = 0.1), from = 0.1,
                  to = time(0), steps = 5)
let source = chi => source_planes(c, (0.7, 1.0))(chi)[0]
let theta = map i in [sight, u, v] => (i[u] + 5.3 deg * index(i, sight), i[v] + 23.7 deg * index(i, sight))
let cone = light_cone(c, start, time, planes, 0 * theta[0], on_planes[p, q](born(c, theta, source)), turned_copies())

let weight = map t in [u, v] => sin(pi * t[u] / length(u)) * sin(pi * t[v] / length(v))
let width = 10 pi / length(u)
fn measured(f) = angular_spectrum(f, 0.5 width, width, bands, weight)
let (l, first, modes) = measured(slice(cone.seen, sight = 0))
let C = loop sum = 0 * first for i in 0 .. 25 => {
  let (l, one, modes) = measured(slice(cone.seen, sight = i))
  sum + one / 25
}

// As in examples/lensing.
let (k0, early, modes0) = power_spectrum(overdensity(start, boost = 2), compensate = "cic")
let (k1, late, modes1) = power_spectrum(overdensity(cone.particles, boost = 2), compensate = "cic")
fn shell_at[B, M](f: field[B], m: field[M]) = sum(map i in [B, M] => f * max(1 - abs(m - index(i, B)), 0), over = B)
fn P(k, a) {
  let m = min(k * length(x) / (2 pi) - 0.5, cells(x) - 1)  // behind the last shell there is noise of particles
  let D0 = growth(c, time(0)).D1
  let D = growth(c, a).D1
  let t = (D^2 - D0^2) / (1 - D0^2)
  exp(-(k * length(x) / cells(p))^2 / 3) * D^2 * ((1 - t) * shell_at(early, m) / D0^2 + t * shell_at(late, m))
}
let expected = band_means[fine](l => limber(c, l, source, P, from = time(0)), 0.5 width, width, bands)
output found (l, C, limber) = (l, C, expected)
print "{:.3f} to {:.3f} of Limber's", min(C / expected), max(C / expected)
assert max(abs(C / expected - 1)) < 0.1, "{} off", max(abs(C / expected - 1))
