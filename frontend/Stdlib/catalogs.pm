// Catalogs of halos and galaxies: galaxies in halos by a halo occupation distribution (HOD) and their
// velocities, counts of pairs and the correlation function of Landy & Szalay, halos by friends of
// friends, spherical overdensities, and halos as such spheres.
//
// A catalog has fields over one dim. Positions are vectors of three fields in a unit of length.
//
// Setup: use cosmology, fields, random
//   dim halo = 20, galaxy = 400, point = 50
//   let side = 100 Mpc/h
//   let halos = {pos = for i in 0 .. 3 => side * uniform[halo](i), mass = 1e13 * (1 + uniform[halo](3)),
//                radius = 0.8 Mpc/h * (1 + uniform[halo](4)), concentration = 6 + uniform[halo](5),
//                velocity = for i in 0 .. 3 => 200 km/s * uniform[halo](20 + i),
//                dispersion = 300 km/s * (1 + uniform[halo](23))}
//   let h = zheng_hod(log_m_min = 12.8, sigma = 0.3, log_m0 = 12.5, log_m1 = 13.5, alpha = 1.1)
//   let points = for i in 0 .. 3 => side * uniform[point](6 + i)
//   dim x = 8, y = 8, z = 8 over 100 Mpc/h
//   let disp = for d in (x, y, z) => 9 Mpc/h * white_noise[x, y, z](1)
//
// Internal: halo_of_slot nfw_enclosed isotropic pair_separation in_box

use math, random, fields, particles

// ---- halo occupation ----

// The halo occupation distribution of Zheng et al., as a record of its five parameters. Masses are in
// any unit, the same as those of the halos; logarithms are to base 10.
// - log_m_min: number, the logarithm of the mass at which half of the halos have a central galaxy
// - sigma: number above 0, the width of the step in log₁₀ mass
// - log_m0: number, the logarithm of the mass below which there are no satellites
// - log_m1: number, the logarithm of the scale of the mass of satellites
// - alpha: number, the slope of the number of satellites
// Value: record of the parameters. A sigma that is not above 0 is an error.
// Source: Zheng, Coil & Zehavi (2007)
// Example: zheng_hod(log_m_min = 12.8, sigma = 0.3, log_m0 = 12.5, log_m1 = 13.5, alpha = 1.1)
fn zheng_hod(log_m_min, sigma, log_m0, log_m1, alpha) {
  assert sigma > 0, "zheng_hod: sigma = {}, expected a number above 0", sigma
  {log_m_min = log_m_min, sigma = sigma, log_m0 = log_m0, log_m1 = log_m1, alpha = alpha}
}

// The mean number of central galaxies of a halo: ½ (1 + erf((log₁₀ M − log_m_min)/sigma)).
// - h: record of `zheng_hod`
// - M: number or field, the mass of the halo
// Value: like M, 0 to 1.
// Source: Zheng, Coil & Zehavi (2007), eq. 2
// Example: mean_centrals(h, halos.mass)
fn mean_centrals(h, M) = 0.5 * (1 + erf((log10(M) - h.log_m_min) / h.sigma))

// The mean number of satellites of a halo: ((M − M₀)/M₁)^alpha for M > M₀, else 0, times the value of
// `mean_centrals`.
// - h: record of `zheng_hod`
// - M: number or field, the mass of the halo
// - modulated: false leaves out the factor of `mean_centrals`
// Value: like M.
// Source: Zheng, Coil & Zehavi (2007), eq. 5
// Example: mean_satellites(h, halos.mass)
fn mean_satellites(h, M, modulated = true) = elementwise(M => {
  let (m0, m1) = (pow(10.0, h.log_m0), pow(10.0, h.log_m1))
  let number_of = if M > m0 then pow((if M > m0 then M - m0 else m1) / m1, h.alpha) else 0 * h.alpha
  if modulated then number_of * mean_centrals(h, M) else number_of
}, M)

