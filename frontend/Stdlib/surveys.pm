// Surveys of galaxies in a part of the box, seen by an observer: the field of Feldman, Kaiser &
// Peacock (1994), multipoles about the line of sight to each galaxy, and the Alcock–Paczynski
// effect.
//
// V is the volume of the box. **x̂** is the direction from the observer to the place **x**. The box
// is periodic. Therefore it must be larger than the survey by the largest scale of interest.
//
// Setup: use cosmology, power, fields, lpt
//   dim x = 16, y = 16, z = 16 over 400 Mpc/h
//   dim galaxy = 50, point = 200
//   let galaxies = for i in 0 .. 3 => 200 Mpc/h * (1 + 0.3 sin(9 * white_noise[galaxy](1 + i)))
//   let points = for i in 0 .. 3 => 200 Mpc/h * (1 + 0.3 sin(9 * white_noise[point](4 + i)))
//   let n = 3e-4 (h/Mpc)^3
//   let observer = (200 Mpc/h, 200 Mpc/h, -300 Mpc/h)
//   let middle = (200 Mpc/h, 200 Mpc/h, 200 Mpc/h)
//   let c = flat_lcdm(omega_m = 0.33)
//   let fiducial = flat_lcdm()
//   let f = 0.1 * white_noise[x, y, z](1)
//   let s = lpt(c, f, a = 0.6)
//
// Internal: require_increasing trapezoid_steps place_among

use math, special, cosmology, fields, lensing, spectra

// The weight 1/(1 + n P0) of a galaxy where the expected density of galaxies is n.
// - n: number or field in 1/length³
// - P0: number in length³, the value of the power spectrum for which the weight is optimal
// Value: like n, without unit.
// Source: Feldman, Kaiser & Peacock (1994)
// Example: fkp_weight(n)
fn fkp_weight(n, P0 = 1e4 (Mpc/h)^3) = 1 / (1 + n * P0)

// The weighted density of a catalog minus that of random points of the same survey, on the mesh of
// the dims D in brackets: F = n_g − α n_r.
//
// The weight of a galaxy is w = w_c/(1 + n P0), where w_c is `completeness`. That of a random point
// is w = 1/(1 + n P0). α = Σ_g w_c/N_r for N_r random points.
// - galaxies: vector of three fields over the dims of the catalog, positions in the box
// - n_galaxies: field over the same dims in 1/length³, the expected density of galaxies at these
//   positions
// - randoms: vector of three fields over the dims of the random points, positions in the box
// - n_randoms: field over the same dims in 1/length³, the expected density of galaxies at these
//   positions
// - P0: number in length³, as in `fkp_weight`
// - completeness: number, or field over the dims of the catalog, a further weight w_c of each
//   galaxy
// - window: window of the paint, `"ngp"`, `"cic"`, `"tsc"` or `"pcs"`
// Value: record `{F, normalization, noise}`. F is a field over D in 1/length³. normalization is I =
//   α Σ_r n w², the integral of n² w², in 1/length³. noise is (Σ_g w² + α² Σ_r w²)/I, the power of
//   shot noise, in length³.
// Source: Feldman, Kaiser & Peacock (1994)
// Cost: two paints.
// Example: fkp_field[x, y, z](galaxies, constant[galaxy](n), points, constant[point](n)).noise
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

