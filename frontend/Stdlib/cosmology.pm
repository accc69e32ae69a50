// The homogeneous universe and the growth of structure in it: matter, curvature and dark energy with
// w(a) = w0 + wa (1 - a) (Chevallier & Polarski 2001, Linder 2003); no radiation.
//
// ' is d/dln a. Units: E and all growth functions are pure numbers; times are scale factors, a = 1 today.

use math

// A cosmology with curvature and dark energy, a record of its parameters. omega_*: densities today in units of the critical one; h:
// Hubble constant in 100 km/s/Mpc; n_s, sigma8: slope and amplitude of the linear power spectrum. The functions below compute everything
// else from these, so that `c with {omega_m = 0.4}` is a cosmology, too; in a map, where parameters cannot be checked, take that.
fn cosmology(omega_m: f64 = 0.3075, omega_k: f64 = 0, w0: f64 = -1, wa: f64 = 0, h: f64 = 0.6774,
             omega_b: f64 = 0.0486, n_s: f64 = 0.9667, sigma8: f64 = 0.8159) {
  assert omega_m > 0 and omega_m <= 2, "cosmology: omega_m = {}, expected a number above 0, at most 2", omega_m
  assert abs(omega_k) <= 1, "cosmology: omega_k = {}, expected -1 to 1", omega_k
  assert w0 + wa < 0, "cosmology: w0 + wa = {}, expected a number below 0, so that matter dominates at first", w0 + wa
  assert h >= 0.1 and h <= 5, "cosmology: h = {}, expected 0.1 to 5: the Hubble constant in units of 100 km/s/Mpc", h
  assert omega_b >= 0 and omega_b <= omega_m, "cosmology: omega_b = {}, expected 0 to omega_m = {}, which contains it",
         omega_b, omega_m
  assert abs(n_s) <= 5, "cosmology: n_s = {}, expected -5 to 5", n_s
  assert sigma8 > 0 and sigma8 <= 10, "cosmology: sigma8 = {}, expected a number above 0, at most 10", sigma8
  {omega_m = omega_m, omega_k = omega_k, w0 = w0, wa = wa, h = h, omega_b = omega_b, n_s = n_s, sigma8 = sigma8}
}

// Flat, with a cosmological constant.
fn flat_lcdm(omega_m: f64 = 0.3075, h: f64 = 0.6774, omega_b: f64 = 0.0486, n_s: f64 = 0.9667, sigma8: f64 = 0.8159) =
  cosmology(omega_m = omega_m, h = h, omega_b = omega_b, n_s = n_s, sigma8 = sigma8)

// The density of dark energy today in units of the critical one.
fn omega_de(c) = 1 - c.omega_m - c.omega_k

// The dark energy density at a over today's critical density: omega_de a^(-3 (1 + w0 + wa)) exp(-3 wa (1 - a)).
fn dark_energy(c, a) = omega_de(c) * exp(-3 (1 + c.w0 + c.wa) * log(a) - 3 c.wa * (1 - a))

// E(a) = H(a)/H0.
fn E(c, a) = sqrt(c.omega_m / a^3 + c.omega_k / a^2 + dark_energy(c, a))

// E'/E = dln E/dln a, in closed form.
fn dlnE_dlna(c, a) {
  let w = c.w0 + c.wa * (1 - a)
  -(3 c.omega_m / a^3 + 2 c.omega_k / a^2 + 3 (1 + w) * dark_energy(c, a)) / (2 E(c, a)^2)
}

// The matter density over the critical density at a.
fn Omega_m(c, a) = c.omega_m / a^3 / E(c, a)^2

