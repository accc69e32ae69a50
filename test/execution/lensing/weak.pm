// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet | FileCheck %s
// Rays in the limit of weak lensing are straight: the difference from the Born approximation is of second order, and bounded.
// Lensing makes no B modes and no rotation to first order.

use cosmology, power, fields, lpt, nbody, lensing, sky

const n = 32
const steps = 10
dim x = n, y = n, z = n over 128 Mpc/h
dim p = 128, q = 128 over 128 Mpc/h
dim u = 96, v = 96 over 4 deg
dim plane = steps

let c = flat_lcdm()
let linear = gaussian_field[x, y, z](spectrum(eisenstein_hu(c)), 7)
let time = equal_shells(c, comoving_distance(c, 1 / 1.5), steps)
let start = nbody(c, lpt(c, linear, a = 0.1), from = 0.1, to = time(0), steps = 4)
let stack = light_cone(c, start, time, steps, zeros[plane, p, q], keep_planes[plane, p, q](), turned_copies()).seen
let planes = stack - mean(stack, over = (p, q))  // rays do not see the mean of a periodic plane
let theta = rays[u, v]()
let sources = source_planes(c, (0.5, 0.45))
let far = chi => sources(chi)[0]

fn rms(f) = sqrt(mean(f^2))
fn straight(e) = over_planes(c, e * planes, time, 0 * theta[0], born(c, theta, far))
fn shear(e) = over_planes(c, e * planes, time, (0 * theta[0], 0 * theta[0]), born_shear(c, theta, far))
fn off(e) {
  let bent = trace_rays(c, e * planes, time, theta, far)
  let gamma = shear(e)
  (rms(bent.kappa - straight(e)) / rms(straight(e)), rms(bent.gamma1 - gamma[0]) / rms(gamma[0]),
   rms(bent.omega) / rms(bent.kappa))
}
// CHECK: rms kappa 0.00
print "rms kappa {:.4f}", rms(straight(1))
let one = off(1)
let small = off(1e-3)
let half = off(0.5e-3)
print "off by {:.2e}, {:.2e}, omega {:.2e}; a thousandth: {:.2e}, {:.2e}, {:.2e}; half of it: {:.2e}", one[0], one[1],
      one[2], small[0], small[1], small[2], half[0]
assert one[0] < 0.15 and one[1] < 0.15 and one[2] < 0.01
assert small[0] < 2e-4 and small[1] < 2e-4 and small[2] < 1e-5, "a thousandth: {} {} {}", small[0], small[1], small[2]
assert abs(small[0] / half[0] - 2) < 0.02 and abs(small[2] / half[2] - 2) < 0.02, "not of second order: {}",
       small[0] / half[0]

// E and B by differences of the shear, away from the edges of the map: laplacian E = (d11 - d22) gamma1 + 2 d12 gamma2, and
// laplacian B likewise of the shear turned by 45 degrees.
fn at(f, i, j) = f[u + i, v + j]
fn difference(f) = at(f, 1, 0) + at(f, -1, 0) - at(f, 0, 1) - at(f, 0, -1)
fn mixed(f) = 0.25 (at(f, 1, 1) + at(f, -1, -1) - at(f, 1, -1) - at(f, -1, 1))
fn power(f) = mean(map i in f => if abs(index(i, u) - 48) < 30 and abs(index(i, v) - 48) < 30 then f^2 else 0)
let bent = trace_rays(c, planes, time, theta, far, "pcs")
let (g1, g2) = (smooth(bent.gamma1, 4 * spacing(u)), smooth(bent.gamma2, 4 * spacing(u)))
let E_power = power(difference(g1) + 2 mixed(g2))
let B_power = power(difference(g2) - 2 mixed(g1))
print "B over E: {:.2e}; omega over kappa: {:.2e}", B_power / E_power, mean(bent.omega^2) / mean(bent.kappa^2)
assert B_power < 1e-3 * E_power and mean(bent.omega^2) < 1e-3 * mean(bent.kappa^2)
