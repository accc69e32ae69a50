// The homogeneous universe and the growth of structure in it: matter, curvature, radiation and dark
// energy with w(a) = w0 + wa (1 − a) (Chevallier & Polarski 2001; Linder 2003).
//
// ′ is d/d ln a. E = H/H₀ and all growth functions are pure numbers. Times are scale factors a,
// which are 1 today.
//
// Setup: let c = cosmology(omega_m = 0.3)
//
// Internal: raw_growth mode_with_radiation second_order_start

use math

// A cosmology with curvature, radiation and dark energy, as a record of these parameters. Densities
// are those of today, in units of the critical density.
//
// `c with {omega_m = 0.4}` is a cosmology, too, in which the parameter is not checked. Use this
// form in a map, where parameters cannot be checked.
// - omega_m: density of matter, above 0 and at most 2
// - omega_k: curvature, as a density, −1 to 1
// - w0, wa: equation of state of dark energy, w0 + wa < 0
// - h: Hubble constant in 100 km/s/Mpc, 0.1 to 5
// - omega_b: density of baryons, 0 to omega_m, which includes it
// - n_s: slope of the linear power spectrum, −5 to 5
// - sigma8: rms linear overdensity in spheres of 8 Mpc/h today, above 0 and at most 10
// - omega_r: density of radiation, 0 to 0.01; photons of 2.7255 K have 2.473·10⁻⁵/h², and photons
//   with three massless neutrinos have 4.18·10⁻⁵/h². Radiation changes the expansion and the growth
//   of matter. It does not change the shape of spectra, and has no fluctuations.
// Value: record of the parameters. A parameter out of range ends the program with an error.
// Source: Chevallier & Polarski (2001); Linder (2003)
// Example: cosmology(omega_m = 0.3, w0 = -0.9)
fn cosmology(omega_m: f64 = 0.3075, omega_k: f64 = 0, w0: f64 = -1, wa: f64 = 0, h: f64 = 0.6774,
             omega_b: f64 = 0.0486, n_s: f64 = 0.9667, sigma8: f64 = 0.8159, omega_r: f64 = 0) {
  assert omega_m > 0 and omega_m <= 2, "cosmology: omega_m = {}, expected a number above 0, at most 2", omega_m
  assert abs(omega_k) <= 1, "cosmology: omega_k = {}, expected -1 to 1", omega_k
  assert w0 + wa < 0, "cosmology: w0 + wa = {}, expected a number below 0, so that matter dominates at first", w0 + wa
  assert h >= 0.1 and h <= 5, "cosmology: h = {}, expected 0.1 to 5: the Hubble constant in units of 100 km/s/Mpc", h
  assert omega_b >= 0 and omega_b <= omega_m, "cosmology: omega_b = {}, expected 0 to omega_m = {}, which contains it",
         omega_b, omega_m
  assert abs(n_s) <= 5, "cosmology: n_s = {}, expected -5 to 5", n_s
  assert sigma8 > 0 and sigma8 <= 10, "cosmology: sigma8 = {}, expected a number above 0, at most 10", sigma8
  assert omega_r >= 0 and omega_r <= 0.01, "cosmology: omega_r = {}, expected 0 to 0.01", omega_r
  {omega_m = omega_m, omega_k = omega_k, w0 = w0, wa = wa, h = h, omega_b = omega_b, n_s = n_s, sigma8 = sigma8
   omega_r = omega_r}
}

// A flat cosmology with a cosmological constant.
// - omega_m: density of matter
// - h: Hubble constant in 100 km/s/Mpc
// - omega_b: density of baryons, which omega_m includes
// - n_s: slope of the linear power spectrum
// - sigma8: rms linear overdensity in spheres of 8 Mpc/h today
// Value: record, as that of `cosmology`.
// Example: flat_lcdm(sigma8 = 0.8)
fn flat_lcdm(omega_m: f64 = 0.3075, h: f64 = 0.6774, omega_b: f64 = 0.0486, n_s: f64 = 0.9667, sigma8: f64 = 0.8159) =
  cosmology(omega_m = omega_m, h = h, omega_b = omega_b, n_s = n_s, sigma8 = sigma8)

// The density of dark energy today, 1 − omega_m − omega_k − omega_r, in units of the critical
// density.
// - c: cosmology
// Value: number.
// Example: omega_de(c)
fn omega_de(c) = 1 - c.omega_m - c.omega_k - c.omega_r

