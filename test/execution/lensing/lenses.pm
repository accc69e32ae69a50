// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet
// Lenses of textbooks: a point mass, a singular isothermal sphere, a sheet. A ring of negative mass around the first two makes
// the total 0: within it the field is that of the lens alone, outside there is none, and so none of periodic images.

use cosmology, lensing, fields

const n = 512
dim p = n, q = n over 100 Mpc/h
dim u = 96, v = 96 over 1
dim plane = 1

let c = flat_lcdm(omega_m = 0.3)
let time = equal_shells(c, 1600 Mpc/h, 1)  // one shell, the plane of which is in its middle
let far = 800 Mpc/h
let h = length(p) / n
let middle = 0.5 length(p)
fn half(chi) = 0.5  // sources at twice the distance

// Rays at the plane's nodes, so that nothing is interpolated; theta from the lens, of the angle phi.
let theta = map i in [u, v] => ((middle + (index(i, u) - 48) * 2 h) / far, (middle + (index(i, v) - 48) * 2 h) / far)
let (t1, t2) = (theta[0] - middle / far, theta[1] - middle / far)
let r = sqrt(t1^2 + t2^2)
let safe = map i in r => if r > 0 then r else h / far
fn cos2() = (t1^2 - t2^2) / safe^2
fn sin2() = 2 t1 * t2 / safe^2

let radius = map x in [p, q] => sqrt((x[p] - middle)^2 + (x[q] - middle)^2)
let ring = exp(-0.5 * ((radius - 0.36 length(p)) / (0.02 length(p)))^2)

// The rays behind a plane of that convergence.
fn seen(kappa) {
  let scale = c.omega_m * 1.5 / hubble_distance()^2 / scale_factor(c, far) * half(far) * far
  let balanced = kappa - mean(kappa) / mean(ring) * ring
  trace_rays(c, map x in [plane, p, q] => balanced / scale, time, theta, half)
}

// The largest |got - expected| beyond so many cells from the lens, in terms of the largest expected there: everything is judged
// ring by ring, where it has one size.
fn off(got, expected, size, from, to) =
  max(map i in r => if r > from * h / far and r < to * h / far then abs(got - expected) / size else 0)
fn compare(s, deflection, kappa, shear, from, to) {
  let d = max(off(t1 - s.beta[0] + middle / far, deflection * t1 / safe, deflection, from, to),
              off(t2 - s.beta[1] + middle / far, deflection * t2 / safe, deflection, from, to))
  let k = off(s.kappa, kappa, shear, from, to)
  let g = max(off(s.gamma1, -shear * cos2(), shear, from, to), off(s.gamma2, -shear * sin2(), shear, from, to))
  print "off by {:.1e} (deflection), {:.1e} (kappa), {:.1e} (gamma), {:.1e} (omega)", d, k, g, max(abs(s.omega))
  assert d < 1e-3 and k < 1e-3 and g < 1e-3 and max(abs(s.omega)) < 1e-12
  d
}

// A point mass, with a core of three cells: theta_E^2/theta, 0, theta_E^2/theta^2.
let einstein = 4 h / far
let sigma = 3 h
let point = seen(map x in [p, q] => (einstein * far / sigma)^2 / 2 * exp(-0.5 * (radius / sigma)^2))
let d1 = compare(point, einstein^2 / safe, 0 * r, (einstein / safe)^2, 16, 115)

// A singular isothermal sphere: theta_E, theta_E/(2 theta) for both. The middle cell has the mass that the other cells do not
// have of it, 3.900265 times that of a cell at distance h: -4 zeta(1/2) beta(1/2), the sum of 1/r over the plane's nodes.
// It ends at the ring, and a core of 1.5 cells smooths what nodes cannot hold of its cusp.
let inner_part = 0.5 (1 - erf((radius - 0.36 length(p)) / (0.03 length(p))))
let cusp = map x in [p, q] => inner_part * (if radius > 0.5 h then 1 / max(radius, h) else 3.900265 / h)
let isothermal = seen(0.5 * einstein * far * smooth(cusp, 1.5 h))
let d2 = compare(isothermal, einstein + 0 * r, 0.5 einstein / safe, 0.5 einstein / safe, 64, 115)

// A sheet: nothing, though it is there.
let sheet = trace_rays(c, constant[plane, p, q](3000 Mpc/h), time, theta, half)
assert max(abs(sheet.beta[0] - theta[0])) < 1e-14 and max(abs(sheet.beta[1] - theta[1])) < 1e-14
assert max(abs(sheet.kappa)) + max(abs(sheet.gamma1)) + max(abs(sheet.gamma2)) < 1e-14
let straight = over_planes(c, constant[plane, p, q](3000 Mpc/h), time, 0 * r, born(c, theta, half))
assert abs(mean(straight) / (1.5 * 0.3 / hubble_distance()^2 / scale_factor(c, far) * 3000 Mpc/h * 0.5 * far) - 1) <
       1e-12