// Galaxies in halos, over the dim in brackets. Each halo has a central galaxy at its center with the
// probability `mean_centrals`. The number of its satellites is Poisson distributed with the mean
// `mean_satellites`, whether or not there is a central galaxy.
//
// Galaxies are in the order of the halos, the central one before the satellites. Satellites are in
// random directions from the center. Their distances follow the profile.
// - h: record of `zheng_hod`
// - halos: record `{pos, mass, radius, concentration}` of a vector of three fields and fields over one
//   dim: positions, masses, radii in the unit of pos, and concentrations; the profile `"gaussian"`
//   does not require the concentration
// - seed: u64
// - profile: `"nfw"`, the profile of Navarro, Frenk & White up to the radius, or `"gaussian"`, where
//   each coordinate has the standard deviation `radius`
// - modulated: as in `mean_satellites`
// - box: list of three lengths, into which positions are wrapped; 0: they are not
// Value: record `{pos, halo, central, exists, count}`: positions, the index of the halo, 1 for central
//   galaxies and 0 for others, 1 for cells of the dim that have a galaxy, which are the first ones, and
//   the number of galaxies. Cells without a galaxy are 0. More galaxies than cells are an error, and
//   so is a concentration that is not above 0 of a halo with galaxies.
//   Derivatives pass through the positions. The numbers of galaxies are constant.
// Source: Zheng, Coil & Zehavi (2007); Navarro, Frenk & White (1997)
// Cost: one binary search among the halos for each galaxy. Every rank stores all halos.
// Example: hod_galaxies[galaxy](h, halos, 1).pos
fn hod_galaxies[g](h, halos, seed: u64, profile = "nfw", modulated = true, box = (0, 0, 0)) {
  let d = dims(halos.mass)[0]
  let central =
    map q in halos.mass => if random(split(split(seed, "central"), q)) < mean_centrals(h, halos.mass) then 1.0 else 0.0
  let satellites = poisson_counts[d](mean_satellites(h, halos.mass, modulated), split(seed, "satellites"))
  let ends = cumsum(central + satellites, over = d)
  let count = sum(central + satellites)
  assert count <= cells(g), "hod_galaxies: the halos have {:.0f} galaxies, expected at most the {} cells of the dim",
         count,
         cells(g)
  if profile == "nfw" {
    let wrong = sum(map q in halos.mass => if central + satellites > 0 and halos.concentration <= 0 then 1 else 0)
    assert wrong == 0, "hod_galaxies: {:.0f} halos with galaxies have a concentration that is not above 0", wrong
  }
  let (halo, place) = map q in [g] => halo_of_slot(index(q, g), ends)
  let exists = map q in halo => if index(q, g) < count then 1.0 else 0.0
  let is_central = map q in halo => if exists > 0 and place == 0 and central[d = halo] > 0 then 1.0 else 0.0
  let away = map q in halo => {
    let here = split(split(seed, "profile"), q)
    let r = halos.radius[d = halo]
    if profile == "nfw" then {
      let c = halos.concentration[d = halo]
      nfw_radius(random(split(here, 0)), if c > 0 then c else 1) * r *
        isotropic(random(split(here, 1)), random(split(here, 2)))
    } else if profile == "gaussian" then for i in 0 .. 3 => r * normal_of(split(here, i))
    else error("hod_galaxies: a profile is \"nfw\" or \"gaussian\"")
  }
  let pos = map q in halo => for i in 0 .. 3 => {
    let at = halos.pos[i][d = halo] + (if is_central > 0 then 0 else away[i])
    if exists > 0 then in_box(at, box[i]) else 0 * at
  }
  {pos = pos, halo = halo, central = is_central, exists = exists, count = count}
}

