// Maps of the flat sky: shear and convergence, angular spectra, aperture mass, peaks and
// histograms.
//
// A map is a field over two dims whose lengths are angles in radians. Its wave vectors are
// multipoles ℓ. Functions that use Fourier transforms treat a map as periodic: leave out the
// margins of a map that is not, or give it a weight that falls to 0 there. Convergence and shear
// are derivatives of the lensing potential ψ: κ = ½(ψ₁₁ + ψ₂₂), γ₁ = ½(ψ₁₁ − ψ₂₂) and γ₂ = ψ₁₂.
//
// Setup: dim u = 32, v = 32 over 5 deg
//   dim fine = 40
//   let kappa = 0.02 * white_noise[u, v](1)
//
// Internal: flat_map

use math, fields

// ---- convergence and shear (Kaiser & Squires 1993) ----

// The ratio γ/κ of a mode: ((ℓ₁² − ℓ₂²)/ℓ², 2 ℓ₁ ℓ₂/ℓ²), and 0 for ℓ = 0.
// - k: the variable of a map over the modes of a transform
// Value: tuple of two numbers.
// Source: Kaiser & Squires (1993)
// Example: map k in fft(kappa) => shear_kernel(k)[0]
fn shear_kernel(k) {
  let (p, q) = directions(k)
  let inverse = inverse_laplacian_kernel(k)
  ((k[p]^2 - k[q]^2) * inverse, 2 * gradient_kernel(k, p) * gradient_kernel(k, q) * inverse)
}

// The shear (γ₁, γ₂) of a convergence.
// - kappa: real field over two dims, periodic
// - over: the two dims of the map; the other dims count a batch
// Value: vector of two fields like kappa.
// Source: Kaiser & Squires (1993)
// Cost: three transforms.
// Example: shear_from_convergence(kappa)
fn shear_from_convergence(kappa, over = directions(kappa)) {
  let fk = fft(kappa, over = over)
  for i in 0 .. 2 => ifft(map k in fk => shear_kernel(k)[i] * fk)
}

// The convergence E of a shear, and the convergence B of the shear rotated by 45°, which lensing
// does not make. Both have mean 0.
// - gamma1, gamma2: real fields over two dims, periodic
// - over: the two dims of the map; the other dims count a batch
// Value: tuple (E, B) of fields like gamma1.
// Source: Kaiser & Squires (1993)
// Cost: four transforms.
// Example: kaiser_squires(kappa, kappa)[0]
fn kaiser_squires(gamma1, gamma2, over = directions(gamma1)) {
  let g = fft(gamma1, over = over)
  let h = fft(gamma2, over = over)
  (ifft(map k in g => shear_kernel(k)[0] * g + shear_kernel(k)[1] * h),
   ifft(map k in g => shear_kernel(k)[0] * h - shear_kernel(k)[1] * g))
}

// ---- power spectra ----

// The angular spectrum C(ℓ) = area ⟨|f_ℓ|²⟩ in bins of ℓ, over the full plane of modes. The mode ℓ =
// 0 does not count.
//
// With a weight, it is the spectrum of weight · (f − mean), divided by the mean of weight². This
// is valid for ℓ that are large compared with 1/(the angle in which the weight changes).
// - f: real field over two dims with lengths, periodic; any unit
// - from: number, ℓ at the beginning of the first bin
// - width: number, the width of a bin in ℓ
// - count: int, the number of bins
// - weight: number, or map of weights for masks and edges
// Value: tuple (mean ℓ, C, number of modes) of fields over the bins. Bins without modes are 0.
// Cost: one transform.
// Example: angular_spectrum(kappa, from = 50, width = 100, count = 8)
fn angular_spectrum(f, from, width, count: int, weight = 1) = angular_cross(f, f, from, width, count, weight)