// Growth of first and second order before normalization, from
//
//   D1'' + (2 + E'/E) D1' = 1.5 Omega_m(a) D1
//   D2'' + (2 + E'/E) D2' = 1.5 Omega_m(a) (D2 - D1^2)     (Bouchet et al. 1995)
//
// started from (D1, D1', D2, D2') = (a, a, -3 a^2/7, -6 a^2/7). Integrated for g = D1/a and u = D2/a^2, which are
// constant in matter domination, from a = 8e-7 on, in equal steps of a^(1/4): short ones where dark energy matters. The
// result is good to 1e-10.
fn raw_growth(c, a) {
  fn slope(t, y) {
    let (g, dg, u, du) = y
    let a = t^4
    let q = dlnE_dlna(c, a)
    let s = 1.5 Omega_m(c, a)
    4 / t * (dg, -(4 + q) * dg - (3 + q - s) * g, du, -(6 + q) * du - (8 + 2 q - s) * u - s * g^2)
  }
  let (g, dg, u, du) = gragg(slope, (1.0, 0.0, -3 / 7, 0.0), from = 0.03, to = sqrt(sqrt(a)), steps = 40)
  {D1 = a * g, dD1 = a * (g + dg), D2 = a^2 * u, dD2 = a^2 * (2 u + du)}
}

// Growth at a:
//   D1, D2      first and second order; D1 = 1 today
//   dD1         D1'
//   f1, f2      dln D1/dln a, dln D2/dln a
//   G           a^2 E D1' = a^3 E dD1/da: the momentum of growing structure; G_f of Feng et al. (2016), eq. 20
// D2 is positive and belongs to a second-order displacement that carries 3/7. `d2` says how it is normalized:
//   "fastpm"    D2 = 1 today, as FastPM does it: 0.8 % low for Omega_m = 0.3
//   "true"      D2 = D1^2 in matter domination
// `today` is that before normalization at a = 1, which a loop over several a computes once.
fn growth(c, a, d2 = "fastpm", today = raw_growth(c, 1)) {
  let raw = raw_growth(c, a)
  let norm2 = if d2 == "fastpm" then today.D2
              else if d2 == "true" then -3 / 7 * today.D1^2
              else error("d2 is \"fastpm\" or \"true\"")
  let dD1 = raw.dD1 / today.D1
  {D1 = raw.D1 / today.D1, D2 = raw.D2 / norm2, dD1 = dD1,
   f1 = raw.dD1 / raw.D1, f2 = raw.dD2 / raw.D2, G = a^2 * E(c, a) * dD1}
}

// FastPM's kick and drift (Feng et al. 2016, section 2), exact for the growing mode of Zel'dovich's approximation.
// p = a^2 dx/d(H0 t) is the momentum; at, from, to are growths, made by `growth`.
//
//   p += kick(at, from, to) * g     with g = FT^-1[-i k/k^2 delta_k] at the particles, at time `at`
//   x += drift(at, from, to) * p    with p at time `at`
//
// The paper's kick is -1.5 Omega_m(a) a E [G(to) - G(from)]/(dG/da), and dG/da = 1.5 Omega_m(a) a E D1 by the growth
// equation.
fn kick(at, from, to) = -(to.G - from.G) / at.D1
fn drift(at, from, to) = (to.D1 - from.D1) / at.G

// The comoving distance to a in Mpc/h along the light: c/H0 int da/(a^2 E), from a to 1. The integral is over s = sqrt(a), in
// which it is smooth: while matter dominates the integrand is constant.
fn comoving_distance(c, a) =
  2997.92458 Mpc/h * integrate(s => 2 / (s^3 * E(c, s^2)), from = sqrt(a), to = 1, panels = 16)

// What is chi in flat space and 1, in a space of this curvature (1/length^2, positive where light rays diverge: omega_k (H0/c)^2):
//   sine     sinh(sqrt(curvature) chi)/sqrt(curvature), or sin where it is negative: how far rays are apart that left one place
//            1 radian apart
//   cosine   its derivative by chi, cosh or cos
// Both are power series in curvature chi^2, so that derivatives by curvature hold in flat space, too.
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

// omega_k (H0/c)^2, for `geodesics`.
fn space_curvature(c) = c.omega_k / (2997.92458 Mpc/h)^2

// The transverse comoving distance of what is at the comoving distance chi, S_k of Hogg (1999), eq. 16: lengths across the line of sight
// over the angles under which they are seen.
fn transverse_distance(c, chi) = geodesics(space_curvature(c), chi).sine