// The velocities of the galaxies of `hod_galaxies`: that of the halo, plus a normally distributed one
// whose standard deviation in each direction is the dispersion of the halo times a velocity bias. It
// does not depend on the place in the halo.
// - galaxies: record of `hod_galaxies`
// - halos: record `{velocity, dispersion}` of a vector of three fields and a field over the dim of the
//   halos: velocities, and standard deviations of the velocity in one direction, in one unit
// - seed: u64
// - central_bias: number, the velocity bias of central galaxies; 0: they are at rest in the halo
// - satellite_bias: number, the velocity bias of satellites
// Value: vector of three fields over the dim of the galaxies in the unit of the dispersion, 0 in cells
//   without a galaxy. Derivatives pass through the velocities, dispersions and biases.
// Source: Guo et al. (2015)
// Example: hod_velocities(hod_galaxies[galaxy](h, halos, 1), halos, 2)
fn hod_velocities(galaxies, halos, seed: u64, central_bias = 0, satellite_bias = 1) {
  let d = dims(halos.dispersion)[0]
  let (halo, exists, central) = (galaxies.halo, galaxies.exists, galaxies.central)
  map q in exists => for i in 0 .. 3 => {
    let bias = if central > 0 then 1.0 * central_bias else 1.0 * satellite_bias
    let v = halos.velocity[i][d = halo] + bias * halos.dispersion[d = halo] * normal_of(split(split(seed, q), i))
    if exists > 0 then v else 0 * v
  }
}

// The halo of galaxy i and its place in this halo, where halos end before the galaxies `ends`.
fn halo_of_slot(i, ends) {
  let d = dims(ends)[0]
  let (low, high) = loop (low, high) = (0, cells(d) - 1) for k in 0 .. 31 => {
    let m = div(low + high, 2)
    let is_before = ends[d = m] <= i
    (if is_before and low < high then m + 1 else low, if is_before then high else m)
  }
  let first = if low == 0 then 0.0 else ends[d = max(low - 1, 0)]
  (int(low), i - first)
}

// The fraction s of the radius that encloses the fraction u of the mass of an NFW profile: m(c s) = u
// m(c), where m(x) = log(1 + x) − x/(1 + x).
// - u: number or element, 0 to 1
// - c: number or element above 0, the concentration
// Value: number, 0 to 1.
// Source: Navarro, Frenk & White (1997)
// Example: nfw_radius(0.5, 6.0)
fn nfw_radius(u, c) {
  let inside = u * nfw_enclosed(c)
  let (low, high) = loop (low, high) = (0.0, 1.0) for i in 0 .. 30 => {
    let m = 0.5 * (low + high)
    if nfw_enclosed(m * c) < inside then (m, high) else (low, m)
  }
  // Newton's method for the derivatives, and for all digits.
  loop s = 0.5 * (low + high) for i in 0 .. 2 => s - (nfw_enclosed(s * c) - inside) * (1 + s * c)^2 / (s * c^2)
}

fn nfw_enclosed(x) =
  if x < 0.01 then x^2 * (1 / 2 - x * (2 / 3 - x * (3 / 4 - x * (4 / 5 - x * 5 / 6)))) else log1p(x) - x / (1 + x)

// The direction of two numbers from 0 to 1.
fn isotropic(u, v) {
  let z = 2 * u - 1
  let rho = sqrt(max(1 - z^2, 0))
  (rho * cos(2 * pi * v), rho * sin(2 * pi * v), z)
}

// ---- pairs ----

// The number of pairs of two catalogs in bins of their separation. Bin i has from + i · width ≤ r <
// from + (i + 1) · width. Each pair counts w_a w_b.
// - a, b: vectors of three fields over one dim, positions in one unit of length
// - from: number in the unit of length, the lower edge of the first bin
// - width: number in the unit of length, the width of a bin
// - count: int, the number of bins
// - weight_a, weight_b: numbers, or fields over the dims of the catalogs
// - box: list of three lengths of a periodic box, in which the shortest separation counts; 0:
//   positions are not periodic
// Value: field over the bins.
// Cost: all separations are computed, without storing them. A layout that splits the dim of a divides
//   them among the ranks. Every rank stores b.
// Example: pair_counts(points, halos.pos, from = 0 Mpc/h, width = 10 Mpc/h, count = 4)
fn pair_counts(a, b, from, width, count: int, weight_a = 1, weight_b = 1, box = (0, 0, 0)) {
  let (d, list) = (dims(a[0])[0], dims(b[0])[0])
  let e = piece(list, cells(list))
  let whole = for i in 0 .. 3 => (b[i])[list = e]
  let w = map q in [list] => 1.0 * weight_b
  let v = w[list = e]
  bins q in [d, e] into count by bin_of(pair_separation(a, whole, box), from, width) => weight_a * v
}

