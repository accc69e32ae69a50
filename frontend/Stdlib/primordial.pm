// Local primordial non-Gaussianity, and the scale-dependent bias that it makes.

use math, cosmology, fields

// alpha(k) = 2 k^2 T(k) D/(3 omega_m) (c/H0)^2: the linear overdensity at a = 1 over the primordial potential Phi. D is the
// growth to a = 1, normalized to a in matter domination; T is a transfer function of k in h/Mpc, 1 for small k. Phi is Bardeen's
// potential in matter domination, minus the Newtonian one. A function of k, in 1/length.
fn potential_to_overdensity(c, T) {
  let D = raw_growth(c, 1).D1
  k => 2 * (k * 2997.92458 Mpc/h)^2 * T(number(k, 1 h/Mpc)) * D / (3 * c.omega_m)
}

// The linear overdensity at a = 1 with local non-Gaussianity, from the Gaussian one `delta`:
//
//   Phi = phi + f_nl (phi^2 - <phi^2>) + g_nl (phi^3 - 3 <phi^2> phi),  phi = delta/alpha
//
// (Komatsu & Spergel 2001; Okamoto & Hu 2002). f_nl and g_nl are those of the potential in matter domination, as for the
// CMB. T: see potential_to_overdensity.
fn local_non_gaussianity(c, T, delta, f_nl = 0, g_nl = 0, over = directions(delta)) {
  let phi = primordial_potential(c, T, delta, over)
  let alpha = potential_to_overdensity(c, T)
  let square = phi^2
  let variance = mean(square, over = over)
  let more = fft(f_nl * (square - variance) + g_nl * (square - 3 * variance) * phi, over = over)
  delta + ifft(map k in more => at_modes(k, alpha) * more)
}

// phi = delta/alpha, of mean 0.
fn primordial_potential(c, T, delta, over = directions(delta)) {
  let alpha = potential_to_overdensity(c, T)
  let dk = fft(delta, over = over)
  ifft(map k in dk => if norm2(wave(k)) == 0 then 0 else dk / at_modes(k, alpha))
}

// In a map: f of the wave number; of the lowest one for the mean, which is multiplied by 0.
fn at_modes(k, f) {
  let k2 = norm2(wave(k))
  let lowest = norm2(for d in directions(k) => 2 pi / length(d))
  if k2 == 0 then 0 * f(sqrt(lowest)) else f(sqrt(k2))
}

// The bias of tracers on large scales, k -> b1 + f_nl b_phi/(alpha(k) D(a)/D(1)), with b_phi = 2 delta_c (b1 - p) of the linear
// Eulerian bias b1 (Dalal et al. 2008; Slosar et al. 2008). p = 1 for halos of a given mass, 1.6 after mergers.
fn scale_dependent_bias(c, T, b1, f_nl, a = 1, p = 1, delta_c = 1.686) {
  let alpha = potential_to_overdensity(c, T)
  let D = growth(c, a).D1
  k => b1 + f_nl * 2 * delta_c * (b1 - p) / (alpha(k) * D)
}
