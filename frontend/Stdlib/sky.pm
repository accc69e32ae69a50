// Maps of the flat sky: shear and convergence, power spectra, aperture mass, peaks.
//
// A map is a field over two dims whose lengths are angles in radians. Its wave vectors are multipoles l. What uses Fourier
// transforms takes maps as periodic: leave out the margins of one that is not, or give it a weight that falls to 0 there.
// kappa and gamma are derivatives of the lensing potential psi: kappa = (psi_11 + psi_22)/2, gamma1 = (psi_11 - psi_22)/2,
// gamma2 = psi_12.

use math, fields

// ---- convergence and shear (Kaiser & Squires 1993) ----

// In a map: gamma over kappa, ((l1^2 - l2^2)/l^2, 2 l1 l2/l^2); 0 for l = 0.
fn shear_kernel(k) {
  let (p, q) = directions(k)
  let inverse = inverse_laplacian_kernel(k)
  ((k[p]^2 - k[q]^2) * inverse, 2 * gradient_kernel(k, p) * gradient_kernel(k, q) * inverse)
}

// (gamma1, gamma2) of a convergence.
fn shear_from_convergence(kappa, over = directions(kappa)) {
  let fk = fft(kappa, over = over)
  for i in 0 .. 2 => ifft(map k in fk => shear_kernel(k)[i] * fk)
}

// (E, B): the convergence that the shear belongs to, and that of the shear turned by 45 degrees, which lensing does not make.
// Both have mean 0.
fn kaiser_squires(gamma1, gamma2, over = directions(gamma1)) {
  let g = fft(gamma1, over = over)
  let h = fft(gamma2, over = over)
  (ifft(map k in g => shear_kernel(k)[0] * g + shear_kernel(k)[1] * h),
   ifft(map k in g => shear_kernel(k)[0] * h - shear_kernel(k)[1] * g))
}

// ---- power spectra ----

// (mean l, C(l), number of modes) in `count` bins of l, equally wide from `from` on; C = area <|f_l|^2> over the full plane of
// modes. weight: a map of weights, 0 where nothing is known: then of weight (f - mean), over the mean of weight^2, which is
// right for l large against one over the sizes in which the weight changes. Bins without modes are 0.
fn angular_spectrum(f, from, width, count: int, weight = 1) = angular_cross(f, f, from, width, count, weight)

// The same of two maps: C = area <Re a_l conj(b_l)>.
fn angular_cross(a, b, from, width, count: int, weight = 1) {
  let w = map q in flat_map(a) => weight
  let ak = fft(w * (a - sum(w * a) / sum(w)))
  let bk = fft(w * (b - sum(w * b) / sum(w)))
  let area = product(for d in dims(a) => length(d)) / mean(w^2)
  let (l, c, modes) = bins k in ak into count by bin_of(sqrt(norm2(k)), from, width) =>
    (sqrt(norm2(k)), real(ak * conj(bk)), 1)
  let n = max(modes, 1)
  (l / n, area * c / n, modes)
}

// f, which is one map and no batch of them.
fn flat_map(f) =
  if total(for d in dims(f) => 1) == 2 and total(for d in directions(f) => 1) == 2 then f
  else error("a map of the sky is over two dims with lengths; of a batch of maps take one: slice(f, c = i)")

// C(l), a function that takes a field of multipoles, as angular_spectrum would see it: the mean over each of its bins with weight l, as
// modes are distributed, at cells(t) multipoles that are equally spaced over all
// bins: several times as many as bins.
fn band_means[t](C, from, width, count: int) {
  let l = map i in [t] => from + (index(i, t) + 0.5) * (width * count / cells(t))
  let c = C(l)
  let (sum, weight) = bins i in l into count by bin_of(l, from, width) => (l * c, l)
  sum / weight
}

// ---- aperture mass and peaks ----

// The convergence folded with U(t) = (1 - t^2/(2 R^2)) exp(-t^2/(2 R^2))/(2 pi R^2), which is blind to its mean (Crittenden et
// al. 2002; van Waerbeke 1998): in Fourier space (l R)^2/2 exp(-(l R)^2/2). R: radius in radians.
fn aperture_mass(kappa, R, over = directions(kappa)) {
  let fk = fft(kappa, over = over)
  ifft(map k in fk => 0.5 * norm2(wave(k)) * R^2 * exp(-0.5 * norm2(wave(k)) * R^2) * fk)
}

// 1 at the pixels of a map that are higher than all their eight neighbors, over the edges too, else 0.
fn peaks(f) {
  let (u, v) = directions(f)
  fn beside(i, j) = f[u + i, v + j]
  let highest = max(max(max(beside(-1, -1), beside(-1, 0)), max(beside(-1, 1), beside(0, -1))),
                    max(max(beside(0, 1), beside(1, -1)), max(beside(1, 0), beside(1, 1))))
  map q in f => if f > highest then 1 else 0
}

// The number of peaks by height, in `count` bins that are equally wide from `from` on. It has no derivative by f.
fn peak_counts(f, from, width, count: int) {
  let peak = peaks(f)
  bins q in f into count by bin_of(f, from, width) => peak
}

// The number of pixels by value, likewise: the one-point distribution. Unlike numpy.histogram's, the last bin does not contain its end.
fn histogram(f, from, width, count: int) =
  bins q in f into count by bin_of(f, from, width) => 1