fn pair_separation(a, b, box) = sqrt(norm2(for i in 0 .. 3 => {
  let x = a[i] - b[i]
  let L = box[i]
  if L > 0 then x - L * rint(x / L) else x
}))

// The number of pairs within one catalog in bins of their separation, as `pair_counts`. Each pair of
// two different members counts twice, once in each order.
// - a: vector of three fields over one dim, positions in one unit of length
// - from: number in the unit of length, the lower edge of the first bin
// - width: number in the unit of length, the width of a bin
// - count: int, the number of bins
// - weight: number, or field over the dim of the catalog
// - box: list of three lengths, as in `pair_counts`
// Value: field over the bins.
// Cost: as that of `pair_counts`.
// Example: own_pair_counts(points, from = 0 Mpc/h, width = 10 Mpc/h, count = 4)
fn own_pair_counts(a, from, width, count: int, weight = 1, box = (0, 0, 0)) {
  let d = dims(a[0])[0]
  let e = piece(d, cells(d))
  let b = for i in 0 .. 3 => (a[i])[d = e]
  let w = map q in [d] => 1.0 * weight
  let v = w[d = e]
  bins q in [d, e] into count by
    (if index(q, d) == index(q, e) then -1 else bin_of(pair_separation(a, b, box), from, width)) => w * v
}

// The correlation function of a catalog by the estimator of Landy & Szalay: ξ = (DD − 2 DR + RR)/RR
// in bins of the separation. DD, DR and RR are the fractions of all pairs that are in a bin, for
// pairs of data (D) and random points (R).
// - data: vector of three fields over the dim of the catalog, positions in one unit of length
// - randoms: vector of three fields over the dim of the random points, positions in the same survey
// - from: number in the unit of length, the lower edge of the first bin
// - width: number in the unit of length, the width of a bin
// - count: int, the number of bins
// - weight: number, or field over the dim of the catalog
// - weight_randoms: number, or field over the dim of the random points
// - box: list of three lengths, as in `pair_counts`
// Value: record `{xi, DD, DR, RR}` of fields over the bins. ξ is 0 in bins without pairs of random
//   points. A catalog without pairs is an error.
// Source: Landy & Szalay (1993)
// Cost: three counts of pairs, of which that of the random points is the longest.
// Example: landy_szalay(halos.pos, points, from = 0 Mpc/h, width = 20 Mpc/h, count = 3).xi
fn landy_szalay(data, randoms, from, width, count: int, weight = 1, weight_randoms = 1, box = (0, 0, 0)) {
  let (wd, wr) = (map q in data[0] => 1.0 * weight, map q in randoms[0] => 1.0 * weight_randoms)
  let (n, m) = (sum(wd), sum(wr))
  let (pairs, pairs_of_randoms) = (n^2 - sum(wd^2), m^2 - sum(wr^2))
  assert pairs > 0, "landy_szalay: the data have no pairs, expected at least two members with a weight"
  assert pairs_of_randoms > 0, "landy_szalay: the random points have no pairs, expected at least two with a weight"
  let DD = own_pair_counts(data, from, width, count, wd, box) / pairs
  let DR = pair_counts(data, randoms, from, width, count, wd, wr, box) / (n * m)
  let RR = own_pair_counts(randoms, from, width, count, wr, box) / pairs_of_randoms
  {xi = map i in RR => if RR > 0 then (DD - 2 * DR + RR) / (if RR > 0 then RR else 1) else 0, DD = DD, DR = DR, RR = RR}
}

// ---- friends of friends ----

