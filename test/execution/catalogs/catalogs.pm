// RUN: %pmc %s -O0 -o %t --precision=f64 && %python %S/../ranks/on_meshes.py %t %t.out 1e-9 1 2 3
// RUN: %python %S/check_catalogs.py %t.out/1
// Compares galaxies in halos, counts of pairs and spherical overdensities with NumPy, and derivatives with differences. On meshes of ranks.

use catalogs, fields, random

dim x = 12 over 60 Mpc/h
dim y = 12 over 60 Mpc/h
dim z = 12 over 50 Mpc/h
dim halo = 300, galaxy = 2000, point = 400, center = 12, core = 300
mesh ranks(row = 1)
layout x -> row, halo -> row, point -> row

let sides = (60 Mpc/h, 60 Mpc/h, 50 Mpc/h)
let halos = {pos = for i in 0 .. 3 => sides[i] * uniform[halo](i),
             mass = map q in [halo] => pow(10.0, 12 + 2.5 * random(split(3, q))),
             radius = 0.5 Mpc/h * (1 + uniform[halo](4)), concentration = 4 + 5 * uniform[halo](5)}
let h = zheng_hod(log_m_min = 12.8, sigma = 0.4, log_m0 = 12.5, log_m1 = 13.4, alpha = 1.1)
output halos (x, y, z, mass, radius, concentration) =
  (number(halos.pos[0], 1 Mpc/h), number(halos.pos[1], 1 Mpc/h), number(halos.pos[2], 1 Mpc/h), halos.mass,
   number(halos.radius, 1 Mpc/h), halos.concentration)
output occupation (central, satellites, plain) =
  (mean_centrals(h, halos.mass), mean_satellites(h, halos.mass), mean_satellites(h, halos.mass, modulated = false))

// ---- galaxies ----
fn written(g) =
  (number(g.pos[0], 1 Mpc/h), number(g.pos[1], 1 Mpc/h), number(g.pos[2], 1 Mpc/h), 1.0 * g.halo, g.central, g.exists)
let nfw = hod_galaxies[galaxy](h, halos, 7, box = sides)
// Here many halos have satellites but no central galaxy.
let rare = h with {log_m_min = 13.6}
let gauss = hod_galaxies[galaxy](rare, halos, 8, profile = "gaussian", modulated = false)
output galaxies (x, y, z, halo, central, exists) = written(nfw)
output gaussian (x, y, z, halo, central, exists) = written(gauss)
output counts (nfw, gaussian, number) = (1.0 * nfw.count, 1.0 * gauss.count, mean_centrals(h, 1e13))
output radii = map q in [point] => nfw_radius((index(q, point) + 0.5) / 400, 7.5)

// Halos without mass, radius and concentration, as the empty cells of a catalog of halos, have no galaxies. Cells without a galaxy are 0.
fn in_first(f) = map q in f => if index(q, halo) < 200 then f else 0 * f
let padded = {pos = halos.pos, mass = in_first(halos.mass), radius = in_first(halos.radius),
              concentration = in_first(halos.concentration)}
let few = hod_galaxies[galaxy](h, padded, 7, box = sides)
output few (x, y, z, halo, central, exists) = written(few)

// ---- velocities ----
let moving = {velocity = for i in 0 .. 3 => 500 km/s * (uniform[halo](50 + i) - 0.5),
              dispersion = 100 km/s * (1 + uniform[halo](53))}
fn in_kms(v) = for i in 0 .. 3 => number(v[i], 1 km/s)
output motion (x, y, z, dispersion) =
  (number(moving.velocity[0], 1 km/s), number(moving.velocity[1], 1 km/s), number(moving.velocity[2], 1 km/s),
   number(moving.dispersion, 1 km/s))
output velocities = in_kms(hod_velocities(nfw, moving, 9))
output biased = in_kms(hod_velocities(gauss, moving, 9, central_bias = 0.3, satellite_bias = 0.8))

// ---- pairs ----
let points = for i in 0 .. 3 => sides[i] * uniform[point](10 + i)
let w = 0.5 + uniform[point](13)
let v = 0.5 + uniform[halo](14)
output points (x, y, z, w) = (number(points[0], 1 Mpc/h), number(points[1], 1 Mpc/h), number(points[2], 1 Mpc/h), w)
output weights = v
output pairs (plain, periodic, own, own_periodic) =
  (pair_counts(points, halos.pos, 2 Mpc/h, 3 Mpc/h, 9),
   pair_counts(points, halos.pos, 2 Mpc/h, 3 Mpc/h, 9, weight_a = w, weight_b = v, box = sides),
   own_pair_counts(points, 0 Mpc/h, 3 Mpc/h, 9), own_pair_counts(points, 0 Mpc/h, 3 Mpc/h, 9, weight = w, box = sides))
let ls = landy_szalay(halos.pos, points, 0 Mpc/h, 4 Mpc/h, 7, weight = v, weight_randoms = w, box = sides)
let plain = landy_szalay(halos.pos, points, 0 Mpc/h, 4 Mpc/h, 7)
output estimates (xi, DD, DR, RR, plain) = (ls.xi, ls.DD, ls.DR, ls.RR, plain.xi)

