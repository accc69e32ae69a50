// Tracers of the matter, such as galaxies: Lagrangian bias that particles carry with them, and
// log-normal mocks.
//
// Setup: use cosmology, power, fields, lpt
//   dim x = 16, y = 16, z = 16 over 200 Mpc/h
//   let c = flat_lcdm()
//   let P = spectrum(eisenstein_hu(c, points = 64, panels = 8))
//   let delta = gaussian_field[x, y, z](P, 1)
//   let s = lpt(c, delta, a = 0.6)
//   let b = bias_fields(delta, 12 Mpc/h)

use math, fields, particles, spectra

// ---- Lagrangian bias ----

// The fields of second-order Lagrangian bias at each lattice site, from a linear overdensity that
// is first smoothed with a Gaussian.
//
// The overdensity belongs to the scale factor to which the bias belongs. With the linear
// overdensity at a = 1, a bias with respect to δ at a is that of `bias_fields(growth(c, a).D1 *
// delta, R)`.
// - delta: linear overdensity, a real periodic field over the lattice of the particles
// - R: number in the unit of length, the standard deviation of the Gaussian
// - over: dims along which the field extends; the other dims count a batch
// Value: record `{delta, square, shear, curvature}` of fields like delta. delta is the smoothed
//   overdensity δ. square is δ² − ⟨δ²⟩. shear is s² − ⟨s²⟩ with s² = Σ s_ij² and s_ij = (∂_i ∂_j
//   ∇⁻² − δ_ij/n) δ for n dims. curvature is ∇²δ, in 1/length².
// Source: Modi, Chen & White (2020)
// Cost: nine transforms in three dims.
// Example: bias_fields(delta, R = 6 Mpc/h).shear
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

// k_a k_b of a mode. If a and b differ, it is 0 at the Nyquist frequency of a or b.
// - k: the variable of a map over the modes of a transform
// - a, b: transformed dims
// Value: number in 1/length².
// Example: map k in fft(delta) => second_derivative_kernel(k, x, y)
fn second_derivative_kernel(k, a, b) =
  if a == b then k[a]^2 else gradient_kernel(k, a, "exact") * gradient_kernel(k, b, "exact")

// The Lagrangian overdensity of tracers at each lattice site: b1 δ + b2/2 (δ² − ⟨δ²⟩) + bs (s² −
// ⟨s²⟩) + bk ∇²δ.
// - b: record of `bias_fields`
// - b1, b2, bs: numbers
// - bk: number in length²
// Value: field like the fields of b, without unit.
// Source: Modi, Chen & White (2020)
// Example: lagrangian_bias(b, b1 = 0.8, b2 = 0.3, bs = -0.1)
fn lagrangian_bias(b, b1 = 0, b2 = 0, bs = 0, bk = 0 (Mpc/h)^2) =
  b1 * b.delta + 0.5 * b2 * b.square + bs * b.shear + bk * b.curvature

// The overdensity of tracers on a mesh. Each particle has the weight 1 + bias of its lattice site.
// - s: particles, a record with the member `disp`
// - bias: number, or field over the lattice of the particles, as of `lagrangian_bias`
// - boost: int, mesh cells per particle along each side
// - window: window of the paint, `"ngp"`, `"cic"`, `"tsc"` or `"pcs"`
// Value: field over `refine(lattice, boost)`.
// Cost: one paint.
// Example: tracer_overdensity(s, lagrangian_bias(b, b1 = 0.8))
fn tracer_overdensity(s, bias, boost: int = 1, window = "cic") {
  let lattice = dims(s.disp)
  boost^total(for d in lattice => 1) *
    paint[refine(lattice, boost)](s.disp, window = window, weight = 1 + bias) - 1
}

// The overdensity of particles, and the fields of Lagrangian bias at their places. The overdensity
// of tracers is the sum of the five fields with the coefficients 1, b1, b2/2, bs and bk.
// - s: particles, a record with the member `disp`
// - b: record of `bias_fields`
// - boost: int, mesh cells per particle along each side
// - window: window of the paint, `"ngp"`, `"cic"`, `"tsc"` or `"pcs"`
// Value: vector of five fields without unit over `refine(lattice, boost)`: the matter, δ, δ² −
//   ⟨δ²⟩, s² − ⟨s²⟩ and ∇²δ. The last one is multiplied by the unit of area of the lattice, 1
//   (Mpc/h)² for lengths in Mpc/h.
// Source: Modi, Chen & White (2020)
// Cost: one paint of five fields.
// Example: advected_fields(s, b)[1]
fn advected_fields(s, b, boost: int = 1, window = "cic") {
  let lattice = dims(s.disp)
  let cells = boost^total(for d in lattice => 1)
  let area = unit_of(spacing(lattice[0]))^2
  let painted = paint[refine(lattice, boost)](s.disp, window = window,
                                              weight = (1, b.delta, b.square, b.shear, b.curvature * area))
  for i in 0 .. 5 => if i == 0 then cells * painted[i] - 1 else cells * painted[i]
}

// The cross spectra P_ij of all pairs i ≤ j of a vector of fields, in the shells of `spectra`.
// Their order is row by row: 00, 01, …, 11, 12, ….
//
// With the coefficients c_i of `advected_fields`, the power spectrum of tracers is Σ_{i≤j} (2 −
// δ_ij) c_i c_j P_ij.
// - parts: vector of n real fields over the same dims with lengths, such as those of
//   `advected_fields`
// - compensate: `"none"`, or the window of the paint, which is divided out: `"ngp"`, `"cic"`,
//   `"tsc"` or `"pcs"`
// Value: tuple (mean k, P, number of modes). P is a vector with a field over the shells for each of
//   the n (n + 1)/2 pairs.
// Source: Modi, Chen & White (2020)
// Cost: one transform for each field.
// Example: basis_spectra((delta, delta^2), compensate = "cic")
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

// The log-normal overdensity with the spectrum P that is made from given white noise, as
// `lognormal_field`.
// - w: real field, unit white noise
// - P: function k => P(k); k is in 1/length, P in length to the power of the number of dims
// - over: dims along which the field extends; the other dims count a batch
// Value: field like w.
// Source: Coles & Jones (1991); Agrawal et al. (2017)
// Cost: four transforms.
// Example: lognormal_colour(white_noise[x, y, z](1), P)
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

// A log-normal overdensity exp(G − ⟨G²⟩/2) − 1 with the spectrum P, the mean 0 and all values above
// −1. G is a Gaussian field with the correlation function log(1 + ξ), where ξ is that of P on the
// mesh.
//
// Modes at which the spectrum of G would be negative are 0.
// - P: function k => P(k); k is in 1/length, P in length to the power of the number of dims
// - seed: u64
// - over: dims of D along which the field extends; the other dims count a batch
// Value: real field over the dims in brackets, without unit.
// Source: Coles & Jones (1991); Agrawal et al. (2017)
// Cost: four transforms.
// Example: lognormal_field[x, y, z](P, 1)
fn lognormal_field[D](P, seed: u64, over = directions(D)) = lognormal_colour(white_noise[D](seed), P, over)