// The halos of a simulation over the dim in brackets. They are groups of particles by friends of friends
// in the periodic box. Each has the mean position and the mean momentum of its members.
//
// Halos are in the order of their first particles, where the lattice is read row by row. The mean
// position is that of the images of the members that are nearest to the first one. Therefore a group
// must be smaller than half of the box.
// - s: particles, a record with the members `disp` and `mom`
// - b: number, the linking length in mean separations of particles
// - least: int, the smallest number of particles of a halo
// Value: record `{pos, mom, members, first, exists, count}` of fields over the dim, and of a number.
//   pos is the position in the box. mom is the momentum. members is the number of particles. first is
//   the number of the first particle, as in `friends_of_friends`. exists is 1 for cells with a halo,
//   which are the first cells, and 0 for the others. count is the number of halos. Cells without a
//   halo are 0. More halos than cells are an error. Derivatives pass through positions and momenta.
// Source: Davis et al. (1985)
// Cost: `friends_of_friends`, a readout and a paint with the window `"ngp"`.
// Example: halo_catalog[halo]({disp = disp, mom = disp}, b = 0.3, least = 3).members
fn halo_catalog[list](s, b = 0.2, least: int = 20) {
  assert least >= 1, "halo_catalog: a halo has at least one particle, found least = {}", least
  let lattice = dims(s.disp)
  let n = total(for d in lattice => 1)
  let unit = spacing(lattice[0])
  let group = friends_of_friends(positions(s), b * unit * pow(product(for d in lattice => spacing(d) / unit), 1 / n),
                                 box = for d in lattice => length(d))
  // The vector from each lattice site to that of the first particle of the group.
  let stride = for i in 0 .. n => product(for j in 0 .. n => if j > i then cells(lattice[j]) else 1)
  let to_first = for i in 0 .. n => {
    let d = lattice[i]
    map q in group => {
      let sites = mod(div(group, stride[i]), cells(d)) - index(q, d)
      (sites - cells(d) * rint(sites / cells(d))) * spacing(d)
    }
  }
  let disp_of_first = readout(for i in 0 .. n => s.disp[i], to_first, window = "ngp")
  let offset = map q in group => for i in 0 .. n => {
    let away = s.disp[i] - disp_of_first[i] - to_first[i]
    away - length(lattice[i]) * round(away / length(lattice[i]))  // rint would have a derivative
  }
  let sums = paint[lattice](to_first, window = "ngp", weight = for i in 0 .. 2 * n + 1 =>
    if i == 2 * n then 1 else if i < n then offset[i] / unit else s.mom[i - n] / unit)
  let members = sums[2 * n]
  // The numbers of the first particles may be too large for f32. Therefore their indices along each dim are collected.
  let (found, count) = collect q in members where members > least - 0.5 into list => for i in 0 .. 3 * n + 1 =>
    if i == 2 * n then members
    else if i > 2 * n then index(q, lattice[i - 2 * n - 1])
    else if i < n then {
      let d = lattice[i]
      wrap(q[d] + s.disp[i] + unit * sums[i] / max(members, 1), length(d)) / unit
    } else sums[i] / max(members, 1)
  {pos = for i in 0 .. n => unit * found[i], mom = for i in 0 .. n => unit * found[n + i], members = found[2 * n]
   first = map q in [list] => total(for i in 0 .. n => stride[i] * int(round(found[2 * n + 1 + i])))
   exists = map q in [list] => if index(q, list) < count then 1.0 else 0.0, count = count}
}

// ---- spherical overdensities ----