// ---- spherical overdensities ----
fn at(d) = if d == x then 0 else if d == y then 1 else 2
let lump = for d in (x, y, z) => map q in [x, y, z] => {
  let r2 = norm2(for e in (x, y, z) => number(q[e] - 25 Mpc/h, 8 Mpc/h))
  -0.8 * (q[d] - 25 Mpc/h) * exp(-0.5 * r2) + 1 Mpc/h * random(split(20 + at(d), q))
}
let centers = for i in 0 .. 3 => map q in [center] => 25 Mpc/h + 2 Mpc/h * (random(split(30 + i, q)) - 0.5)
let sphere = spherical_overdensity(centers, lump, 8, 1 Mpc/h, 20 Mpc/h, 12)
output lump = lump
// Groups of a lattice with a lump, and the spheres around them that are not in larger spheres.
let scattered = {disp = for d in (x, y, z) => lump[at(d)] + 2 Mpc/h * white_noise[x, y, z](40 + at(d)), mom = lump}
let cores = halo_catalog[core](scattered, b = 0.4, least = 2)
let around = spherical_overdensity(cores.pos, scattered.disp, 1.4, 1 Mpc/h, 20 Mpc/h, 12)
let distinct = spherical_halos[core](scattered, 1 Mpc/h, 20 Mpc/h, 12, ratio = 1.4, b = 0.4, least = 2)
output cores (x, y, z, exists, radius, number) =
  (number(cores.pos[0], 1 Mpc/h), number(cores.pos[1], 1 Mpc/h), number(cores.pos[2], 1 Mpc/h), cores.exists,
   number(around.radius, 1 Mpc/h), around.number)
output distinct (x, y, z, exists, radius, number) =
  (number(distinct.pos[0], 1 Mpc/h), number(distinct.pos[1], 1 Mpc/h), number(distinct.pos[2], 1 Mpc/h),
   distinct.exists, number(distinct.radius, 1 Mpc/h), distinct.number)
output spheres (x, y, z, radius, number) =
  (number(centers[0], 1 Mpc/h), number(centers[1], 1 Mpc/h), number(centers[2], 1 Mpc/h),
   number(sphere.radius, 1 Mpc/h), sphere.number)

// ---- derivatives ----
fn everything(u, s, a) {
  let h = zheng_hod(log_m_min = 12.8 + 0.1 * s, sigma = 0.4 + 0.1 * s, log_m0 = 12.5, log_m1 = 13.4 - 0.1 * s,
                    alpha = 1.1 + s)
  // The galaxies are those of given_hod, because their numbers have no derivatives with respect to h.
  let changed = halos with {pos = for i in 0 .. 3 => halos.pos[i] + u * 1 Mpc/h, radius = halos.radius * (1 + s),
                            concentration = halos.concentration * (1 + a)}
  (mean_centrals(h, halos.mass), mean_satellites(h, halos.mass),
   hod_galaxies[galaxy](given_hod, changed, 7).pos[1] / 1 Mpc/h,
   hod_galaxies[galaxy](given_hod, changed, 7, profile = "gaussian").pos[0] / 1 Mpc/h,
   hod_velocities(nfw,
                  {velocity = for i in 0 .. 3 => exp(u) * moving.velocity[i],
                   dispersion = (1 + s * u) * moving.dispersion}, 9,
                  central_bias = a, satellite_bias = 1 + s)[2] / 100 km/s,
   hod_galaxies[galaxy](given_hod, padded with {radius = padded.radius * (1 + s * u)}, 7).pos[2] / 1 Mpc/h,
   landy_szalay(halos.pos, points, 0 Mpc/h, 4 Mpc/h, 7, weight = exp(u), weight_randoms = w * (1 + a * w),
                box = sides).xi)
}
let given_hod = h
let direction = white_noise[halo](11)
let none = 0 * direction
let (value, along) = jvp(everything, wrt = (u, s, a))(none, 0.1, 0.2, tangent = (direction, 0.7, 0.4))
let (_, back) = vjp(everything, wrt = (u, s, a))(none, 0.1, 0.2, cotangent = value)
fn moved(e) = inner(everything(e * direction, 0.1 + 0.7 e, 0.2 + 0.4 e), value)
dim end = 2
let epsilon = 1e-5
let (_, ends) = loop u = 0.0 for i in end => { u stacking moved((2 * i - 1) * epsilon) }
let difference = (ends[end = 1] - ends[end = 0]) / (2 epsilon)
let (forward, backward) = (inner(along, value), inner(back, (direction, 0.7, 0.4)))
let size = sqrt(inner(along, along) * inner(value, value))
print "J v {:.6e}, J^T w {:.6e}, by differences {:.6e}, of {:.3e}", forward, backward, difference, size
assert abs(forward - backward) < 1e-11 * size, "{} forward, {} backward", forward, backward
assert abs(difference - backward) < 1e-7 * size, "{} by differences, {} backward", difference, backward
output back = back[0]
