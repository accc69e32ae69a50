// Power spectra, multipoles, correlation functions and bispectra of fields in a periodic box, and
// marked fields.
//
// L is the length of the first dim and n its number of cells. Shell m contains the modes with m ≤ k
// L/2π < m + 1. In a cubic box, k L/2π is the length of the vector of integer wave numbers, so that
// the shells are exact. There are ⌊n/2⌋ shells, all below the Nyquist frequency of the first dim.
// If the cells are longer along another dim, the outer shells have only the modes of the grid.
// Shell 0 is empty in a cubic box: the mean of a field does not count. V is the volume, the product
// of the lengths. Means ⟨⟩ of modes are over the full sphere, f_k = 1/N Σ f(x) exp(−i k x).
//
// Setup: dim x = 16, y = 16, z = 16 over 100 Mpc/h
//   let f = white_noise[x, y, z](1)
//   let g = white_noise[x, y, z](2)
//   let fk = fft(f)
//
// Internal: single shells

use math, fields

// f, which is one field and no batch of them.
fn single(f) =
  if total(for d in dims(f) => 1) == total(for d in directions(f) => 1) then f
  else error("a spectrum is of one field, but this one has dims that count a batch; take one: slice(f, c = i)")

// The power spectrum P(k) = V⟨|f_k|²⟩ of each shell of modes.
// - f: real field over dims with lengths, periodic; any unit
// - compensate: `"none"`, or the window of a painted field, which is divided out: `"ngp"`, `"cic"`,
//   `"tsc"` or `"pcs"`; shot noise stays
// Value: tuple (mean k, P, number of modes) of fields over the shells; k in 1/length, P in the unit
//   of f squared times the volume. A field with a batch is an error.
// Cost: one transform.
// Example: power_spectrum(f)
fn power_spectrum(f, compensate = "none") {
  let fk = fft(single(f))
  shells(fk, fk, compensate)
}

// The cross spectrum P(k) = V⟨Re a_k b_k*⟩ of each shell of modes.
// - a, b: real fields over the same dims with lengths, periodic; any unit
// - compensate: `"none"`, or the window of a painted field, which is divided out: `"ngp"`, `"cic"`,
//   `"tsc"` or `"pcs"`; shot noise stays
// Value: tuple (mean k, P, number of modes) of fields over the shells, as `power_spectrum`.
// Cost: two transforms.
// Example: cross_spectrum(f, g)
fn cross_spectrum(a, b, compensate = "none") = shells(fft(single(a)), fft(single(b)), compensate)

fn shells(ak, bk, compensate) {
  let x = if cells(dims(ak)[0]) > 1 then dims(ak)[0]
          else error("a spectrum has half as many shells as its field has cells along its first dim, and this one has 1 cell there")
  let volume = product(for d in dims(ak) => length(d))
  let (k_sum, p_sum, modes) =
    bins k in ak into floor(cells(x) / 2) by shell_number(k) => {
      let one = if norm2(k) == 0 then 0 else 1
      let w = if compensate == "none" then 1 else window_kernel(k, compensate)
      (sqrt(norm2(k)), one * real(ak * conj(bk)) / w^2, one)
    }
  let n = max(modes, 1)
  (k_sum / n, volume * p_sum / n, modes)
}

// k L/2π of a mode. Its integer part is the index of the shell.
// - k: the variable of a map over the modes of a transform
// Value: number.
// Example: map k in fk => shell_number(k)
fn shell_number(k) {
  let x = dims(k)[0]
  sqrt(total(for d in dims(k) => (index(k, d) * (length(x) / length(d)))^2))
}

// The transfer function √(P_b/P_a) of each shell: the amplitude of b relative to a.
// - a, b: real fields over the same dims with lengths, periodic; any unit
// Value: tuple (mean k, √(P_b/P_a)) of fields over the shells. The ratio is 0 where P_a is 0.
// Cost: two transforms.
// Example: transfer_function(f, g)
fn transfer_function(a, b) {
  let (k, pa, modes) = power_spectrum(a)
  let (kb, pb, modes_b) = power_spectrum(b)
  (k, map m in pa => if pa > 0 then sqrt(pb / pa) else 0)
}

