// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.out --quiet
// Optional arguments of cosmology, spectra, simulations, lensing and transforms of samples, with values other than their defaults,
// against what they stand for.

use math, cosmology, power, fields, lpt, nbody, lensing, nufft, pyramid

dim x = 8, y = 8, z = 8 over 40 Mpc/h
dim t = 3
fn near(name, a, b, bound) { assert abs(a - b) <= bound * abs(b) and b != 0, "{}: {}, expected {}", name, a, b }
fn same(name, a, b) {
  let off = max(abs(a - b))
  let size = max(abs(b))
  assert off <= 1e-11 * size and size > 0, "{}: off by {} of {}", name, off, size
}

// ---- cosmology and power; transfer functions of another temperature by reference/analytic.py ----
let other = flat_lcdm(h = 0.7, n_s = 0.9)
assert other.h == 0.7 and other.n_s == 0.9 and other.omega_m == 0.3075, "flat_lcdm"
let c = flat_lcdm()
near("growth, today", growth(c, 0.5, today = raw_growth(c, 0.5)).D1, 1.0, 1e-14)
near("t_cmb", eisenstein_hu_transfer(c, 2.9)(0.05), 0.24251510121044628, 1e-11)
near("t_cmb, smooth", eisenstein_hu_smooth_transfer(c, 2.9)(0.05), 0.2462387089096978, 1e-11)
near("t_cmb, smooth", eisenstein_hu_smooth_transfer(c, 2.9)(0.2), 0.04554020601656416, 1e-11)
fn T(k) = 1 / (1 + (20 * k)^2)
// Three points are straight lines between 1e-5, 0.1 and 1000 h/Mpc.
fn is_coarse(name, table) = near(name, interpolate(table, log(1e-4)),
                                 0.75 * interpolate(table, log(1e-5)) + 0.25 * interpolate(table, log(0.1)), 1e-12)
is_coarse("linear_power, points", linear_power(c, T, points = 3))
is_coarse("eisenstein_hu, points", eisenstein_hu(c, points = 3))
is_coarse("eisenstein_hu_smooth, points", eisenstein_hu_smooth(c, points = 3))
let law = spectrum(eisenstein_hu_smooth(c))
fn few_panels(name, P) {
  near(name, sigma_r(P, 8 Mpc/h, panels = 3), c.sigma8, 1e-12)
  assert abs(sigma_r(P, 8 Mpc/h) / c.sigma8 - 1) > 1e-6, "{}: as with 512 panels", name
}
few_panels("linear_power, panels", spectrum(linear_power(c, T, panels = 3)))
few_panels("eisenstein_hu, panels", spectrum(eisenstein_hu(c, panels = 3)))
few_panels("eisenstein_hu_smooth, panels", spectrum(eisenstein_hu_smooth(c, panels = 3)))
few_panels("scaled, panels", spectrum(scaled(eisenstein_hu_smooth(c), c.sigma8, panels = 3)))
let in_units = transform(tabulate(u => u^2, from = 1, to = 9, points = 5), (u, y) => (u * 1 h/Mpc, 2 * y * 1 (Mpc/h)^3))
near("log_table, units", interpolate(log_table(in_units, k = 2 h/Mpc, P = 4 (Mpc/h)^3), log(1.5)), log(4.5), 1e-14)
near("newton, steps", newton(u => u^2 - 2, u => 2 u, 1.0, steps = 1), 1.5, 1e-15)

// ---- forces and simulations ----
let delta = gaussian_field[x, y, z](law, 1)
let by_hand = 2 * gradient(inverse_laplacian(delta, "fd2"), "exact")[1]
same("fourier_force", fourier_force("exact", "fd2")(delta, 2)[1], by_hand)
// Differences of the potential are factors in Fourier space, and are computed there.
fn slopes(f, kernel) {
  let fk = fft(f)
  for d in (x, y, z) => ifft(map k in fk => 1i * gradient_kernel(k, d, kernel) * fk)
}
fn by_factors(kernel) = 2 * slopes(inverse_laplacian(delta, "fd2"), kernel)[1]
same("fourier_force, fd2", fourier_force("fd2", "fd2")(delta, 2)[1], by_factors("fd2"))
same("fourier_force, fd4", fourier_force("fd4", "fd2")(delta, 2)[1], by_factors("fd4"))
same("fourier_force, fd6", fourier_force("fd6", "fd2")(delta, 2)[1], by_factors("fd6"))
let first = growth(c, 0.3).D1
same("lpt, laplacian", lpt(c, delta, 0.3, order = 1, laplacian = "fd2").disp[1] / 1 Mpc/h,
     -first * slopes(inverse_laplacian(delta, "fd2"), "fd4")[1] / 1 Mpc/h)