// The multipoles P_ℓ(k) = (2ℓ + 1)/I ⟨Re A₀* A_ℓ⟩ of a survey in the shells of `spectra`, where
// A_ℓ(**k**) = ∫ F(**x**) L_ℓ(**k̂**·**x̂**) exp(−i **k** **x**) d³x. The line of sight of a pair
// is the direction from the observer to one of the two galaxies.
//
// The multipoles are those of the survey with its window, which is the mask and the density of the
// survey.
// - F: real field over three dims with lengths, such as the member F of `fkp_field`
// - observer: vector of three coordinates in the unit of length, in the box or outside of it
// - ells: list of 0, 2 and 4 that is known at compile time, the degrees ℓ; another degree is an
//   error
// - normalization: number, I, such as the member of `fkp_field`; the default is the volume V, which
//   is correct for an overdensity in the whole box
// - noise: number in the unit of P, which is subtracted from P₀
// - compensate: `"none"`, or the window of the paint, which is divided out: `"ngp"`, `"cic"`,
//   `"tsc"` or `"pcs"`
// Value: tuple (mean k, P_ℓ, number of modes). P_ℓ is a vector with a field over the shells for
//   each ℓ.
// Source: Yamamoto et al. (2006); Bianchi et al. (2015); Hand et al. (2017)
// Cost: 2ℓ + 1 transforms for each ℓ, one after the other.
// Example: survey_multipoles(f, observer, ells = (0, 2))
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

// The multipoles ξ_ℓ(s) = (2ℓ + 1) V/I ⟨F(**x**) F(**x** + **s**) L_ℓ(**x̂**·**ŝ**)⟩ of the
// correlation function of a survey, in bins of the separation s. The line of sight of two cells is
// the direction from the observer to the first one.
//
// The mean is over all cells **x** and all separations **s** of a bin, except 0, as in
// `correlation_function`. The multipoles of the weighted density α n_r w of random points are the
// multipoles of the window (Wilson et al. 2017; Beutler et al. 2017).
// - F: real field over three dims with lengths, such as the member F of `fkp_field`
// - observer: vector of three coordinates in the unit of length, in the box or outside of it
// - from: number in the unit of length, the beginning of the first bin
// - width: number in the unit of length, the width of a bin
// - count: int, the number of bins
// - ells: list of 0, 2 and 4 that is known at compile time, the degrees ℓ; another degree is an
//   error
// - normalization: number, I, such as the member of `fkp_field`; the default is the volume V, which
//   is correct for an overdensity in the whole box
// Value: tuple (mean s, ξ_ℓ, number of separations). ξ_ℓ is a vector with a field over the bins for
//   each ℓ. Bins without separations are 0.
// Source: Wilson et al. (2017); Beutler et al. (2017)
// Cost: 2 (2ℓ + 1) transforms for each ℓ, and one more.
// Example: survey_correlation(f, observer, 0 Mpc/h, 50 Mpc/h, 3, ells = (0, 2))
fn survey_correlation(F, observer, from, width, count: int, ells = (0, 2, 4),
                      normalization = product(for d in dims(F) => length(d))) {
  let volume = product(for d in dims(F) => length(d))
  let fk = fft(single(F))
  fn number_of(q) = if norm2(q) == 0 then -1 else bin_of(sqrt(norm2(separation(q))), from, width)
  let (s, pairs) = bins q in F into count by number_of(q) => (sqrt(norm2(separation(q))), 1)
  let n = max(pairs, 1)
  (s / n, for l in ells => {
    // The correlation of F and F times a harmonic of the line of sight, times that harmonic of the
    // separation.
    let moment = total(for i in 0 .. 2 * l + 1 => {
      let part = fft(seen_by_harmonic(F, observer, l, i))
      let pair = ifft(map k in part => conj(part) * fk)
      map q in pair => harmonic(l, i, separation(q)) * pair
    })
    let sums = bins q in moment into count by number_of(q) => moment
    (2 * l + 1) * volume / normalization * sums / n
  }, pairs)
}

