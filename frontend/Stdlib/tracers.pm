// Tracers of the matter: Lagrangian bias, advected by particles, and log-normal mocks.

use math, fields, particles, spectra

// ---- Lagrangian bias ----

// The fields of second-order Lagrangian bias at each lattice site, from the linear overdensity `delta` (Modi, Chen & White
// 2020), which is first smoothed with a Gaussian of standard deviation R:
//
//   delta       the smoothed overdensity
//   square      delta^2 - <delta^2>
//   shear       s^2 - <s^2>, s^2 = sum_ij s_ij^2, s_ij = (d_i d_j laplacian^-1 - delta_ij/3) delta
//   curvature   laplacian delta, in 1/length^2
fn bias_fields(delta, R, over = directions(delta)) {
  let dk = fft(delta, over = over)
  let wk = map k in dk => exp(-norm2(wave(k)) * R^2 / 2) * dk
  let smoothed = ifft(wk)
  let n = total(for d in over => 1)
  // Sums of squares of second derivatives, of which only one is in memory at a time.
  let squares = total(for i in 0 .. n => total(for j in i .. n => {
    let (a, b) = (over[i], over[j])
    let phi = ifft(map k in wk => second_derivative_kernel(k, a, b) * inverse_laplacian_kernel(k) * wk)
    (if i == j then 1 else 2) * phi^2
  }))
  let square = smoothed^2
  let shear = squares - (smoothed - mean(smoothed, over = over))^2 / n
  {delta = smoothed, square = square - mean(square, over = over), shear = shear - mean(shear, over = over)
   curvature = ifft(map k in wk => -norm2(wave(k)) * wk)}
}

// In a map: k_a k_b, but 0 where either is at the Nyquist frequency of its dim and a and b differ.
fn second_derivative_kernel(k, a, b) =
  if a == b then k[a]^2 else gradient_kernel(k, a, "exact") * gradient_kernel(k, b, "exact")

// The Lagrangian overdensity of tracers at each site: b1 delta + b2/2 (delta^2 - <delta^2>) + bs (s^2 - <s^2>)
// + bk laplacian delta. bk is in length^2.
fn lagrangian_bias(b, b1 = 0, b2 = 0, bs = 0, bk = 0 (Mpc/h)^2) =
  b1 * b.delta + 0.5 * b2 * b.square + bs * b.shear + bk * b.curvature

// The overdensity of tracers at the places of the particles s: each carries the weight 1 + `bias` of its site.
fn tracer_overdensity(s, bias, boost: int = 1, window = "cic") {
  let lattice = dims(s.disp)
  boost^total(for d in lattice => 1) *
    paint[refine(lattice, boost)](s.disp, window = window, weight = 1 + bias) - 1
}

// The overdensity of the particles s and the fields of bias at their places: a vector of five fields, of the matter and of
// delta, square, shear and curvature of `bias_fields`; curvature times the unit of area of the lattice's spacing. The overdensity of
// tracers is their sum with the coefficients 1, b1, b2/2, bs and bk.
fn advected_fields(s, b, boost: int = 1, window = "cic") {
  let lattice = dims(s.disp)
  let cells = boost^total(for d in lattice => 1)
  let area = unit_of(spacing(lattice[0]))^2
  let painted = paint[refine(lattice, boost)](s.disp, window = window,
                                              weight = (1, b.delta, b.square, b.shear, b.curvature * area))
  for i in 0 .. 5 => if i == 0 then cells * painted[i] - 1 else cells * painted[i]
}

// (mean k, P_ij, number of modes) of a vector of n fields: P_ij is a vector of the n (n + 1)/2 cross spectra of pairs
// i <= j, row by row: 00, 01, ..., 11, 12, ...
fn basis_spectra(parts, compensate = "none") {
  let n = total(for f in parts => 1)
  let transforms = for f in parts => fft(single(f))
  fn row_of(m) = total(for i in 1 .. n => if m >= i * n - div(i * (i - 1), 2) then 1 else 0)
  let (k, _, modes) = shells(transforms[0], transforms[0], compensate)
  (k, for m in 0 .. div(n * (n + 1), 2) => {
    let i = row_of(m)
    let j = m - i * n + div(i * (i - 1), 2) + i
    shells(transforms[i], transforms[j], compensate)[1]
  }, modes)
}

// ---- log-normal mocks ----

// A log-normal overdensity with the spectrum P and mean 0, above -1: exp(G - <G^2>/2) - 1, where G is Gaussian with the
// correlation function log(1 + xi), made of unit white noise w (Coles & Jones 1991; Agrawal et al. 2017). xi is that of P on the
// mesh. Modes at which the transform of log(1 + xi) is negative are 0.
fn lognormal_colour(w, P, over = directions(w)) {
  let wk = fft(w, over = over)
  let L3 = product(for d in over => length(d))
  let xi = ifft(map k in wk => {
    let k2 = norm2(wave(k))
    let safe = if k2 == 0 then norm2(for d in over => 1 / length(d)) else k2
    0 * wk + (if k2 == 0 then 0 else P(sqrt(safe)) / L3)
  })
  let gk = fft(log(1 + xi), over = over)
  let n3 = product(for d in over => cells(d))
  let G = ifft(map k in gk => if norm2(wave(k)) == 0 then 0 else sqrt(n3 * max(real(gk), 0)) * wk)
  let variance = sum(map k in gk => if norm2(wave(k)) == 0 then 0 else max(real(gk), 0), over = over)
  exp(G - variance / 2) - 1
}
fn lognormal_field[D](P, seed: u64, over = directions(D)) = lognormal_colour(white_noise[D](seed), P, over)
