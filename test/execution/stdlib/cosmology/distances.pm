// RUN: %pmc %s -o %t && %t --out %t.out --quiet
// Expansion rates, dark energy and comoving distances with curvature and with w0 and wa, against quadrature by SciPy:
//   E2 = lambda a: m/a**3 + k/a**2 + (1-m-k)*a**(-3*(1+w0+wa))*exp(-3*wa*(1-a))
//   2997.92458 * quad(lambda x: 1/(x*x*sqrt(E2(x))), a, 1, epsabs=0, epsrel=1e-13)[0]

use cosmology

fn same(x, y) = abs(x / y - 1) < 1e-9

let curved = cosmology(omega_m = 0.3, omega_k = 0.1, w0 = -1, wa = 0)
let curved_2 = number(comoving_distance(curved, 0.2), 1 Mpc/h)
assert same(curved_2, 4843.143546453448), "curved: {} to a = 0.2", curved_2
assert same(E(curved, 0.2), 6.371812928829596), "curved: E(0.2) = {}", E(curved, 0.2)
let curved_6 = number(comoving_distance(curved, 0.6), 1 Mpc/h)
assert same(curved_6, 1646.6719629104482), "curved: {} to a = 0.6", curved_6
assert same(E(curved, 0.6), 1.5055453054181622), "curved: E(0.6) = {}", E(curved, 0.6)

let closed = cosmology(omega_m = 0.35, omega_k = -0.05, w0 = -1, wa = 0)
let closed_2 = number(comoving_distance(closed, 0.2), 1 Mpc/h)
assert same(closed_2, 4859.137894944707), "closed: {} to a = 0.2", closed_2
assert same(E(closed, 0.2), 6.572670690061993), "closed: E(0.2) = {}", E(closed, 0.2)
let closed_6 = number(comoving_distance(closed, 0.6), 1 Mpc/h)
assert same(closed_6, 1669.07055803001), "closed: {} to a = 0.6", closed_6
assert same(E(closed, 0.6), 1.476983913751765), "closed: E(0.6) = {}", E(closed, 0.6)

let constant = cosmology(omega_m = 0.3, omega_k = 0, w0 = -0.8, wa = 0)
let constant_2 = number(comoving_distance(constant, 0.2), 1 Mpc/h)
assert same(constant_2, 4829.4203785595455), "constant: {} to a = 0.2", constant_2
assert same(E(constant, 0.2), 6.272046672584845), "constant: E(0.2) = {}", E(constant, 0.2)
let constant_6 = number(comoving_distance(constant, 0.6), 1 Mpc/h)
assert same(constant_6, 1623.487920368796), "constant: {} to a = 0.6", constant_6
assert same(E(constant, 0.6), 1.5296886992988035), "constant: E(0.6) = {}", E(constant, 0.6)

// Across the line of sight; by astropy 7: LambdaCDM(H0=100, Om0=0.3, Ode0=0.7-k, Tcmb0=0).comoving_transverse_distance(4).
fn across(c, a) = number(transverse_distance(c, comoving_distance(c, a)), 1 Mpc/h)
fn with_curvature(k) = cosmology(omega_m = 0.3, omega_k = k)
assert same(across(curved, 0.2), 5056.573212331677), "open: {} across", across(curved, 0.2)
assert same(across(with_curvature(-0.3), 0.2), 4731.479156806167), "closed: {} across",
       across(with_curvature(-0.3), 0.2)
assert same(across(with_curvature(0.02), 0.2), 5028.3183256879), "nearly flat: {} across",
       across(with_curvature(0.02), 0.2)
// Where series end and closed forms begin, and the derivative by curvature of flat space, chi^3/6.
fn jump(k) {
  let (low, high) = (geodesics(k * 0.9999999999, 1), geodesics(k * 1.0000000001, 1))
  max(abs(low.sine - high.sine), abs(low.cosine - high.cosine))
}
assert jump(0.1) < 2e-11 and jump(-0.1) < 2e-11, "jumps of {} and {}", jump(0.1), jump(-0.1)
let by_curvature = grad(k => geodesics(k, 2.0).sine)(0.0)
assert same(by_curvature, 8 / 6), "dS/dK = {} in flat space", by_curvature

let running = cosmology(omega_m = 0.3, omega_k = 0, w0 = -0.9, wa = 0.3)
let running_2 = number(comoving_distance(running, 0.2), 1 Mpc/h)
assert same(running_2, 4843.79762812938), "running: {} to a = 0.2", running_2
assert same(E(running, 0.2), 6.312729428595761), "running: E(0.2) = {}", E(running, 0.2)
let running_6 = number(comoving_distance(running, 0.6), 1 Mpc/h)
assert same(running_6, 1641.4678431803275), "running: {} to a = 0.6", running_6
assert same(E(running, 0.6), 1.513406370520659), "running: E(0.6) = {}", E(running, 0.6)

let general = cosmology(omega_m = 0.25, omega_k = -0.04, w0 = -1.1, wa = -0.4)
let general_2 = number(comoving_distance(general, 0.2), 1 Mpc/h)
assert same(general_2, 5603.95871559919), "general: {} to a = 0.2", general_2
assert same(E(general, 0.2), 5.516751019839211), "general: E(0.2) = {}", E(general, 0.2)
let general_6 = number(comoving_distance(general, 0.6), 1 Mpc/h)
assert same(general_6, 1801.9704561424326), "general: {} to a = 0.6", general_6
assert same(E(general, 0.6), 1.2804890740689683), "general: E(0.6) = {}", E(general, 0.6)

// Far away: to the last scattering and beyond.
let flat = flat_lcdm(omega_m = 0.31)
let far = number(comoving_distance(flat, 0.01), 1 Mpc/h)
assert same(far, 8700.358849397693), "flat: {} to a = 0.01", far
let farther = number(comoving_distance(flat, 0.001), 1 Mpc/h)
assert same(farther, 9436.703628852507), "flat: {} to a = 0.001", farther
let curved_far = number(comoving_distance(curved, 0.001), 1 Mpc/h)
assert same(curved_far, 9334.6005847351), "curved: {} to a = 0.001", curved_far