dim layer = 2 over 3
let two = map q in [layer, x, y, z] => delta * (1 + index(q, layer))
same("lpt, over", (lpt(c, two, 0.3, over = (x, y, z)).disp[2])[layer = 1] / 1 Mpc/h,
     lpt(c, 2 * delta, 0.3).disp[2] / 1 Mpc/h)
let start = lpt(c, delta, 0.3)
same("nbody, laplacian", nbody(c, start, from = 0.3, to = 0.6, steps = 2, laplacian = "fd2").disp[0] / 1 Mpc/h,
     nbody(c, start, from = 0.3, to = 0.6, steps = 2, force = fourier_force("fd4", "fd2")).disp[0] / 1 Mpc/h)
// Steps depend on ratios of growths alone.
fn cycle(today) =
  nbody_cycle(c, start, i => 0.3 + 0.1 * i, 1, 1, "cic", fourier_force(), today = today).next.disp[0] / 1 Mpc/h
same("nbody_cycle, today", cycle(raw_growth(c, 0.5)), cycle(raw_growth(c, 1)))
// The rounding receives each increment: doubled increments move the momenta twice as far.
fn kicked(rounding) =
  nbody_cycle(c, start, i => 0.3 + 0.1 * i, 1, 1, "cic", fourier_force(), rounding = rounding).next.mom[0] -
    start.mom[0]
same("nbody_cycle, rounding", kicked(x => 2 * x) / 1 Mpc/h, 2 * kicked(x => x) / 1 Mpc/h)
// Without rounding, steps are those of a light cone, whose loop never rounds.
let rough = nbody(c, start, 0.3, 0.6, 2, exact = false).disp[0]
let loose = nbody_observed[t](c, start, 0.3, 0.6, s => s.a, exact = false)[0].disp[0]
assert max(abs(rough - loose)) == 0 Mpc/h, "nbody_observed, exact: steps differ from those of nbody"
assert max(abs(rough - nbody(c, start, 0.3, 0.6, 2).disp[0])) > 0 Mpc/h, "nbody, exact: as without it"
fn observed(name, boost: int, kernel, laplacian, window) {
  let (end, seen) = nbody_observed[t](c, start, from = 0.3, to = 0.6, observe = s => max(s.disp[0]) / 1 Mpc/h,
                                      boost = boost, kernel = kernel,
                                      laplacian = laplacian, window = window)
  let expected = nbody(c, start, 0.3, 0.6, 2, boost, kernel, laplacian, window)
  same(name, end.disp[1] / 1 Mpc/h, expected.disp[1] / 1 Mpc/h)
  let plain = nbody(c, start, 0.3, 0.6, 2)
  assert max(abs(expected.disp[1] - plain.disp[1])) > 1e-9 Mpc/h, "{}: as without it", name
}
observed("nbody_observed, boost", 2, "fd4", "exact", "cic")
observed("nbody_observed, kernel", 1, "exact", "exact", "cic")
observed("nbody_observed, laplacian", 1, "fd4", "fd2", "cic")
observed("nbody_observed, window", 1, "fd4", "exact", "tsc")
let own = fourier_force("exact", "fd2")
same("nbody_observed, force", nbody_observed[t](c, start, 0.3, 0.6, s => s.a, force = own)[0].disp[0] / 1 Mpc/h,
     nbody(c, start, 0.3, 0.6, 2, force = own).disp[0] / 1 Mpc/h)

let dk = fft(delta)
let phi = inverse_laplacian(delta, "fd2")
same("lpt_displacement", lpt_displacement(dk, "exact", "fd2")[1] / 1 Mpc/h, -gradient(phi)[1] / 1 Mpc/h)
fn differences(kernel) {
  fn second(a, b) = slopes(slopes(phi, kernel)[a], kernel)[b]
  same("lpt_displacement", lpt_displacement(dk, kernel, "fd2")[2] / 1 Mpc/h, -slopes(phi, kernel)[2] / 1 Mpc/h)
  same("second_order_source", second_order_source(dk, kernel, "fd2"),
       second(0, 0) * second(1, 1) + second(0, 0) * second(2, 2) + second(1, 1) * second(2, 2)
         - second(0, 1)^2 - second(0, 2)^2 - second(1, 2)^2)
  let v = slopes(phi, "exact")
  same("gradient", gradient(phi, kernel)[0] / 1 Mpc/h, slopes(phi, kernel)[0] / 1 Mpc/h)
  same("divergence", divergence(v, kernel), total(for d in 0 .. 3 => slopes(v[d], kernel)[d]))
}
differences("fd2")
differences("fd4")
differences("fd6")
same("pyramid", pyramid(levels = 1, laplacian = "fd2")(delta, 2)[1] / 1 Mpc/h, 2 * slopes(phi, "fd4")[1] / 1 Mpc/h)

