// A mock catalog: galaxies in halos, their number, profile and correlation function.
use catalogs, random

dim halo = 2000, galaxy = 6000
let side = 200 Mpc/h
let box = (side, side, side)
let mass = map h in [halo] => 4e12 * (0.002 + random(split(1, h)))^-0.8
let halos = {
  pos = for i in 0 .. 3 => side * uniform[halo](split(2, i))
  mass = mass
  radius = 0.3 Mpc/h * (mass / 1e13)^(1 / 3)
  concentration = 9 * (mass / 1e13)^-0.1
}
let model = zheng_hod(log_m_min = 12.9, sigma = 0.3, log_m0 = 12.6, log_m1 = 13.6, alpha = 1.05)
let g = hod_galaxies[galaxy](model, halos, 5, box = box)
output mass
output centers = halos.pos
output pos = g.pos
output flags (exists, central, host) = (g.exists, g.central, g.halo)
output expected (centrals, satellites) = (mean_centrals(model, mass), mean_satellites(model, mass))
output pairs = own_pair_counts(g.pos, from = 0 Mpc/h, width = 1 Mpc/h, count = 12, weight = g.exists, box = box)
print "{} galaxies", g.count