// The multipoles of a power spectrum that a survey with a window measures, from those of a model.
//
// The correlation function ξ_ℓ of the model is multiplied by the window: ξ̂_ℓ = (2ℓ + 1) Σ (ℓ ℓ′ p;
// 0 0 0)² ξ_ℓ′ Q_p, with Wigner's 3j symbols, and transformed back: P̂_ℓ(k) = 4π i^ℓ ∫ s² ξ̂_ℓ(s)
// j_ℓ(ks) ds. Both integrals are sums by the trapezoidal rule.
// - P: vector of fields over the dim of waves in length³, P_ℓ′ of the model for each of ells
// - waves: field over one dim in 1/length, increasing wave numbers. They must reach beyond the
//   largest one of `at` by several times the inverse size of the survey
// - Q: vector of fields over the dim of separations, without unit: the multipoles of the window for
//   each of window_ells, such as those of `window_at`, with Q₀(0) = 1
// - separations: field over one dim in the unit of length, increasing from 0 to beyond the window
// - ells: list of even ints that is known at compile time, the degrees of P and of the value
// - window_ells: list of even ints that is known at compile time, the degrees of Q
// - at: field over one dim in 1/length, the wave numbers of the value
// - constrained: true for a survey whose mean density is measured in the survey itself: P̂_ℓ(k) −
//   P̂₀(0) W_ℓ(k)/W₀(0), where W_ℓ is the transform of Q_ℓ, so that P̂₀(0) is 0
// Value: vector of fields over the dim of `at` in length³, P̂_ℓ for each of ells. Odd degrees are an
//   error.
// Source: Wilson et al. (2017), eqs. 26 to 29; Beutler et al. (2017); Beutler & McDonald (2021)
// Cost: a table of spherical Bessel functions over waves and separations for each degree, and
//   another one over separations and `at`.
// Example: dim sep = 60, wave = 80
//   let r = map q in [sep] => 10 Mpc/h * index(q, sep)
//   let k = map q in [wave] => 0.005 h/Mpc * (1 + index(q, wave))
//   window_convolved((1e4 (Mpc/h)^3 * exp(-k * 20 Mpc/h), 0 (Mpc/h)^3 * k * 1 Mpc/h), k, (exp(-(r / (100 Mpc/h))^2),), r, ells = (0, 2), window_ells = (0,))[0]
fn window_convolved(P, waves, Q, separations, ells = (0, 2, 4), window_ells = (0, 2, 4), at = waves,
                    constrained = false) {
  let odd = total(for l in ells => remainder(l, 2)) + total(for l in window_ells => remainder(l, 2))
  let n = if odd == 0 then total(for l in ells => 1) else error("window_convolved: degrees must be even")
  let m = total(for l in window_ells => 1)
  let (dim_k, dim_s) = (dims(waves)[0], dims(separations)[0])
  require_increasing("window_convolved: the wave numbers", waves)
  require_increasing("window_convolved: the separations", separations)
  let (step_k, step_s) = (trapezoid_steps(waves), trapezoid_steps(separations))
  fn sign_of(l) = 1 - 2 * remainder(l / 2, 2)
  let xi = for j in 0 .. n => sign_of(ells[j]) / (2 * pi^2) *
    sum(step_k * waves^2 * P[j] * spherical_bessel(ells[j], waves * separations), over = dim_k)
  let seen = for i in 0 .. n => (2 * ells[i] + 1) * total(for j in 0 .. n => total(for p in 0 .. m =>
    wigner_3j_squared(ells[i], ells[j], window_ells[p]) * xi[j] * Q[p]))
  let kernels = for l in ells => 4 * pi * sign_of(l) * step_s * separations^2 * spherical_bessel(l, separations * at)
  let value = for i in 0 .. n => sum(kernels[i] * seen[i], over = dim_s)
  if not constrained then value else {
    fn integral(f) = sum(step_s * separations^2 * f)
    let (first, of_window) = (place_among(0, ells), place_among(0, window_ells))
    let ratio = integral(seen[first]) / integral(Q[of_window])
    for i in 0 .. n => value[i] - ratio * total(for p in 0 .. m =>
      if window_ells[p] == ells[i] then sum(kernels[i] * Q[p], over = dim_s) else 0 * value[i])
  }
}

