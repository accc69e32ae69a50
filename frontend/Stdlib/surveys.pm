// Surveys of galaxies seen by an observer in the box: the field of Feldman, Kaiser & Peacock (1994), and multipoles about the
// line of sight to each galaxy.

use math, cosmology, fields, lensing, spectra

// The weight of galaxies whose expected density is n (1/length^3), for a spectrum of about P0 (Feldman, Kaiser & Peacock
// 1994): 1/(1 + n P0).
fn fkp_weight(n, P0 = 1e4 (Mpc/h)^3) = 1 / (1 + n * P0)

// A catalogue and random points of the same survey, on the mesh D:
//
//   F               (n_g - alpha n_r) in 1/length^3: weighted densities of both, alpha = sum w_g/sum w_r
//   normalization   I = alpha sum_r w_r n w, the integral of n^2 w^2, in 1/length^3
//   noise           P of shot noise, (sum_g w^2 + alpha^2 sum_r w^2)/I, in length^3
//
// galaxies, randoms: positions, vectors of fields over the catalogue's dim; n_galaxies, n_randoms: the expected density of
// galaxies at each of them, 1/length^3, fields over the same dims. The weight of each is fkp_weight times `completeness` of
// a galaxy, a number or a field.
fn fkp_field[D](galaxies, n_galaxies, randoms, n_randoms, P0 = 1e4 (Mpc/h)^3, completeness = 1, window = "cic") {
  let wg = completeness * fkp_weight(n_galaxies, P0)
  let wr = fkp_weight(n_randoms, P0)
  let alpha = sum(completeness + 0 * wg) / sum(1 + 0 * wr)
  let cell = product(for d in D => spacing(d))
  let I = alpha * sum(n_randoms * wr^2)
  {F = (paint_at[D](galaxies, window = window, weight = wg) -
        alpha * paint_at[D](randoms, window = window, weight = wr)) / cell
   normalization = I
   noise = (sum(wg^2) + alpha^2 * sum(wr^2)) / I}
}

// (mean k, P_l(k), number of modes) of each shell of spectra, where the line of sight is that from `observer`, a vector of
// three coordinates in the box, to one galaxy of each pair (Yamamoto et al. 2006):
//
//   P_l = (2l + 1)/I <Re conj(A_0) A_l>,  A_l(k) = int d^3x F(x) L_l(k x/(|k| |x|)) exp(-ikx),  x from the observer
//
// less `noise` for l = 0. With 2l + 1 Fourier transforms for A_l (Hand et al. 2017; Bianchi et al. 2015), one at a time.
// ells: any of 0, 2 and 4. normalization: I; by default L^3, that of an overdensity in the whole box.
fn survey_multipoles(F, observer, ells = (0, 2, 4), normalization = product(for d in dims(F) => length(d)), noise = 0,
                     compensate = "none") {
  let volume = product(for d in dims(F) => length(d))
  let all = fft(single(F))
  let P = for l in ells => {
    let (k, P, modes) = shells(all, about_observer(F, observer, l), compensate)
    (2 * l + 1) * volume / normalization * P - (if l == 0 then noise else 0 * noise)
  }
  let (k, _, modes) = shells(all, all, compensate)
  (k, P, modes)
}

// (mean s, xi_l(s), number of separations) in `count` bins of the separation s, as correlation_function, where the line of sight is that
// from `observer` to the first of two cells:
//
//   xi_l = (2l + 1) L^3/I <F(x) F(x + s_vec) L_l(x s_vec/(|x| |s_vec|))>
//
// over all cells x and all s_vec of a bin. Of the weighted density alpha n_r w of random points, these are the multipoles of
// the window (Wilson et al. 2017; Beutler et al. 2017). The box is periodic: it must be longer than the survey by the largest s.
// ells, normalization: see survey_multipoles.
fn survey_correlation(F, observer, from, width, count: int, ells = (0, 2, 4),
                      normalization = product(for d in dims(F) => length(d))) {
  let volume = product(for d in dims(F) => length(d))
  let fk = fft(single(F))
  fn number_of(q) = if norm2(q) == 0 then -1 else bin_of(sqrt(norm2(separation(q))), from, width)
  let (s, pairs) = bins q in F into count by number_of(q) => (sqrt(norm2(separation(q))), 1)
  let n = max(pairs, 1)
  (s / n, for l in ells => {
    // The correlation of F and F times a harmonic of the line of sight, times that harmonic of the separation.
    let moment = total(for i in 0 .. 2 * l + 1 => {
      let part = fft(seen_by_harmonic(F, observer, l, i))
      let pair = ifft(map k in part => conj(part) * fk)
      map q in pair => harmonic(l, i, separation(q)) * pair
    })
    let sums = bins q in moment into count by number_of(q) => moment
    (2 * l + 1) * volume / normalization * sums / n
  }, pairs)
}