// The density of dark energy at a, in units of today's critical density: omega_de a^(−3(1 + w0 +
// wa)) exp(−3 wa (1 − a)).
// - c: cosmology
// - a: scale factor, above 0
// Value: number.
// Example: dark_energy(c, 0.5)
fn dark_energy(c, a) = omega_de(c) * exp(-3 (1 + c.w0 + c.wa) * log(a) - 3 c.wa * (1 - a))

// The expansion rate H(a)/H₀.
// - c: cosmology
// - a: scale factor, above 0
// Value: number.
// Example: E(c, 0.5)
fn E(c, a) = sqrt(c.omega_m / a^3 + c.omega_k / a^2 + dark_energy(c, a) + c.omega_r / a^4)

// E′/E = d ln E/d ln a.
// - c: cosmology
// - a: scale factor, above 0
// Value: number.
// Example: dlnE_dlna(c, 0.5)
fn dlnE_dlna(c, a) {
  let w = c.w0 + c.wa * (1 - a)
  -(3 c.omega_m / a^3 + 2 c.omega_k / a^2 + 3 (1 + w) * dark_energy(c, a) + 4 c.omega_r / a^4) / (2 E(c, a)^2)
}

// The density of matter at a, in units of the critical density at a: omega_m/(a³ E²).
// - c: cosmology
// - a: scale factor, above 0
// Value: number.
// Example: Omega_m(c, 0.5)
fn Omega_m(c, a) = c.omega_m / a^3 / E(c, a)^2

// The growing mode of matter and radiation, M = a + 2 omega_r/(3 omega_m) (Meszaros 1974), and mu = M'/M. mu is 1 without radiation.
fn mode_with_radiation(c, a) {
  let M = a + 2 / 3 * c.omega_r / c.omega_m
  {M = M, mu = a / M}
}

// The start of u = D2/M^2 and u', from 1/r = omega_m a/omega_r. It agrees with the series of u to second order in 1/r, and with -3/7 for r = 0.
fn second_order_start(c, a, mu) {
  let r = c.omega_r / c.omega_m / a
  let u = -3 / 7 - 2 r / 3 - 9 r / (7 * (7 + 18 r))
  (mu^2 * u, mu^2 * (2 r / 3 + 9 r / (7 + 18 r)^2 + 2 u * (1 - mu)))
}

// Growth of first and second order before normalization, from
//
//   D1'' + (2 + E'/E) D1' = 1.5 Omega_m(a) D1
//   D2'' + (2 + E'/E) D2' = 1.5 Omega_m(a) (D2 - D1^2)     (Bouchet et al. 1995)
//
// started from (D1, D1', D2, D2') = (a, a, -3 a^2/7, -6 a^2/7) without radiation. Integrated for g = D1/M and u = D2/M^2,
// which are constant in matter domination, from a = 8e-7 on, in equal steps of a^(1/4): short ones where dark energy matters.
// The result is good to 1e-10, and D2 with radiation to 1e-6.
fn raw_growth(c, a) {
  fn slope(t, y) {
    let (g, dg, u, du) = y
    let a = t^4
    let mu = mode_with_radiation(c, a).mu
    let q = dlnE_dlna(c, a)
    let s = 1.5 Omega_m(c, a)
    4 / t * (dg, -(2 mu + 2 + q) * dg - (mu * (3 + q) - s) * g, du,
             -(4 mu + 2 + q) * du - (2 mu * (mu + 3 + q) - s) * u - s * g^2)
  }
  let (u0, du0) = second_order_start(c, 0.03^4, mode_with_radiation(c, 0.03^4).mu)
  let (g, dg, u, du) = gragg(slope, (1.0, 0.0, u0, du0), from = 0.03, to = sqrt(sqrt(a)), steps = 40)
  let (M, mu) = (mode_with_radiation(c, a).M, mode_with_radiation(c, a).mu)
  {D1 = M * g, dD1 = M * (mu * g + dg), D2 = M^2 * u, dD2 = M^2 * (2 mu * u + du)}
}

