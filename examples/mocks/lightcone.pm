// A mock catalog of galaxies on the light cone. Particles of an N-body simulation are kept where their light is seen. Halos of these
// particles are found by friends of friends. The outputs are halos, and galaxies with the redshifts that an observer measures.

use cosmology, power, fields, particles, lpt, nbody, lensing, catalogs, random

const n: int in [8, 4096] = 128                  "particles a side"
const before: int in [1, inf) = 15               "time steps before the light cone"
const steps: int in [1, inf) = 8                 "time steps on the light cone"
const most_particles: int in [1, inf) = 1200000  "particles of a step on the light cone at most"
const most_halos: int in [1, inf) = 40000        "halos at most"
const most: int in [1, inf) = 100000             "galaxies at most"
const least: int in [2, inf) = 20                "particles of the smallest halo"
param box: length in (0, inf) = 200 Mpc/h        "box side, and the width of the light cone"
param far: length in (0, inf) = 900 Mpc/h        "distance of the farthest galaxies"
param near: length in (0, inf) = 300 Mpc/h       "distance of the nearest galaxies"
param beyond: length in [0, inf) = 6 Mpc/h       "largest distance of a particle of a halo from its center"
param linking in (0, inf) = 0.2                  "linking length in mean separations"
param log_m_min = 13.1                           "log₁₀ of the mass, in Msun/h, at which half of the halos have a central galaxy"
param sigma in (0, inf) = 0.4                    "width of this step"
param log_m0 = 13.0                              "log₁₀ of the mass below which there are no satellites"
param log_m1 = 14.0                              "log₁₀ of the scale of the mass of satellites"
param alpha in (0, inf) = 1.0                    "slope of the number of satellites"
param particles: bool = false                    "writes the particles, too"
param seed: u64 = 1                              "another universe"

dim x = n, y = n, z = n over box
dim step = steps, list = most_particles
dim halo = most_halos, galaxy = most
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col

let link = linking * spacing(x)
assert near - beyond > link, "near is {}, expected more than beyond = {} and the linking length {}", near, beyond, link
assert near < far, "near is {}, expected less than far, which is {}", near, far
let c = flat_lcdm()
let time = equal_shells(c, far + beyond, steps, near = near - beyond)
let linear = gaussian_field[x, y, z](spectrum(eisenstein_hu(c)), seed)
let start = nbody(c, lpt(c, linear, a = 0.1), times = steps_in_a(0.1, time(0), before), boost = 2)
let light = light_cone(c, start, time, steps, empty_catalog[step, list](),
                       keep_catalog[step, list](beyond = beyond), copies = turned_copies(), boost = 2).seen

// ---- Halos -------------------------------------------------------------------------------------------------------------

// The catalog has each copy of the box with its surroundings. For the search, copies are moved apart: friends are in the same copy.
// Cells without a particle have the position of the observer and form one group. No particle has this position.
let apart = light.pos[2] + 2 * (beyond + link) * light.copy
let group = friends_of_friends((light.pos[0], light.pos[1], apart), link, box = (box, box, 0))
let cell = steps * most_particles
// Positions relative to the first particle of the group, in the periodic directions across the line of sight.
let offset = map q in group => for i in 0 .. 3 => {
  let away = light.pos[i] - light.pos[i][step = div(group, most_particles), list = mod(group, most_particles)]
  if i < 2 then away - box * round(away / box) else away
}
let sums = bins q in group into cell by group => (light.exists, offset[0] / 1 Mpc/h, offset[1] / 1 Mpc/h,
                                                  offset[2] / 1 Mpc/h, light.velocity / 1 km/s)