// The angular cross spectrum C(ℓ) = area ⟨Re a_ℓ b_ℓ*⟩ in bins of ℓ, as `angular_spectrum`.
// - a, b: real fields over the same two dims with lengths, periodic
// - from: number, ℓ at the beginning of the first bin
// - width: number, the width of a bin in ℓ
// - count: int, the number of bins
// - weight: number, or map of weights for masks and edges
// Value: tuple (mean ℓ, C, number of modes) of fields over the bins. Bins without modes are 0.
// Cost: two transforms.
// Example: angular_cross(kappa, 2 kappa, from = 50, width = 100, count = 8)
fn angular_cross(a, b, from, width, count: int, weight = 1) {
  let w = map q in flat_map(a) => weight
  let ak = fft(w * (a - sum(w * a) / sum(w)))
  let bk = fft(w * (b - sum(w * b) / sum(w)))
  let area = product(for d in dims(a) => length(d)) / mean(w^2)
  let (l, c, modes) = bins k in ak into count by bin_of(sqrt(norm2(k)), from, width) => {
    let one = if norm2(k) == 0 then 0 else 1
    (sqrt(norm2(k)), one * real(ak * conj(bk)), one)
  }
  let n = max(modes, 1)
  (l / n, area * c / n, modes)
}

// f, which is one map and no batch of them.
fn flat_map(f) =
  if total(for d in dims(f) => 1) == 2 and total(for d in directions(f) => 1) == 2 then f
  else error("a map of the sky is over two dims with lengths; of a batch of maps take one: slice(f, c = i)")

// The means of a predicted spectrum over the bins of `angular_spectrum`, with weight ℓ, as modes
// are distributed. The prediction is evaluated at cells(t) equally spaced ℓ, for the dim t in
// brackets: use several times as many as bins.
// - C: function of a field of ℓ
// - from: number, ℓ at the beginning of the first bin
// - width: number, the width of a bin in ℓ
// - count: int, the number of bins
// Value: field over the bins.
// Example: band_means[fine](l => 1 / l, from = 50, width = 100, count = 8)
fn band_means[t](C, from, width, count: int) {
  let l = map i in [t] => from + (index(i, t) + 0.5) * (width * count / cells(t))
  let c = C(l)
  let (sum, weight) = bins i in l into count by bin_of(l, from, width) => (l * c, l)
  sum / weight
}

// ---- aperture mass and peaks ----

// The convergence, convolved with the filter (1 − t²/2R²) exp(−t²/2R²)/(2πR²) of the angle t, to
// which the mean does not contribute. In Fourier space it is (ℓR)²/2 exp(−(ℓR)²/2).
// - kappa: real field over two dims, periodic
// - R: number in radians, the radius of the filter
// - over: the two dims of the map; the other dims count a batch
// Value: field like kappa.
// Source: Crittenden et al. (2002); van Waerbeke (1998)
// Cost: two transforms.
// Example: aperture_mass(kappa, 0.3 deg)
fn aperture_mass(kappa, R, over = directions(kappa)) {
  let fk = fft(kappa, over = over)
  ifft(map k in fk => 0.5 * norm2(wave(k)) * R^2 * exp(-0.5 * norm2(wave(k)) * R^2) * fk)
}

// 1 at the pixels that are above their eight neighbors, else 0.
// - f: real field over two dims, periodic
// Value: field like f, without unit.
// Example: sum(peaks(kappa))
fn peaks(f) {
  let (u, v) = directions(f)
  fn beside(i, j) = f[u + i, v + j]
  let highest = max(max(max(beside(-1, -1), beside(-1, 0)), max(beside(-1, 1), beside(0, -1))),
                    max(max(beside(0, 1), beside(1, -1)), max(beside(1, 0), beside(1, 1))))
  map q in f => if f > highest then 1 else 0
}

// The number of peaks in bins of height. Bin i has from + i · width ≤ f < from + (i + 1) · width.
// It has no derivative with respect to f.
// - f: real field over two dims, periodic
// - from: number in the unit of f, the beginning of the first bin
// - width: number in the unit of f
// - count: int, the number of bins
// Value: field over the bins.
// Example: peak_counts(kappa, from = 0, width = 0.01, count = 10)
fn peak_counts(f, from, width, count: int) {
  let peak = peaks(f)
  bins q in f into count by bin_of(f, from, width) => peak
}

// The number of pixels in bins of value, as `peak_counts`. Unlike with `numpy.histogram`, the last
// bin does not contain its upper end. It has no derivative with respect to f.
// - f: real field
// - from: number in the unit of f, the beginning of the first bin
// - width: number in the unit of f
// - count: int, the number of bins
// Value: field over the bins.
// Example: histogram(kappa, from = -0.1, width = 0.02, count = 10)
fn histogram(f, from, width, count: int) =
  bins q in f into count by bin_of(f, from, width) => 1