// The correlation coefficient P_ab/√(P_a P_b) of each shell: 1 for fields in phase.
// - a, b: real fields over the same dims with lengths, periodic; any unit
// Value: tuple (mean k, coefficient) of fields over the shells. The coefficient is 0 where P_a or
//   P_b is 0.
// Cost: two transforms.
// Example: correlation(f, g)
fn correlation(a, b) {
  let ak = fft(single(a))
  let bk = fft(single(b))
  let (k, pa, modes) = shells(ak, ak, "none")
  let (kb, pb, modes_b) = shells(bk, bk, "none")
  let (kab, pab, modes_ab) = shells(ak, bk, "none")
  (k, map m in pa => if pa * pb > 0 then pab / sqrt(pa * pb) else 0)
}

// ---- multipoles and correlation functions ----

// The multipoles P_ℓ(k) = (2ℓ + 1) V⟨|f_k|² L_ℓ(μ)⟩ of each shell. L_ℓ is a Legendre polynomial and
// μ = k_axis/k: the line of sight is the direction of a dim everywhere.
// - f: real field over dims with lengths, periodic; any unit
// - axis: dim, the direction of the line of sight everywhere
// - ells: list of even ints that are known at compile time, the degrees ℓ
// - compensate: `"none"`, or the window of a painted field, which is divided out: `"ngp"`, `"cic"`,
//   `"tsc"` or `"pcs"`; shot noise stays
// Value: tuple (mean k, P_ℓ, number of modes). P_ℓ is a vector with a field over the shells for
//   each ℓ. An odd degree is an error.
// Source: Cole, Fisher & Weinberg (1994)
// Example: power_multipoles(f, z)
fn power_multipoles(f, axis, ells = (0, 2, 4), compensate = "none") = cross_multipoles(f, f, axis, ells, compensate)

// The multipoles P_ℓ(k) = (2ℓ + 1) V⟨Re a_k b_k* L_ℓ(μ)⟩ of a cross spectrum, as
// `power_multipoles`.
// - a, b: real fields over the same dims with lengths, periodic; any unit
// - axis: dim, the direction of the line of sight everywhere
// - ells: list of even ints that are known at compile time, the degrees ℓ
// - compensate: `"none"`, or the window of a painted field, which is divided out: `"ngp"`, `"cic"`,
//   `"tsc"` or `"pcs"`; shot noise stays
// Value: tuple (mean k, P_ℓ, number of modes), as `power_multipoles`.
// Source: Cole, Fisher & Weinberg (1994)
// Cost: two transforms.
// Example: cross_multipoles(f, g, z, ells = (0, 2))
fn cross_multipoles(a, b, axis, ells = (0, 2, 4), compensate = "none") {
  let ak = fft(single(a))
  let bk = fft(single(b))
  let (k, P, modes) = shells(ak, bk, compensate)
  (k, for l in ells =>
    if l == 0 then P
    else (2 * l + 1) * shells(ak, map k in bk => even_legendre(l, direction_cosine(k, axis)) * bk, compensate)[1],
   modes)
}

// The cosine of the angle between a vector and the direction of a dim, and 0 for the vector 0.
// - k: the variable of a map over modes, or a vector
// - axis: dim
// Value: number.
// Example: map k in fk => direction_cosine(k, z)
fn direction_cosine(k, axis) = if norm2(k) == 0 then 0 else k[axis] / sqrt(norm2(k))

// The Legendre polynomial L_l(mu) of an even degree.
// - l: even int that is known at compile time, 0 or more; another one is an error
// - mu: number, −1 to 1
// Value: number.
// Example: even_legendre(2, 0.5)
fn even_legendre(l: int, mu) =
  if mod(l, 2) == 0 and l >= 0 then
    repeated((1.0, mu), (p, i) => (p[1], ((2 * i + 3) * mu * p[1] - (i + 1) * p[0]) / (i + 2)), l)[0]
  else error("the degree of a multipole is an even int, 0 or more")