let members = sums[0]
// A halo belongs to the copy that contains its center. In the surroundings of another copy, it is an image and is left out.
let (found, count) = collect q in members where {
  let first = int(index(q, dims(members)[0]))
  let (s, i) = (div(first, most_particles), mod(first, most_particles))
  let chi = light.pos[2][step = s, list = i] + sums[3] / max(members, 1) * 1 Mpc/h
  let copy = light.copy[step = s, list = i]
  members > least - 0.5 and chi >= max(near, copy * box) and chi < min(far, (copy + 1) * box)
} into halo => {
  let first = int(index(q, dims(members)[0]))
  let (s, i) = (div(first, most_particles), mod(first, most_particles))
  fn mean(k) = sums[k] / members
  (wrap(light.pos[0][step = s, list = i] + mean(1) * 1 Mpc/h, box) / 1 Mpc/h,
   wrap(light.pos[1][step = s, list = i] + mean(2) * 1 Mpc/h, box) / 1 Mpc/h,
   light.pos[2][step = s, list = i] / 1 Mpc/h + mean(3), mean(4), members)
}
let exists = map q in [halo] => if index(q, halo) < count then 1.0 else 0.0
let matter = 2.77536627e11 Msun/h/(Mpc/h)^3 * c.omega_m
let mass = matter * spacing(x)^3 * found[4]
let a = map q in [halo] => if exists > 0 then scale_factor(c, found[2] * 1 Mpc/h) else 1
// The mean density within the radius of a halo is 200 times that of the universe. Concentrations are those of Duffy et al. (2008).
let radius =
  map q in mass => (if exists > 0 then exp(log(mass / (800 / 3 * pi * matter) / 1 (Mpc/h)^3) / 3) else 0) * 1 Mpc/h
let concentration = map q in mass => 10.14 * pow(max(mass, 1e8 Msun/h) / 2e12 Msun/h, -0.081) * pow(a, 1.01)
// Random velocities in halos are those of an isothermal sphere: G M/(2 r).
let dispersion = map q in mass => if exists > 0 then
                                    sqrt(4.30091e-9 (km/s)^2*Mpc/h/Msun/h * mass /
                                         (2 * a * (if exists > 0 then radius else 1 Mpc/h)))
                                  else 0 km/s
let halos = {pos = for i in 0 .. 3 => found[i] * 1 Mpc/h, velocity = found[3] * 1 km/s, mass = number(mass, 1 Msun/h),
             radius = radius, concentration = concentration, dispersion = dispersion, a = a, exists = exists}

// ---- Galaxies ----------------------------------------------------------------------------------------------------------

// Cells without a halo have the mass 0, and therefore no galaxies.
let occupation = zheng_hod(log_m_min, sigma, log_m0, log_m1, alpha)
let drawn = hod_galaxies[galaxy](occupation, halos with {mass = max(halos.mass, 1)}, split(seed, "galaxies"),
                                 box = (box, box, 0))
// The catalog has only the velocity along the line of sight.
let still = 0 * halos.velocity
let velocity =
  hod_velocities(drawn, halos with {velocity = (still, still, halos.velocity)}, split(seed, "velocities"))[2]
// The scale factor at each galaxy, its redshift including the velocity, and the distance at which a galaxy at rest has this redshift.
let scale = map q in [galaxy] => if drawn.exists > 0 then scale_factor(c, drawn.pos[2]) else 1
let redshift = map q in [galaxy] => (1 + velocity / 299792.458 km/s) / scale - 1
let seen = map q in [galaxy] => if drawn.exists > 0 then comoving_distance(c, 1 / (1 + redshift)) else 0 Mpc/h

output halos flatten = halos
output galaxies flatten = {pos = drawn.pos, redshift = redshift, seen = seen, velocity = velocity,
                           halo = 1.0 * drawn.halo,
                           central = drawn.central, exists = drawn.exists}
if particles {
  output light flatten = light
}
print "{:.0f} particles, {} halos, {:.0f} galaxies, of which {:.3f} are satellites", sum(light.exists), count,
      drawn.count,
      (drawn.count - sum(drawn.central)) / max(drawn.count, 1)