// First- and second-order growth of structure at a. D2 is positive; the displacement of second
// order has the factor 3/7, as in `lpt`.
//
// The growth equations are D1″ + (2 + E′/E) D1′ = 3/2 Omega_m(a) D1 and D2″ + (2 + E′/E) D2′ = 3/2
// Omega_m(a) (D2 − D1²). Errors are below 10⁻¹⁰, and below 10⁻⁶ for D2 with radiation.
// - c: cosmology
// - a: scale factor, above 0
// - d2: `"fastpm"` normalizes D2 to 1 today, as FastPM does, which is 0.8 % too low for omega_m =
//   0.3; `"true"` normalizes D2 to D1² in matter domination
// - today: growth before normalization at a = 1; compute it once before a loop over several a
// Value: record `{D1, D2, dD1, f1, f2, G}`. D1 and D2 are the growth, with D1 = 1 today. dD1 is
//   D1′. f1 and f2 are d ln D1/d ln a and d ln D2/d ln a. G is a² E D1′, G_f of Feng et al.
//   (2016), eq. 20.
// Source: Bouchet et al. (1995)
// Cost: 40 steps of an ordinary differential equation, for a and for today.
// Example: growth(c, 0.5).f1
fn growth(c, a, d2 = "fastpm", today = raw_growth(c, 1)) {
  let raw = raw_growth(c, a)
  let norm2 = if d2 == "fastpm" then today.D2
              else if d2 == "true" then -3 / 7 * today.D1^2
              else error("d2 is \"fastpm\" or \"true\"")
  let dD1 = raw.dD1 / today.D1
  {D1 = raw.D1 / today.D1, D2 = raw.D2 / norm2, dD1 = dD1,
   f1 = raw.dD1 / raw.D1, f2 = raw.dD2 / raw.D2, G = a^2 * E(c, a) * dD1}
}

// Third-order growth of structure at a, normalized to D1³ in matter domination, with D1 = 1 today. Da, Db and Dc are
// positive and belong to displacements with the factors 1/3, 10/21 and 1/7.
//
// The solutions Fa, Fb, Fc are −1/3, 10/21 and −1/7 times D1³ in matter domination: Fa″ + (2 + E′/E) Fa′ = 3/2 Omega_m(a)
// (Fa − 2 D1³), Fb″ + (2 + E′/E) Fb′ = 3/2 Omega_m(a) (Fb − 2 D1 (F2 − D1²)), Fc′ = D1 F2′ − D1′ F2. F2 is second-order growth.
// - c: cosmology
// - a: scale factor, above 0
// - today: growth before normalization at a = 1; compute it once before a loop over several a
// Value: record `{Da, Db, Dc, dDa, dDb, dDc}`; dDa is Da′.
// Source: Bouchet et al. (1995)
// Cost: 40 steps of an ordinary differential equation.
// Example: third_order_growth(c, 0.5).Da
fn third_order_growth(c, a, today = raw_growth(c, 1)) {
  fn slope(t, y) {
    let (g, dg, u, du, va, dva, vb, dvb, vc) = y
    let a = t^4
    let mu = mode_with_radiation(c, a).mu
    let q = dlnE_dlna(c, a)
    let s = 1.5 Omega_m(c, a)
    let (rate, size) = (6 mu + 2 + q, 3 mu * (2 mu + 3 + q) - s)
    4 / t * (dg, -(2 mu + 2 + q) * dg - (mu * (3 + q) - s) * g, du,
             -(4 mu + 2 + q) * du - (2 mu * (mu + 3 + q) - s) * u - s * g^2,
             dva, -rate * dva - size * va - 2 * s * g^3, dvb, -rate * dvb - size * vb - 2 * s * g * (u - g^2),
             g * (mu * u + du) - dg * u - 3 mu * vc)
  }
  // With radiation, the values agree with their series in 1/r to second order.
  let begin = mode_with_radiation(c, 0.03^4)
  let r = c.omega_r / c.omega_m / 0.03^4
  let (u0, du0) = second_order_start(c, 0.03^4, begin.mu)
  fn start_of(now, once, twice) {
    let value = now + once * r + twice * r^2
    (begin.mu^3 * value, begin.mu^3 * (-once * r - 2 twice * r^2 + 3 (1 - begin.mu) * value))
  }
  let (va0, dva0) = start_of(-1 / 3, -1, -8 / 9)
  let (vb0, dvb0) = start_of(10 / 21, 4 / 3, 8 / 9)
  let start = (1.0, 0.0, u0, du0, va0, dva0, vb0, dvb0, start_of(-1 / 7, -1 / 3, -4 / 9)[0])
  let (g, dg, u, du, va, dva, vb, dvb, vc) = gragg(slope, start, from = 0.03, to = sqrt(sqrt(a)), steps = 40)
  let (M, mu) = (mode_with_radiation(c, a).M, mode_with_radiation(c, a).mu)
  let cube = (M / today.D1)^3
  let (na, nb, nc) = (-3 * cube, 2.1 * cube, -7 * cube)
  {Da = na * va, Db = nb * vb, Dc = nc * vc,
   dDa = na * (3 mu * va + dva), dDb = nb * (3 mu * vb + dvb), dDc = nc * (g * (mu * u + du) - dg * u)}
}

