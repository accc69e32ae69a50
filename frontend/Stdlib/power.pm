// Linear power spectra of matter at a = 1: fitting formulas, transfer functions and tables.
//
// A spectrum P is a function from k, in 1/length such as h/Mpc, to P(k) in (Mpc/h)³. A spectrum as
// a table has ln k and ln P as columns, with k in h/Mpc and P in (Mpc/h)³; `spectrum` makes a
// function of it.
//
// Setup: use cosmology
//   let c = flat_lcdm()
//   let t = eisenstein_hu(c)
//   let P = spectrum(t)

use math, cosmology

// A table of k and P, as a table of ln k and ln P.
// - t: table with the columns k in h/Mpc and P in (Mpc/h)³, as pure numbers, or in units
// - k, P: the units of columns in units: `1 h/Mpc`, `1 (Mpc/h)^3`
// Value: table.
// Example: log_table(transform(t, (x, y) => (exp(x), exp(y))))
fn log_table(t, k = 1, P = 1) = transform(t, (x, y) => (log(x / k), log(y / P)))

// The function k → P(k) of a table of ln k and ln P. It is linear in ln P against ln k. Beyond the
// ends of the table it is a power law.
// - t: table of ln k and ln P; for a table of k and P, which is an error, write
//   `spectrum(log_table(t))`
// Value: function from k in 1/length to P in (Mpc/h)³.
// Example: spectrum(t)(0.1 h/Mpc)
fn spectrum(t) {
  let low = interpolate(t, log(1e-3))
  assert abs(low) < 200,
         "spectrum: the table has ln P = {} at k = 0.001 h/Mpc, expected -200 to 200; of a table of k and P take spectrum(log_table(t))",
         low
  k => exp(interpolate(t, log(number(k, 1 h/Mpc)))) * 1 (Mpc/h)^3
}

// The Fourier transform of a sphere of radius 1, normalized to 1 at 0: W(y) = 3 (sin y − y cos
// y)/y³.
// - y: number, or an element in a map, without unit
// Value: number.
// Example: top_hat(0.5)
fn top_hat(y) {
  let safe = max(y, 0.01)
  if y < 0.01 then 1 - y^2 / 10 else 3 (sin(safe) - safe * cos(safe)) / safe^3
}

// The rms linear overdensity in spheres of radius R: σ² = ∫ d ln k k³ P(k)/(2π²) W(kR)². With R =
// 8 Mpc/h it is sigma8.
// - P: function k => P(k), as of `spectrum`
// - R: number in Mpc/h
// - panels: int, the number of panels of the integral
// Value: number.
// Cost: 5 evaluations of P for each panel.
// Example: sigma_r(P, 8 Mpc/h)
fn sigma_r(P, R, panels: int = 512) {
  fn integrand(lnk) {
    let k = exp(lnk) * 1 h/Mpc
    k^3 * P(k) / (2 pi^2) * top_hat(k * R)^2
  }
  sqrt(integrate(integrand, from = log(1e-5), to = log(300 Mpc/h / R), panels = panels))
}

// A spectrum, scaled to a value of sigma8.
// - t: table of ln k and ln P
// - sigma8: number, the rms linear overdensity in spheres of 8 Mpc/h
// - panels: int, the number of panels of the integral for sigma8
// Value: table of ln k and ln P.
// Example: scaled(t, 0.8)
fn scaled(t, sigma8, panels: int = 512) {
  let shift = 2 log(sigma8 / sigma_r(spectrum(t), 8 Mpc/h, panels))
  transform(t, (x, y) => (x, y + shift))
}

// The spectrum A k^n_s T(k)² of a transfer function T. A follows from the sigma8 of the cosmology.
// - c: cosmology, whose n_s and sigma8 are used
// - T: function from k in h/Mpc, as a pure number, to the transfer function. It may change its
//   sign; |T| counts as 1e-150 where it is smaller
// - points: int, the number of rows of the table; samplers, which compute a spectrum many times,
//   can use fewer
// - panels: int, the number of panels of the integral for sigma8
// Value: table of ln k and ln P.
// Example: linear_power(c, k => 1 / (1 + (9 * k)^2))
fn linear_power(c, T, points: int = 16384, panels: int = 512) =
  scaled(tabulate(x => c.n_s * x + 2 log(max(abs(T(exp(x))), 1e-150)), from = log(1e-5), to = log(1e3),
                  points = points), c.sigma8,
         panels)

// The spectrum of Eisenstein & Hu with baryon wiggles.
// - c: cosmology
// - points: int, the number of rows of the table
// - panels: int, the number of panels of the integral for sigma8
// Value: table of ln k and ln P.
// Source: Eisenstein & Hu (1998), eqs. 2–24
// Example: eisenstein_hu(c, points = 1024, panels = 128)
fn eisenstein_hu(c, points: int = 16384, panels: int = 512) = linear_power(c, eisenstein_hu_transfer(c), points, panels)

// The spectrum of Eisenstein & Hu without baryon wiggles.
// - c: cosmology
// - points: int, the number of rows of the table
// - panels: int, the number of panels of the integral for sigma8
// Value: table of ln k and ln P.
// Source: Eisenstein & Hu (1998), eqs. 26 and 28–31
// Example: eisenstein_hu_smooth(c)
fn eisenstein_hu_smooth(c, points: int = 16384, panels: int = 512) =
  linear_power(c, eisenstein_hu_smooth_transfer(c), points, panels)