// The multipoles of a window at other separations: linear between the bins, 1 for ℓ = 0 and 0 for
// the others at s = 0, and 0 beyond the last bin. `window_convolved` requires steps that are small
// against the scales of the model, which bins of a window need not be.
// - Q: vector of fields over the dim of the bins, without unit, for each of ells, as of
//   `survey_correlation`
// - s: field over the bins, the mean separations, which must increase: choose bins that are wider
//   than a cell
// - separations: field over one dim in the unit of s
// - ells: list of ints that is known at compile time, the degrees of Q
// Value: vector of fields over the dim of separations. Separations s that do not increase end the
//   program with an error.
// Example: dim finer = 80
//   let (bins_s, Q, pairs) = survey_correlation(1 + 0 * f, observer, 0 Mpc/h, 50 Mpc/h, 3)
//   window_at(Q, bins_s, map q in [finer] => 2 Mpc/h * index(q, finer))[0]
fn window_at(Q, s, separations, ells = (0, 2, 4)) {
  require_increasing("window_at: the separations of the bins", s)
  let (b, d) = (dims(s)[0], dims(separations)[0])
  let n = cells(b)
  let below = sum(map q in [d, b] => if s <= separations then 1 else 0, over = b)
  for j in 0 .. total(for l in ells => 1) => {
    let start = if ells[j] == 0 then 1.0 else 0.0
    let of_degree = Q[j]
    map e in below => {
      let i = int(below)
      let (low, high) = (max(i - 1, 0), min(i, n - 1))
      let from = if i == 0 then 0 * separations else s[b = low]
      let first = if i == 0 then start else of_degree[b = low]
      let width = if i >= n then 1 + 0 * separations / unit_of(separations)
                  else (s[b = high] - from) / unit_of(separations)
      if i >= n then 0
      else first + (of_degree[b = high] - first) * (separations - from) / unit_of(separations) / width
    }
  }
}

fn require_increasing(name: string, x) {
  let d = dims(x)[0]
  let least = min(map q in x => if index(q, d) == 0 then 1.0 else sign(x - x[d - 1, edge = "clamp"]))
  assert least > 0, "{} do not increase; bins without values are 0: use wider bins", name
}

// The weights of the trapezoidal rule for values at the places of a field over one dim.
fn trapezoid_steps(x) {
  let d = dims(x)[0]
  0.5 * (x[d = d + 1, edge = "clamp"] - x[d = d - 1, edge = "clamp"])
}

// The place of l in a list of degrees that has it once.
fn place_among(l, list) {
  let count = total(for e in list => if e == l then 1 else 0)
  let n = if count == 1 then total(for e in list => 1)
          else error("window_convolved: the degrees must contain 0 for a constrained mean")
  total(for i in 0 .. n => if list[i] == l then i else 0)
}

// F(**x**) times `harmonic(l, i, x)`, where **x** is relative to the observer.
// - F: real field over three dims with lengths, such as the member F of `fkp_field`
// - observer: vector of three coordinates in the unit of length, in the box or outside of it
// - l: int, the degree, 0, 2 or 4
// - i: int from 0 to 2l, the number of the harmonic
// Value: field like F.
// Example: seen_by_harmonic(f, observer, 2, 0)
fn seen_by_harmonic(F, observer, l: int, i: int) =
  if l == 0 then F else map q in F => harmonic(l, i, for j in 0 .. 3 => q[dims(F)[j]] - observer[j]) * F

// A_ℓ/V of each mode: the transform of F(**x**) L_ℓ(**k̂**·**x̂**), where **x** is relative to the
// observer.
// - F: real field over three dims with lengths, such as the member F of `fkp_field`
// - observer: vector of three coordinates in the unit of length, in the box or outside of it
// - l: int, the degree ℓ, 0, 2 or 4
// Value: complex field over the modes, in the unit of F.
// Cost: 2l + 1 transforms.
// Example: about_observer(f, observer, 2)
fn about_observer(F, observer, l: int) {
  let fk = fft(F)
  if l == 0 then fk
  else total(for i in 0 .. 2 * l + 1 => {
    let part = fft(seen_by_harmonic(F, observer, l, i))
    map k in part => harmonic(l, i, for d in dims(part) => k[d]) * part
  })
}