// The multipoles ξ_ℓ(s) = (2ℓ + 1)⟨ξ(**s**) L_ℓ(μ)⟩ of the correlation function in bins of the
// separation s, where ξ(**s**) = ⟨f(**x**) f(**x** + **s**)⟩ and μ = s_axis/s.
//
// The mean of ξ(**s**) is over all cells **x** of the periodic box, by Fourier transforms. The mean
// of ξ_ℓ is over all separations of two cells in the bin, except 0. The shortest of the periodic
// separations counts. Bin i has from + i · width ≤ s < from + (i + 1) · width.
// - f: real field over dims with lengths, periodic; any unit
// - axis: dim, the direction of the line of sight everywhere
// - from: number in the unit of length, the beginning of the first bin
// - width: number in the unit of length, the width of a bin
// - count: int, the number of bins
// - ells: list of even ints that are known at compile time, the degrees ℓ
// - compensate: `"none"`, or the window of a painted field, which is divided out: `"ngp"`, `"cic"`,
//   `"tsc"` or `"pcs"`; shot noise stays
// Value: tuple (mean s, ξ_ℓ, number of separations). ξ_ℓ is a vector with a field over the bins for
//   each ℓ. Bins without separations are 0.
// Example: correlation_function(f, z, from = 0 Mpc/h, width = 10 Mpc/h, count = 5)
fn correlation_function(f, axis, from, width, count: int, ells = (0, 2, 4), compensate = "none") =
  cross_correlation_function(f, f, axis, from, width, count, ells, compensate)

// The multipoles of the cross correlation function ξ(**s**) = ½⟨a(**x**) b(**x** + **s**) + a(**x**
// + **s**) b(**x**)⟩, as `correlation_function`.
// - a, b: real fields over the same dims with lengths, periodic; any unit
// - axis: dim, the direction of the line of sight everywhere
// - from: number in the unit of length, the beginning of the first bin
// - width: number in the unit of length, the width of a bin
// - count: int, the number of bins
// - ells: list of even ints that are known at compile time, the degrees ℓ
// - compensate: `"none"`, or the window of a painted field, which is divided out: `"ngp"`, `"cic"`,
//   `"tsc"` or `"pcs"`; shot noise stays
// Value: tuple (mean s, ξ_ℓ, number of separations), as `correlation_function`.
// Cost: three transforms.
// Example: cross_correlation_function(f, g, z, 0 Mpc/h, 10 Mpc/h, 5, ells = (0, 2))
fn cross_correlation_function(a, b, axis, from, width, count: int, ells = (0, 2, 4), compensate = "none") {
  let ak = fft(single(a))
  let bk = fft(single(b))
  let xi = ifft(map k in ak => {
    let w = if compensate == "none" then 1 else window_kernel(k, compensate)
    real(conj(bk) * ak) / w^2 + 0i
  })
  fn number_of(q) {
    let s = sqrt(norm2(separation(q)))
    if norm2(q) == 0 then -1 else bin_of(s, from, width)
  }
  let (s, pairs) = bins q in xi into count by number_of(q) => (sqrt(norm2(separation(q))), 1)
  let n = max(pairs, 1)
  (s / n, for l in ells => {
    let moment = bins q in xi into count by number_of(q) => even_legendre(l, direction_cosine(separation(q), axis)) * xi
    (2 * l + 1) * moment / n
  }, pairs)
}

// The shortest vector from cell 0 of a periodic box to a cell.
// - q: the variable of a map over the cells of a field
// Value: vector in the unit of length.
// Example: map q in f => norm2(separation(q))
fn separation(q) = for d in dims(q) => if 2 * index(q, d) > cells(d) then q[d] - length(d) else q[d]

// ---- three points ----