// The transfer function of Eisenstein & Hu with baryon wiggles. Scales inside are in Mpc and
// 1/Mpc.
// - c: cosmology
// - t_cmb: temperature of the microwave background in K, as a pure number
// Value: function from k in h/Mpc, as a pure number, to T.
// Source: Eisenstein & Hu (1998), eqs. 2–24
// Example: eisenstein_hu_transfer(c)(0.1)
fn eisenstein_hu_transfer(c, t_cmb: f64 = 2.7255) {
  let wm = c.omega_m * c.h^2
  // The sound horizon and Silk's scale are 0/0 and 0 without baryons, where they have no effect.
  let wb = max(c.omega_b, 1e-6 * c.omega_m) * c.h^2
  let fb = c.omega_b / c.omega_m
  let fc = 1 - fb
  let theta = t_cmb / 2.7

  // equality, drag epoch, sound horizon, Silk damping: eqs. 2-7
  let z_eq = 2.5e4 * wm / theta^4
  let k_eq = 7.46e-2 * wm / theta^2
  let b1 = 0.313 * pow(wm, -0.419) * (1 + 0.607 * pow(wm, 0.674))
  let b2 = 0.238 * pow(wm, 0.223)
  let z_drag = 1291 * pow(wm, 0.251) / (1 + 0.659 * pow(wm, 0.828)) * (1 + b1 * pow(wb, b2))
  let R_drag = 31.5e3 * wb / theta^4 / z_drag
  let R_eq = 31.5e3 * wb / theta^4 / z_eq
  let s = 2 / (3 k_eq) * sqrt(6 / R_eq) * log((sqrt(1 + R_drag) + sqrt(R_drag + R_eq)) / (1 + sqrt(R_eq)))
  let k_silk = 1.6 * pow(wb, 0.52) * pow(wm, 0.73) * (1 + pow(10.4 * wm, -0.95))

  // cold dark matter: eqs. 11, 12
  let a1 = pow(46.9 * wm, 0.670) * (1 + pow(32.1 * wm, -0.532))
  let a2 = pow(12.0 * wm, 0.424) * (1 + pow(45.0 * wm, -0.582))
  let alpha_c = pow(a1, -fb) * pow(a2, -(fb^3))
  let c1 = 0.944 / (1 + pow(458 * wm, -0.708))
  let c2 = pow(0.395 * wm, -0.0266)
  let beta_c = 1 / (1 + c1 * (pow(fc, c2) - 1))

  // baryons: eqs. 14, 15, 23, 24
  let y = (1 + z_eq) / (1 + z_drag)
  let root = sqrt(1 + y)
  let G = y * (-6 * root + (2 + 3 y) * log((root + 1) / (root - 1)))
  let alpha_b = 2.07 * k_eq * s * pow(1 + R_drag, -0.75) * G
  let beta_b = 0.5 + fb + (3 - 2 fb) * sqrt((17.2 * wm)^2 + 1)
  let beta_node = 8.41 * pow(wm, 0.435)

  // eqs. 10, 19, 20
  fn T0(k, alpha, beta) {
    let q = k / (13.41 * k_eq)
    let C = 14.2 / alpha + 386 / (1 + 69.9 * pow(q, 1.08))
    let L = log(exp(1) + 1.8 * beta * q)
    L / (L + C * q^2)
  }
  // eqs. 16-18, 21, 22
  fn T(kh) {
    let k = kh * c.h
    let ks = k * s
    let f = 1 / (1 + (ks / 5.4)^4)
    let Tc = f * T0(k, 1, beta_c) + (1 - f) * T0(k, alpha_c, beta_c)
    let st = ks / pow(1 + (beta_node / ks)^3, 1 / 3)
    let Tb = (T0(k, 1, 1) / (1 + (ks / 5.2)^2)
              + alpha_b / (1 + (beta_b / ks)^3) * exp(-pow(k / k_silk, 1.4))) * sinc(st)
    fb * Tb + fc * Tc
  }
  T
}

// The transfer function of Eisenstein & Hu without baryon wiggles.
// - c: cosmology
// - t_cmb: temperature of the microwave background in K, as a pure number
// Value: function from k in h/Mpc, as a pure number, to T.
// Source: Eisenstein & Hu (1998), eqs. 26 and 28–31
// Example: eisenstein_hu_smooth_transfer(c)(0.1)
fn eisenstein_hu_smooth_transfer(c, t_cmb: f64 = 2.7255) {
  let wm = c.omega_m * c.h^2
  let wb = c.omega_b * c.h^2
  let fb = c.omega_b / c.omega_m
  let s = 44.5 * log(9.83 / wm) / sqrt(1 + 10 * pow(wb, 0.75))
  let alpha = 1 - 0.328 * log(431 * wm) * fb + 0.38 * log(22.3 * wm) * fb^2
  kh => {
    let gamma = c.omega_m * c.h * (alpha + (1 - alpha) / (1 + (0.43 * kh * c.h * s)^4))
    let q = kh * (t_cmb / 2.7)^2 / gamma
    let L = log(2 exp(1) + 1.8 * q)
    L / (L + (14.2 + 731 / (1 + 62.5 * q)) * q^2)
  }
}
