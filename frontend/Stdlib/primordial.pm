// Local primordial non-Gaussianity, and the scale-dependent bias that follows from it.
//
// The primordial potential Φ is Bardeen's potential in matter domination, which is minus the
// Newtonian one. It is positive in overdense regions. f_nl and g_nl are those of this potential, as
// for the CMB.
//
// Setup: use cosmology, power, fields
//   dim x = 16, y = 16, z = 16 over 1000 Mpc/h
//   let c = flat_lcdm()
//   let T = eisenstein_hu_transfer(c)
//   let delta = 0.1 * white_noise[x, y, z](1)

use math, cosmology, fields

// The function α(k) = 2 k² T(k) D/(3 omega_m) (c/H₀)²: the ratio of the linear overdensity at a = 1
// to the primordial potential. D is the growth to a = 1, normalized to a in matter domination.
// - c: cosmology
// - T: transfer function of k in h/Mpc without unit, 1 for small k, such as
//   `eisenstein_hu_transfer(c)`
// Value: function k => α(k); k is in 1/length, α has no unit.
// Example: potential_to_overdensity(c, T)(0.01 h/Mpc)
fn potential_to_overdensity(c, T) {
  let D = raw_growth(c, 1).D1
  k => 2 * (k * 2997.92458 Mpc/h)^2 * T(number(k, 1 h/Mpc)) * D / (3 * c.omega_m)
}

// The linear overdensity at a = 1 with local non-Gaussianity, α Φ with Φ = φ + f_nl (φ² − ⟨φ²⟩) +
// g_nl (φ³ − 3⟨φ²⟩φ), from the Gaussian linear overdensity δ = α φ.
// - c: cosmology
// - T: transfer function of k in h/Mpc without unit, 1 for small k, such as
//   `eisenstein_hu_transfer(c)`
// - delta: Gaussian linear overdensity at a = 1, a real periodic field
// - f_nl, g_nl: numbers
// - over: dims along which the field extends; the other dims count a batch
// Value: field like delta.
// Source: Komatsu & Spergel (2001); Okamoto & Hu (2002)
// Cost: four transforms.
// Example: local_non_gaussianity(c, T, delta, f_nl = 50)
fn local_non_gaussianity(c, T, delta, f_nl = 0, g_nl = 0, over = directions(delta)) {
  let phi = primordial_potential(c, T, delta, over)
  let alpha = potential_to_overdensity(c, T)
  let square = phi^2
  let variance = mean(square, over = over)
  let more = fft(f_nl * (square - variance) + g_nl * (square - 3 * variance) * phi, over = over)
  delta + ifft(map k in more => at_modes(k, alpha) * more)
}

// The primordial potential φ = δ/α of a linear overdensity, with mean 0.
// - c: cosmology
// - T: transfer function of k in h/Mpc without unit, 1 for small k, such as
//   `eisenstein_hu_transfer(c)`
// - delta: linear overdensity at a = 1, a real periodic field
// - over: dims along which the field extends; the other dims count a batch
// Value: field like delta, without unit.
// Cost: two transforms.
// Example: primordial_potential(c, T, delta)
fn primordial_potential(c, T, delta, over = directions(delta)) {
  let alpha = potential_to_overdensity(c, T)
  let dk = fft(delta, over = over)
  ifft(map k in dk => if norm2(wave(k)) == 0 then 0 else dk / at_modes(k, alpha))
}

// f of the wave number of a mode, and 0 for the mean.
// - k: the variable of a map over the modes of a transform
// - f: function of a wave number in 1/length, such as `potential_to_overdensity(c, T)`
// Value: number in the unit of f.
// Example: map k in fft(delta) => at_modes(k, potential_to_overdensity(c, T))
fn at_modes(k, f) {
  let k2 = norm2(wave(k))
  let lowest = norm2(for d in directions(k) => 2 pi / length(d))
  if k2 == 0 then 0 * f(sqrt(lowest)) else f(sqrt(k2))
}

// The bias of tracers on large scales, b1 + f_nl b_φ/(α(k) D1(a)) with b_φ = 2 delta_c (b1 − p),
// where D1 is 1 at a = 1.
// - c: cosmology
// - T: transfer function of k in h/Mpc without unit, 1 for small k, such as
//   `eisenstein_hu_transfer(c)`
// - b1: number, the linear Eulerian bias
// - f_nl: number
// - a: scale factor
// - p: number, 1 for tracers that are selected by mass, 1.6 for recent mergers
// - delta_c: number, the linear overdensity of collapse
// Value: function k => bias; k is in 1/length.
// Source: Dalal et al. (2008); Slosar et al. (2008)
// Example: scale_dependent_bias(c, T, b1 = 2, f_nl = 50)(0.005 h/Mpc)
fn scale_dependent_bias(c, T, b1, f_nl, a = 1, p = 1, delta_c = 1.686) {
  let alpha = potential_to_overdensity(c, T)
  let D = growth(c, a).D1
  k => b1 + f_nl * 2 * delta_c * (b1 - p) / (alpha(k) * D)
}
