// Linear power spectra at a = 1.
//
// A spectrum P is a function from k (1/length: h/Mpc) to P(k) in (Mpc/h)^3. A spectrum as a table has ln k and
// ln P, with k in h/Mpc and P in (Mpc/h)^3; `spectrum` turns it into a function.

use math, cosmology

// The spectrum of a table with columns k [h/Mpc] and P [(Mpc/h)^3], as a table of ln k and ln P.
fn log_table(t) = transform(t, (k, P) => (log(k), log(P)))

// The function k -> P(k) that a table of ln k and ln P stands for: straight lines in ln P against ln k, at the ends
// continued as power laws. A table of k and P is an error: where ln k = -6.9, it has a value of thousands or millions.
fn spectrum(t) {
  let low = interpolate(t, log(1e-3))
  assert abs(low) < 200,
         "spectrum: the table has ln P = {} at k = 0.001 h/Mpc, expected -200 to 200; of a table of k and P take spectrum(log_table(t))",
         low
  k => exp(interpolate(t, log(number(k, 1 h/Mpc)))) * 1 (Mpc/h)^3
}

// The Fourier transform of a ball of radius 1, normalized to 1 at y = 0: 3 (sin y - y cos y)/y^3.
fn top_hat(y) {
  let safe = max(y, 0.01)
  if y < 0.01 then 1 - y^2 / 10 else 3 (sin(safe) - safe * cos(safe)) / safe^3
}

// The rms overdensity in spheres of radius R: sigma^2 = int dln k k^3 P(k)/(2 pi^2) W(k R)^2.
fn sigma_r(P, R, panels: int = 512) {
  fn integrand(lnk) {
    let k = exp(lnk) * 1 h/Mpc
    k^3 * P(k) / (2 pi^2) * top_hat(k * R)^2
  }
  sqrt(integrate(integrand, from = log(1e-5), to = log(300 Mpc/h / R), panels = panels))
}

// A table of ln k and ln P, scaled to have that sigma8, the rms in spheres of 8 Mpc/h.
fn scaled(t, sigma8, panels: int = 512) {
  let shift = 2 log(sigma8 / sigma_r(spectrum(t), 8 Mpc/h, panels))
  transform(t, (x, y) => (x, y + shift))
}

// P = A k^n_s T(k)^2 with the cosmology's n_s and sigma8, as a table of ln k and ln P; T(k) takes k in h/Mpc. Fewer points and
// panels (of the integral for sigma8) are for who computes it again and again, as samplers do.
fn linear_power(c, T, points: int = 16384, panels: int = 512) =
  scaled(tabulate(x => c.n_s * x + 2 log(T(exp(x))), from = log(1e-5), to = log(1e3), points = points), c.sigma8,
         panels)

// The spectra of Eisenstein & Hu (1998) with baryon wiggles and without, as tables of ln k and ln P.
fn eisenstein_hu(c, points: int = 16384, panels: int = 512) = linear_power(c, eisenstein_hu_transfer(c), points, panels)
fn eisenstein_hu_smooth(c, points: int = 16384, panels: int = 512) =
  linear_power(c, eisenstein_hu_smooth_transfer(c), points, panels)

// The transfer function of Eisenstein & Hu (1998), eqs. 2-24, of k in h/Mpc. Scales inside are in Mpc and 1/Mpc. t_cmb
// is in K.
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

// The transfer function without wiggles of Eisenstein & Hu (1998), eqs. 26, 28-31, of k in h/Mpc.
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
