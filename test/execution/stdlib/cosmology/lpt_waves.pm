// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet
// RUN: %pmc %s -o %t --precision=f32 -D tolerance=2e-5 && %t --out %t.out --quiet
// Two crossed plane waves, delta = A (cos Kx + cos Ky), where both orders have a closed form:
// with K = 2 pi/L: psi1 = -A/K (sin Kx, sin Ky, 0), psi2 = -3/14 A^2/K (sin Kx cos Ky, cos Kx sin Ky, 0).

use cosmology, lpt

const tolerance = 1e-11
dim x = 16, y = 16, z = 16 over 100 Mpc/h

let A = 0.5
let a = 0.4
let kf = 2 pi / length(x)
let c = flat_lcdm(omega_m = 0.3075)
let D = growth(c, a, d2 = "true")
let delta = map q in [x, y, z] => A * (cos(kf * q[x]) + cos(kf * q[y]))

let psi1 = map q in [x, y, z] => (-A / kf * sin(kf * q[x]), -A / kf * sin(kf * q[y]), 0 / kf)
let psi2 = map q in [x, y, z] => (-3 / 14 * A^2 / kf * sin(kf * q[x]) * cos(kf * q[y]),
                                  -3 / 14 * A^2 / kf * cos(kf * q[x]) * sin(kf * q[y]), 0 / kf)

fn off(u, v) = number(sqrt(max(norm2(u - v))), 1 Mpc/h)

let first = lpt(c, delta, a, order = 1, kernel = "exact")
assert off(first.disp, D.D1 * psi1) < 10 tolerance, "1LPT displacement is off by {}", off(first.disp, D.D1 * psi1)

let second = lpt(c, delta, a, order = 2, kernel = "exact", d2 = "true")
let disp = D.D1 * psi1 + D.D2 * psi2
let mom = a^2 * E(c, a) * (D.f1 * D.D1 * psi1 + D.f2 * D.D2 * psi2)
assert off(second.disp, disp) < 10 tolerance, "2LPT displacement is off by {}", off(second.disp, disp)
assert off(second.mom, mom) < 10 tolerance, "2LPT momentum is off by {}", off(second.mom, mom)

// One plane wave, in whatever direction, has no second order: phi_ab = K_a K_b phi, so the source cancels.
let oblique = map q in [x, y, z] => A * cos(kf * (q[x] + 2 * q[y] - q[z]))
let source = second_order_source(fft(oblique), kernel = "exact")
assert sqrt(max(source^2)) < 10 tolerance, "a plane wave has the second order {}", sqrt(max(source^2))