// Harmonic i of degree l in the direction of a vector, and 0 for the vector 0. The scale is such
// that L_l(**â**·**b̂**) = Σ_i harmonic(l, i, a) harmonic(l, i, b).
// - l: int, the degree, 0, 2 or 4; another one is an error
// - i: int from 0 to 2l, the number of the harmonic
// - vector: vector of three numbers of one unit
// Value: number without unit.
// Example: harmonic(2, 0, (1.0, 2.0, 2.0))
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

// ---- the Alcock–Paczynski effect ----

// The ratios of true lengths at the scale factor a to the lengths that an observer computes from
// redshifts and angles with a fiducial cosmology: E_fiducial/E along the line of sight, and
// S/S_fiducial across it, where S is the transverse distance.
// - c: cosmology, the true one
// - fiducial: cosmology of the observer
// - a: scale factor, below 1
// Value: record `{parallel, perpendicular}` of numbers.
// Source: Alcock & Paczynski (1979)
// Example: alcock_paczynski(c, fiducial, 0.6).parallel
fn alcock_paczynski(c, fiducial, a) = {
  parallel = E(fiducial, a) / E(c, a)
  perpendicular = transverse_distance(c, comoving_distance(c, a)) /
    transverse_distance(fiducial, comoving_distance(fiducial, a))
}

// The particles where a distant observer with a fiducial cosmology sees them: lengths from a center
// are divided by the factors of `alcock_paczynski`.
//
// A paint wraps the result into the periodic box. Use only the part of the box that does not reach
// its edges.
// - s: particles, a record with the member `disp`
// - factors: record `{parallel, perpendicular}`
// - axis: dim, the direction of the line of sight
// - centre: vector of coordinates in the unit of length, the place that does not move
// Value: particles like s, with other displacements.
// Source: Alcock & Paczynski (1979)
// Example: fiducial_positions(s, alcock_paczynski(c, fiducial, 0.6), z, middle).disp
fn fiducial_positions(s, factors, axis, centre) {
  let lattice = directions(s.disp)
  let shrink = for d in lattice => 1 / (if d == axis then factors.parallel else factors.perpendicular) - 1
  s with {disp = map q in s.disp[0] => s.disp + shrink * ((for d in lattice => q[d] + s.disp[d]) - centre)}
}

// Positions as an observer computes them from redshifts: in the same direction, at the comoving
// distance that the cosmology `fiducial` gives to the redshift. Both cosmologies are flat.
// - c: cosmology, the true one
// - fiducial: cosmology of the observer
// - pos: vector of three fields, positions in the unit of length
// - observer: vector of three coordinates in the unit of length
// - far: number in the unit of length, the largest distance from the observer; a position beyond it
//   is an error
// - points: int, the size of the table of distances
// Value: vector of fields like pos.
// Example: fiducial_distances(c, fiducial, galaxies, observer, 800 Mpc/h, points = 64)
fn fiducial_distances(c, fiducial, pos, observer, far, points: int = 1024) {
  let unit = unit_of(far)
  let farthest = sqrt(max(map q in pos[0] => norm2((pos - observer) / unit)))
  assert farthest <= 1.00001 * (far / unit),
         "fiducial_distances: a position is {} from the observer, expected at most far = {}; set far to the largest distance",
         farthest * unit, far
  let seen = tabulate(x => comoving_distance(fiducial, scale_factor(c, x * unit)) / unit, from = 0, to = far / unit,
                      points = points)
  map q in pos[0] => {
    let r = pos - observer
    let chi = if norm2(r) == 0 then 1 else sqrt(norm2(r)) / unit
    observer + (if norm2(r) == 0 then 1 else interpolate(seen, chi) / chi) * r
  }
}