// The factor of a kick of FastPM: p += kick · g changes the momentum p by the force g at the time
// `at`. It is exact for the growing mode of the Zel'dovich approximation.
//
// The kick of the paper is −1.5 Omega_m(a) a E [G(to) − G(from)]/(dG/da), and dG/da = 1.5
// Omega_m(a) a E D1 by the growth equation.
// - at, from, to: records of `growth` at three times
// Value: number.
// Source: Feng et al. (2016), section 2
// Example: kick(growth(c, 0.5), growth(c, 0.4), growth(c, 0.6))
fn kick(at, from, to) = -(to.G - from.G) / at.D1

// The factor of a drift of FastPM: x += drift · p changes the position x by the momentum p at the
// time `at`. It is exact for the growing mode of the Zel'dovich approximation.
// - at, from, to: records of `growth` at three times
// Value: number.
// Source: Feng et al. (2016), section 2
// Example: drift(growth(c, 0.5), growth(c, 0.4), growth(c, 0.6))
fn drift(at, from, to) = (to.D1 - from.D1) / at.G

// The comoving distance along the line of sight from today to a: c/H₀ ∫ da/(a² E).
// - c: cosmology
// - a: scale factor, 0 or more; at 0, the value is the distance to the particle horizon
// Value: number in Mpc/h.
// Cost: an integral with 80 evaluations.
// Example: comoving_distance(c, 0.5)
fn comoving_distance(c, a) =
  2997.92458 Mpc/h * integrate(s => 2 / (s^3 * E(c, s^2)), from = sqrt(a), to = 1, panels = 16)

// The separation of rays in a space of curvature K. `sine` is the distance of two rays, which left
// one point 1 radian apart, at the comoving distance χ. `cosine` is its derivative with respect to
// χ.
//
// `sine` is χ for K = 0, sinh(√K χ)/√K for K > 0, and sin(√−K χ)/√−K for K < 0. Derivatives with
// respect to K are also valid at K = 0.
// - curvature: number K in 1/length², positive in open space
// - chi: number in length
// Value: record `{sine, cosine}`; sine is in length.
// Example: geodesics(space_curvature(c), 1000 Mpc/h).sine
fn geodesics(curvature, chi) {
  let y = curvature * chi^2
  let r = sqrt(abs(y))
  let near = {sine = 1 + y / 6 * (1 + y / 20 * (1 + y / 42 * (1 + y / 72 * (1 + y / 110)))),
              cosine = 1 + y / 2 * (1 + y / 12 * (1 + y / 30 * (1 + y / 56 * (1 + y / 90 * (1 + y / 132)))))}
  let shape = if abs(y) < 0.1 then near
              else if y > 0 then {sine = 0.5 (exp(r) - exp(-r)) / r, cosine = 0.5 (exp(r) + exp(-r))}
              else {sine = sin(r) / r, cosine = cos(r)}
  {sine = chi * shape.sine, cosine = shape.cosine}
}

// The curvature of space, K = omega_k (H₀/c)², positive in open space.
// - c: cosmology
// Value: number in 1/(Mpc/h)².
// Example: space_curvature(c)
fn space_curvature(c) = c.omega_k / (2997.92458 Mpc/h)^2

// The transverse comoving distance S_k: a length across the line of sight, divided by the angle
// under which it is seen.
// - c: cosmology
// - chi: number, the comoving distance along the line of sight
// Value: number in the unit of chi.
// Source: Hogg (1999), eq. 16
// Example: transverse_distance(c, 2000 Mpc/h)
fn transverse_distance(c, chi) = geodesics(space_curvature(c), chi).sine