// The radius of the sphere around each center in which the mean density is `ratio` times that of the
// periodic box, and the number of particles in it.
//
// Particles are counted within radii that increase by equal factors. The result is the smallest
// radius at which the density falls below the threshold. Between two of these radii, the logarithm of
// the density is interpolated linearly in the logarithm of the radius.
// - centers: vector of three fields over one dim, positions in the box
// - disp: vector of three fields over the lattice of the particles, their displacements
// - ratio: number, such as 200
// - from: number in the unit of length, the smallest radius
// - to: number in the unit of length, the largest radius; above half the shortest side of the box, it
//   is an error, because only the nearest image of a particle counts
// - count: int, the number of intervals between them, at least 2
// Value: record `{radius, number}` of fields over the dim of the centers. `number` is the number of
//   particles in a sphere with the density of the threshold. Both are 0 where the density does not
//   fall below the threshold between `from` and `to`.
// Source: Lacey & Cole (1994)
// Cost: the distance from each particle to each center.
// Example: spherical_overdensity(points, disp, 3, 2 Mpc/h, 30 Mpc/h, 9).radius
fn spherical_overdensity[D](centers, disp: vector field[D], ratio, from, to, count: int) {
  let c = dims(centers[0])[0]
  let list = for d in D => d
  let half = 0.5 * min(length(list[0]), min(length(list[1]), length(list[2])))
  assert to <= 1.000001 * half,
         "spherical_overdensity: to = {}, expected at most {}, half the shortest side of the box", to, half
  let radii = piece(c, count + 1)
  let step = log(to / from) / count
  let shell = bins q in [c, D] into (c, radii) by (index(q, c), {
    let r2 = norm2(for i in 0 .. 3 => {
      let x = q[list[i]] + disp[i] - centers[i]
      (x - length(list[i]) * rint(x / length(list[i]))) / from
    })
    if r2 <= 1 then 0 else -floor(-0.5 * log(max(r2, 1)) / step)
  }) => 1
  let within = cumsum(shell, over = radii)
  let cell = product(for d in list => spacing(d))
  let sphere = ratio * (4 * pi / 3) * from^3 / cell
  let place = map q in [c] => {
    fn excess(i) = log(max(within[radii = i], 1e-3) / sphere) - 3 * step * i
    let (place, found) = loop (place, found) = (-1.0, false) for i in 1 .. count + 1 => {
      let (before, here) = (excess(i - 1), excess(i))
      let falls = not found and before >= 0 and here < 0
      (if falls then i - 1 + before / (before - here) else place, found or falls)
    }
    place
  }
  let radius = map q in place => if place < 0 then 0 * from else from * exp(step * place)
  {radius = radius, number = ratio * (4 * pi / 3) * radius^3 / cell}
}

// The halos of a simulation as spheres in which the mean density is `ratio` times that of the box, over the dim in
// brackets. The centers are the mean positions of small groups by friends of friends, the cores. A core whose center is
// in the sphere of a larger halo is not a halo.
//
// With a short linking length, two halos that a bridge of particles connects have two cores, and a core is close to the
// densest point.
// - s: particles, a record with the members `disp` and `mom`
// - from: number in the unit of length, the smallest radius
// - to: number in the unit of length, the largest radius, at most half the shortest side of the box
// - count: int, the number of intervals between them, at least 2
// - ratio: number, such as 200
// - b: number, the linking length of the cores in mean separations of particles
// - least: int, the smallest number of particles of a core
// Value: record `{pos, radius, number, exists}` of fields over the dim: the center, and the radius and number of
//   `spherical_overdensity`. exists is 1 for cells with a halo and 0 for others, which are not in order. More cores than
//   cells of the dim are an error. Derivatives pass through positions.
// Source: Lacey & Cole (1994); Tinker et al. (2008), section 2.2
// Cost: `halo_catalog`, the distance from each particle to each cell of the dim, and the distances between all cells.
// Example: spherical_halos[halo]({disp = disp, mom = disp}, 2 Mpc/h, 30 Mpc/h, 9, ratio = 3, b = 0.3, least = 3).number
fn spherical_halos[list](s, from, to, count: int, ratio = 200, b = 0.1, least: int = 10) {
  let cores = halo_catalog[list](s, b, least)
  let sphere = spherical_overdensity(cores.pos, s.disp, ratio, from, to, count)
  let sides = for d in dims(s.disp) => length(d)
  let other = piece(list, cells(list))
  let (centers, radius) = (for x in cores.pos => x[list = other], sphere.radius[list = other])
  let there = cores.exists[list = other]
  let larger = bins q in [list, other] into list by
    (if there > 0 and (radius > sphere.radius or radius == sphere.radius and index(q, other) < index(q, list)) and
        pair_separation(cores.pos, centers, sides) < radius
     then index(q, list) else -1) => 1
  let exists = map q in [list] => if cores.exists > 0 and sphere.radius > 0 * from and larger == 0 then 1.0 else 0.0
  {pos = cores.pos, radius = map q in exists => if exists > 0 then sphere.radius else 0 * from
   number = exists * sphere.number, exists = exists}
}

// ---- periodic boxes ----

fn in_box(x, L) = if L > 0 then wrap(x, L) else x