// ---- lensing ----
let time = equal_shells(c, 300 Mpc/h, 3, near = 90 Mpc/h)
near("equal_shells, near", number(comoving_distance(c, time(3)), 90 Mpc/h), 1.0, 1e-10)
near("equal_shells, near", number(comoving_distance(c, time(1)), 230 Mpc/h), 1.0, 1e-10)
fn cone(candidates: int, boost: int, kernel, laplacian) = light_cone(c, start, i => 0.3 + 0.05 * i, 2, zeros[x, y],
                                                                     light => zeros[x, y], candidates = candidates,
                                                                     boost = boost, kernel = kernel,
                                                                     laplacian = laplacian).particles
same("light_cone, boost", cone(40, 2, "fd4", "exact").disp[0] / 1 Mpc/h,
     nbody(c, start, 0.3, 0.4, 2, boost = 2).disp[0] / 1 Mpc/h)
same("light_cone, kernel", cone(40, 1, "exact", "exact").disp[0] / 1 Mpc/h,
     nbody(c, start, 0.3, 0.4, 2, kernel = "exact").disp[0] / 1 Mpc/h)
same("light_cone, laplacian", cone(40, 1, "fd4", "fd2").disp[0] / 1 Mpc/h,
     nbody(c, start, 0.3, 0.4, 2, laplacian = "fd2").disp[0] / 1 Mpc/h)
fn n(z) = z^2 * exp(-z)
let (few, many) = (source_distribution(c, n, 2, panels = 2), source_distribution(c, n, 2, panels = 40))
let chi = 800 Mpc/h
near("source_distribution, panels", few(chi), many(chi), 1e-3)
assert few(chi) != many(chi), "source_distribution: panels"
let P = grown(c, law)

fn half(chi) = 0.5
fn planes(panels: int) = limber_planes(c, 60, half, P, time, 3, 40 Mpc/h, panels)
near("limber_planes, panels", planes(2), planes(64), 0.05)
assert abs(planes(2) / planes(64) - 1) > 1e-9, "limber_planes: panels {} {}", planes(2), planes(64)
near("limber, to",
     limber(c, 300, half, P, from = 0.4, to = 0.6, panels = 24) + limber(c, 300, half, P, from = 0.6, panels = 24),
     limber(c, 300, half, P, from = 0.4, panels = 48), 1e-8)

// ---- samples ----
let supports = for tolerance in (1e-2, 9.9e-3, 1e-3, 9.9e-4, 1.1e-4, 1e-6, 9.9e-7, 1e-11) => nufft_support(tolerance)
let expected = (3, 4, 4, 5, 5, 7, 8, 12)
assert total(for i in 0 .. 8 => if supports[i] == expected[i] then 0 else 1) == 0, "supports {}, {}, {}, {}, …",
       supports[0], supports[1], supports[2], supports[3]
dim sample = 200
let at = (for i in 0 .. 2 => 3.9 * sin(white_noise[sample](3 + i)))
let image = white_noise[x, y](7) + 0i
let exact = nufft(image, at, 1e-11)
fn is_right(tolerance) {
  let off = nufft(image, at, tolerance) - exact
  assert inner(off, off) <= tolerance^2 * inner(exact, exact), "a nufft with the tolerance {} is off by {}", tolerance,
         sqrt(inner(off, off) / inner(exact, exact))
}
is_right(9e-3)
is_right(9e-4)
is_right(9e-6)
is_right(9e-8)
dim shot = 5, along = 6, plane = 4
let arms = spiral[shot, along](10, 2)
let turned = for i in 0 .. 2 => (for j in 0 .. 2 => arms[j][shot = 0])[i]
let angle = 2 pi * 2 / 5
same("spiral, shots", arms[0][shot = 2], cos(angle) * turned[0] - sin(angle) * turned[1])
same("spiral, shots", arms[1][shot = 2], sin(angle) * turned[0] + cos(angle) * turned[1])
let stars = stack_of_stars[plane, shot, along](10, golden = true)
same("stack_of_stars, golden", stars[1][plane = 2], radial[shot, along](10, golden = true)[1])
near("semicircle, accuracy", semicircle(4, accuracy = 1e-3).accuracy, 1e-3, 0)
near("prolate, accuracy", prolate(4, accuracy = 1e-3).accuracy, 1e-3, 0)
near("kaiser_bessel, accuracy", kaiser_bessel(4, accuracy = 1e-3).accuracy, 1e-3, 0)