// F times a harmonic of the direction from the observer to each cell.
fn seen_by_harmonic(F, observer, l: int, i: int) =
  if l == 0 then F else map q in F => harmonic(l, i, for j in 0 .. 3 => q[dims(F)[j]] - observer[j]) * F

// A_l over the volume: the transform of F with each place weighted by L_l of the angle between the wave vector and the
// line of sight to that place.
fn about_observer(F, observer, l: int) {
  let fk = fft(F)
  if l == 0 then fk
  else total(for i in 0 .. 2 * l + 1 => {
    let part = fft(seen_by_harmonic(F, observer, l, i))
    map k in part => harmonic(l, i, for d in dims(part) => k[d]) * part
  })
}

// In a map: harmonic i of degree l, 0, 2 or 4, in the direction of a vector of three components; 0 for the vector 0.
// They are scaled such that L_l(cosine of the angle between a and b) = sum_i harmonic(l, i, a) harmonic(l, i, b).
fn harmonic(l: int, i: int, vector) {
  let size = sqrt(norm2(vector))
  let none = norm2(vector) == 0
  let safe = if none then unit_of(size) else size
  let (x, y, z) = (vector[0] / safe, vector[1] / safe, vector[2] / safe)
  let value =
    if l == 0 then 1
    else if l == 2 then
      (if i == 0 then 0.5 (3 * z^2 - 1) else if i == 1 then sqrt(3) * x * z else if i == 2 then sqrt(3) * y * z
       else if i == 3 then 0.5 sqrt(3) * (x^2 - y^2) else sqrt(3) * x * y)
    else if l == 4 then
      (if i == 0 then (35 * z^4 - 30 * z^2 + 3) / 8
       else if i == 1 then sqrt(10) / 4 * x * z * (7 * z^2 - 3)
       else if i == 2 then sqrt(10) / 4 * y * z * (7 * z^2 - 3)
       else if i == 3 then sqrt(5) / 4 * (x^2 - y^2) * (7 * z^2 - 1)
       else if i == 4 then sqrt(5) / 2 * x * y * (7 * z^2 - 1)
       else if i == 5 then sqrt(70) / 4 * x * z * (x^2 - 3 * y^2)
       else if i == 6 then sqrt(70) / 4 * y * z * (3 * x^2 - y^2)
       else if i == 7 then sqrt(35) / 8 * (x^4 - 6 * x^2 * y^2 + y^4)
       else sqrt(35) / 2 * x * y * (x^2 - y^2))
    else error("multipoles of a survey are of the degrees 0, 2 and 4")
  if none then 0 else value
}

// ---- the Alcock-Paczynski effect ----

// How much longer true lengths at a are than those that an observer with the cosmology `fiducial` computes from redshifts and
// angles (Alcock & Paczynski 1979): {parallel = E_fid/E, perpendicular = S/S_fid}, S the transverse distance.
fn alcock_paczynski(c, fiducial, a) = {
  parallel = E(fiducial, a) / E(c, a)
  perpendicular = transverse_distance(c, comoving_distance(c, a)) /
    transverse_distance(fiducial, comoving_distance(fiducial, a))
}

// The particles where that observer, far away along the dim `axis`, sees them: lengths from `centre`, a vector of coordinates that
// stays where it is, divided by those factors.
fn fiducial_positions(s, factors, axis, centre) {
  let lattice = directions(s.disp)
  let shrink = for d in lattice => 1 / (if d == axis then factors.parallel else factors.perpendicular) - 1
  s with {disp = map q in s.disp[0] => s.disp + shrink * ((for d in lattice => q[d] + s.disp[d]) - centre)}
}

// Positions, a vector of three fields, as an observer at the coordinates `observer` computes them from redshifts: in the same direction at the
// comoving distance that the cosmology `fiducial` gives to the redshift, for distances up to `far`. Both are flat. By a table of
// `points` distances.
fn fiducial_distances(c, fiducial, pos, observer, far, points: int = 1024) {
  let unit = unit_of(far)
  let seen = tabulate(x => comoving_distance(fiducial, scale_factor(c, x * unit)) / unit, from = 0, to = far / unit,
                      points = points)
  map q in pos[0] => {
    let r = pos - observer
    let chi = if norm2(r) == 0 then 1 else sqrt(norm2(r)) / unit
    observer + (if norm2(r) == 0 then 1 else interpolate(seen, chi) / chi) * r
  }
}