// The bispectrum B = V²⟨Re f₁ f₂ f₃⟩ of each triple i ≤ j ≤ m of bins of k, over the triangles of
// modes **k**₁ + **k**₂ + **k**₃ = 0 in the three bins.
//
// Bin i has from + i · width ≤ k < from + (i + 1) · width. The triples are row by row: (0, 0, 0),
// (0, 0, 1), …, (0, 1, 1), …. For n bins there are n (n + 1) (n + 2)/6.
// - f: real field over dims with lengths, periodic; any unit
// - from: number in 1/length, the beginning of the first bin
// - width: number in 1/length, the width of a bin
// - count: int, the number of bins
// - compensate: `"none"`, or the window of a painted field, which is divided out: `"ngp"`, `"cic"`,
//   `"tsc"` or `"pcs"`; shot noise stays
// Value: tuple (k1, k2, k3, B, number of triangles) of fields over the triples. k1, k2 and k3 are
//   the mean k of the three bins. The number counts each ordered triple of modes. If no modes make
//   a triangle, B and the number are 0. Bins that end above 2/3 of the Nyquist frequency are an
//   error.
// Source: Scoccimarro (2000); Sefusatti et al. (2016)
// Cost: two transforms for each bin, and one more; reads three fields twice for each triple.
// Example: bispectrum(f, from = 0.1 h/Mpc, width = 0.1 h/Mpc, count = 2)
fn bispectrum(f, from, width, count: int, compensate = "none") {
  let fk = fft(single(f))
  let x = dims(fk)[0]
  for d in dims(fk) {
    assert from + count * width <= 1.000001 * 2 pi / (3 * spacing(d)),
           "bispectrum: the bins end at k = {}, expected at most {}, 2/3 of the Nyquist frequency",
           number(from + count * width, 1 / unit_of(length(d))), number(2 pi / (3 * spacing(d)), 1 / unit_of(length(d)))
  }
  let bin = piece(x, count)
  let n = count * (count + 1) * (count + 2) / 6
  let triple = piece(x, n)
  fn inside(k, i) = if norm2(k) == 0 then false else bin_of(sqrt(norm2(k)), from, width) == i
  fn ones(i) = ifft(map k in fk => if inside(k, i) then 1 + 0i else 0)
  fn waves(i) = ifft(map k in fk => {
    let w = if compensate == "none" then 1 else window_kernel(k, compensate)
    if inside(k, i) then fk / w else 0
  })
  // The mean over the cells of the product of three bins' fields: the sum over the triangles.
  fn sums(part) {
    let (i, parts) = loop u = 0.0 for i in bin => { u stacking part(i) }
    let (t, s) = loop (i, j, m) = (0, 0, 0) for t in triple => {
      let s = mean(parts[bin = i] * parts[bin = j] * parts[bin = m])
      let next = if m + 1 < count then (i, j, m + 1)
                 else if j + 1 < count then (i, j + 1, j + 1)
                 else (min(i + 1, count - 1), min(i + 1, count - 1), min(i + 1, count - 1))
      next stacking (s, i, j, m)
    }
    s
  }
  let (number_of, i, j, m) = sums(ones)
  let (product_of, _, _, _) = sums(waves)
  let (k_sum, modes) = bins k in fk into count by bin_of(sqrt(norm2(k)), from, width) =>
    (sqrt(norm2(k)), if norm2(k) == 0 then 0 else 1)
  let mean_k = k_sum / max(modes, 1)
  let volume = product(for d in dims(fk) => length(d))
  let list = dims(mean_k)[0]
  fn k_of(i) = mean_k[list = map t in i => int(i)]
  let (k1, k2, k3) = (k_of(i), k_of(j), k_of(m))
  // Numbers of triangles are whole; of open ones only rounding errors are left.
  bins t in number_of into n by index(t, triple) => {
    let open = m - i - j - 2 >= number(from, width)
    let count_of = if open then 0 else floor(number_of + 0.5)
    let B = if count_of > 0 then volume^2 * product_of / count_of else 0 * volume^2
    (k1, k2, k3, B, count_of)
  }
}

// ---- marks ----

// The overdensity (1 + δ) m/⟨(1 + δ) m⟩ − 1 with the mark m = ((1 + δ_s)/(1 + δ_s + δ_R))^p, where
// δ_R is δ smoothed with a Gaussian. Its power spectrum is a marked spectrum.
// - delta: overdensity, a real periodic field
// - R: number in the unit of length, the standard deviation of the Gaussian
// - p: number; p > 0 gives weight to voids
// - delta_s: number, so that 1 + δ_s + δ_R > 0 everywhere
// Value: field like delta.
// Source: White (2016)
// Example: marked_overdensity(0.1 * f, 10 Mpc/h, p = 1)
fn marked_overdensity(delta, R, p, delta_s = 0.25) {
  let around = smooth(delta, R)
  let marked = (1 + delta) * pow((1 + delta_s) / (1 + delta_s + around), p)
  marked / mean(marked) - 1
}
