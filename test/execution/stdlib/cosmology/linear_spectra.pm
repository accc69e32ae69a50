// RUN: %pmc %s -o %t && %t --out %t.out --quiet
// Eisenstein & Hu's transfer functions against an independent implementation (reference/analytic.py, which agrees with
// Colossus to 1e-8), the normalization to sigma8, and the interpolation of tables.

use power, cosmology

fn same(x, y, tolerance) = abs(x / y - 1) < tolerance

let c = flat_lcdm(omega_m = 0.3075, h = 0.6774, omega_b = 0.0486)
let T = eisenstein_hu_transfer(c)
let S = eisenstein_hu_smooth_transfer(c)

assert same(T(0.001), 0.9921447904767259, 1e-12), "T(0.001) {}", T(0.001)
assert same(T(0.01), 0.7785487036479336, 1e-12), "T(0.01) {}", T(0.01)
assert same(T(0.05), 0.2694932135671304, 1e-12), "T(0.05) {}", T(0.05)
assert same(T(0.1), 0.12999816896879013, 1e-12), "T(0.1) {}", T(0.1)
assert same(T(0.2), 0.05456642345001315, 1e-12), "T(0.2) {}", T(0.2)
assert same(T(10), 8.87918075010253e-05, 1e-12), "T(10) {}", T(10)
assert same(S(0.01), 0.7845183471456159, 1e-12), "smooth T(0.01) {}", S(0.01)
assert same(S(0.2), 0.05418407349624787, 1e-12), "smooth T(0.2) {}", S(0.2)

let P = spectrum(eisenstein_hu(c))
let s8 = sigma_r(P, 8 Mpc/h)
assert same(s8, 0.8159, 1e-9), "sigma8 {}", s8
assert same(P(0.1 h/Mpc), 5672.747624081215 (Mpc/h)^3, 1e-5), "P(0.1) {}", P(0.1 h/Mpc)
assert same(P(1 h/Mpc), 66.89575481415923 (Mpc/h)^3, 1e-5), "P(1) {}", P(1 h/Mpc)

// sigma(R) of P = 2 pi^2/k Mpc^2 is 3/(2R).
let power_law = sigma_r(k => 2 pi^2 / k * 1 (Mpc/h)^2, 8 Mpc/h)
assert same(power_law, 0.1875, 1e-5), "sigma(8) of 1/k {}", power_law

let smooth = spectrum(scaled(eisenstein_hu_smooth(c), 1.0))
assert same(sigma_r(smooth, 8 Mpc/h), 1, 1e-9), "scaled {}", sigma_r(smooth, 8 Mpc/h)

// Without baryons: the transfer function of cold dark matter, eqs. 19 and 20 with alpha = beta = 1.
let dark = flat_lcdm(omega_b = 0)
fn cold(kh) {
  let q = kh * dark.h / (13.41 * 7.46e-2 * dark.omega_m * dark.h^2 / (2.7255 / 2.7)^2)
  let L = log(exp(1) + 1.8 * q)
  L / (L + (14.2 + 386 / (1 + 69.9 * pow(q, 1.08))) * q^2)
}
assert same(eisenstein_hu_transfer(dark)(0.05), cold(0.05), 1e-12), "no baryons: T(0.05) {}",
       eisenstein_hu_transfer(dark)(0.05)
assert same(eisenstein_hu_transfer(dark)(3), cold(3), 1e-12), "no baryons: T(3) {}", eisenstein_hu_transfer(dark)(3)
let few = eisenstein_hu_transfer(flat_lcdm(omega_b = 1e-5))(0.05)
assert same(few, cold(0.05), 1e-3) and few != cold(0.05), "few baryons: T(0.05) {}", few
let linear = spectrum(eisenstein_hu(dark))
assert same(sigma_r(linear, 8 Mpc/h), 0.8159, 1e-9), "no baryons: sigma8 {}", sigma_r(linear, 8 Mpc/h)

// Many baryons: T changes its sign.
let waves = flat_lcdm(omega_m = 0.3, h = 0.7, omega_b = 0.25)
let W = eisenstein_hu_transfer(waves)
let (ahead, node) = loop (k, n) = (0.01, 0) while W(k) > 0 => (1.001 * k, n + 1)
assert node > 0 and ahead < 1, "T does not change its sign below k = {} h/Mpc", ahead
let steep = spectrum(eisenstein_hu(waves))
assert same(sigma_r(steep, 8 Mpc/h), waves.sigma8, 1e-9), "T changes its sign: sigma8 {}", sigma_r(steep, 8 Mpc/h)
fn shape(k) = number(steep(k * 1 h/Mpc), 1 (Mpc/h)^3) / (pow(k, waves.n_s) * W(k)^2)
assert same(shape(1.05 * ahead), shape(0.01), 1e-3), "P beyond the sign change: {}, expected {}", shape(1.05 * ahead),
       shape(0.01)
fn at_1(omega_b: f64) =
  spectrum(eisenstein_hu(flat_lcdm(omega_m = 0.3, h = 0.7, omega_b = omega_b), 512, 64))(1 h/Mpc) / 1 (Mpc/h)^3
let (slope, difference) = (grad(at_1)(0.25), (at_1(0.250001) - at_1(0.249999)) / 2e-6)
assert same(slope, difference, 1e-4), "dP/d omega_b {}, by differences {}", slope, difference
// A T of 0 beyond a cut-off.
let cut = spectrum(linear_power(waves, k => if k < 3 then W(k) else 0))
assert same(sigma_r(cut, 8 Mpc/h), waves.sigma8, 1e-9), "T is 0: sigma8 {}", sigma_r(cut, 8 Mpc/h)
assert number(cut(5 h/Mpc), 1 (Mpc/h)^3) < 1e-100, "T is 0: P {}", cut(5 h/Mpc)
