// Massive neutrinos in simulations of cold dark matter and baryons (cb), by their linear response:
// the overdensity of neutrinos is δ_ν = R(k, a) δ_cb with a ratio R of linear transfer functions.
//
// A ratio is a function (k, a) => R, from a table of CLASS or CAMB, or `free_streaming_ratio`. omega_m
// of a cosmology includes neutrinos, which count as matter in its background. f = omega_ν/omega_m is
// the fraction of neutrinos.
//
// Setup: use cosmology, power, fields, lpt, nbody, modified_gravity
//   dim x = 16, y = 16, z = 16 over 100 Mpc/h
//   let c = flat_lcdm(omega_m = 0.31)
//   let f = neutrino_fraction(c, 0.3)
//   let ratio = free_streaming_ratio(c, 0.1)
//   let delta = 0.1 * smooth(white_noise[x, y, z](1), 9 Mpc/h)
//
// Internal: rescaled

use math, cosmology, fields, lpt

// The fraction f = omega_ν/omega_m, with omega_ν h² = Σ m/93.14 eV.
// - c: cosmology
// - mass: number in eV, without unit: the sum of the masses
// Value: number.
// Source: Lesgourgues & Pastor (2006)
// Example: neutrino_fraction(c, 0.3)
fn neutrino_fraction(c, mass) {
  assert mass >= 0, "neutrino_fraction: mass = {}, expected a sum of masses in eV, 0 or more", mass
  mass / (93.14 * c.h^2 * c.omega_m)
}

// An approximate ratio δ_ν/δ_cb = k_fs²/(k + k_fs)² with the wave number of free streaming k_fs = 1.5
// √(a omega_m) (m/eV) h/Mpc. It connects the limits of small and large k, for neutrinos that are a
// small part of the matter. Use tables where the power spectrum must be known to better than 1 %.
// - c: cosmology
// - mass: number in eV, without unit: the mass of one neutrino
// Value: function (k, a) => R; k is in 1/length.
// Source: Ringwald & Wong (2004)
// Example: free_streaming_ratio(c, 0.1)(0.1 h/Mpc, 0.5)
fn free_streaming_ratio(c, mass) = (k, a) => {
  let streaming = 1.5 * sqrt(a * c.omega_m) * mass * 1 h/Mpc
  (streaming / (k + streaming))^2
}

// The ratio of a table over ln k and a, for k in h/Mpc. Beyond an end of the table, the value is that
// at this end.
// - t: table over two axes, ln k and a
// - low, high: numbers in 1/length, the wave numbers at the ends of the table
// Value: function (k, a) => R.
// Example: ratio_of_table(tabulate((x, a) => ratio(exp(x) * 1 h/Mpc, a), from = (-7, 0.1), to = (1, 1), points = (20, 9)), 1e-3 h/Mpc, 2 h/Mpc)(0.1 h/Mpc, 0.5)
fn ratio_of_table(t, low, high) = (k, a) => interpolate(t, log(number(clamp(k, low, high), 1 h/Mpc)), a)

// The strength of gravity for `modified_growth`, 1 − f + f R(k, a): the force on cb relative to that
// of the same density of cb alone. Use only the ratio of the growth at two times when neutrinos are
// slow, because `modified_growth` begins at a = 8 · 10⁻⁷.
// - fraction: number, f
// - ratio: function (k, a) => R
// Value: function (k, a) => μ.
// Source: Brandbyge & Hannestad (2009)
// Example: let mu = neutrino_strength(f, ratio)
//   modified_growth(c, mu, 0.1 h/Mpc, 1).D / modified_growth(c, mu, 0.1 h/Mpc, 0.1).D
fn neutrino_strength(fraction, ratio) = (k, a) => 1 - fraction + fraction * ratio(k, a)

// The force of cb and neutrinos on cb, for the argument `gravity` of `nbody`: ∇∇⁻² of (1 − f + f R(k,
// a)) δ_cb.
// - fraction: number, f
// - ratio: function (k, a) => R
// - kernel: `"fd2"`, `"fd4"` or `"fd6"`, the difference of the potential, as in `gradient_kernel`
// - laplacian: `"exact"` or `"fd2"`, as in `inverse_laplacian_kernel`
// Value: function (mesh, scale, a) => force, a vector of fields like mesh.
// Source: Brandbyge & Hannestad (2009)
// Cost: two transforms, as that of `fourier_force`.
// Example: nbody(c, lpt(c, delta, a = 0.1), from = 0.1, to = 1, steps = 3, gravity = neutrino_force(f, ratio)).disp
fn neutrino_force(fraction, ratio, kernel = "fd4", laplacian = "exact") = (mesh, scale, a) => {
  let mu = neutrino_strength(fraction, ratio)
  let dk = fft(mesh)
  let phi = ifft(map k in dk => -(scale * inverse_laplacian_kernel(k, laplacian)) * rescaled(k, q => mu(q, a)) * dk)
  for d in dims(mesh) => central_difference(phi, d, kernel)
}

// g of the wave number of a mode, and 1 for the mean.
fn rescaled(k, g) {
  let k2 = norm2(wave(k))
  let lowest = norm2(for d in directions(k) => 2 pi / length(d))
  let value = g(sqrt(if k2 == 0 then lowest else k2))
  if k2 == 0 then 1 else value
}

// Particles of cb at the scale factor a from their linear overdensity at a, to second order, as `lpt`.
// Momenta use the growth rate of each wave number, because neutrinos lower the rate on small scales.
// - c: cosmology
// - delta: linear overdensity of cb at a, not at 1, a real periodic field over the lattice
// - a: scale factor
// - rate: function k => d ln δ_cb/d ln a; k is in 1/length
// - kernel: the derivatives, `"exact"`, `"fd2"`, `"fd4"` or `"fd6"`, as in `gradient_kernel`
// - laplacian: `"exact"` or `"fd2"`, as in `inverse_laplacian_kernel`
// - over: dims along which the particles move; the other dims count a batch
// Value: record `{disp, mom, a}`, as of `lpt`.
// Source: Zennaro et al. (2017)
// Cost: that of `lpt`, and two transforms for each dim.
// Example: neutrino_start(c, 0.1 * delta, 0.1, k => 0.98).mom
fn neutrino_start(c, delta, a, rate, kernel = "fd4", laplacian = "exact", over = directions(delta)) {
  let g = growth(c, a)
  let s = lpt_to_second_order(c, 1 / g.D1 * delta, a, kernel = kernel, laplacian = laplacian, over = over)
  s with {mom = for d in over => {
    let pk = fft(s.mom[d], over = over)
    ifft(map k in pk => rescaled(k, q => rate(q) / g.f1) * pk)
  }}
}

// The overdensity of all matter, (1 − f + f R(k, a)) δ_cb.
// - delta: overdensity of cb, a real periodic field
// - a: scale factor
// - fraction: number, f
// - ratio: function (k, a) => R
// - over: dims along which the field extends; the other dims count a batch
// Value: field like delta.
// Cost: two transforms.
// Example: with_neutrinos(delta, 1, f, ratio)
fn with_neutrinos(delta, a, fraction, ratio, over = directions(delta)) {
  let dk = fft(delta, over = over)
  let mu = neutrino_strength(fraction, ratio)
  ifft(map k in dk => rescaled(k, q => mu(q, a)) * dk)
}
