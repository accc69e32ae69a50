// Power spectra and what is made of them.
//
// Shell m holds the modes with m <= |m_vec| < m + 1, where |m_vec| is k over the fundamental 2 pi/L: in a cubic box the
// length of the vector of integer wave numbers, so the shells are exact. There are floor(n/2) shells, all below the
// Nyquist frequency of the first dim, whose length they are counted in; of coarser dims the outer ones lack modes.
// Shell 0 is empty.

use math, fields

// f, which is one field and no batch of them.
fn single(f) =
  if total(for d in dims(f) => 1) == total(for d in directions(f) => 1) then f
  else error("a spectrum is of one field, but this one has dims that count a batch; take one: slice(f, c = i)")

// (mean k, P(k), number of modes) of each shell of the full sphere; P = L^3 <|delta_k|^2>. k is in 1/length and P in
// length^3. With the name of a window, that window is divided out of a painted field's spectrum; shot noise stays.
fn power_spectrum(f, compensate = "none") {
  let fk = fft(single(f))
  shells(fk, fk, compensate)
}

// (mean k, P_ab(k), number of modes) of each shell; P_ab = L^3 <Re a_k conj(b_k)>.
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

// In a map: |m_vec| of a mode, whose whole part is the number of its shell.
fn shell_number(k) {
  let x = dims(k)[0]
  sqrt(total(for d in dims(k) => (index(k, d) * (length(x) / length(d)))^2))
}

// (mean k, T) of each shell; T = sqrt(P_b/P_a), the amplitude of b in terms of that of a. 0 where a has no power.
fn transfer_function(a, b) {
  let (k, pa, modes) = power_spectrum(a)
  let (kb, pb, modes_b) = power_spectrum(b)
  (k, map m in pa => if pa > 0 then sqrt(pb / pa) else 0)
}

// (mean k, r) of each shell; r = P_ab/sqrt(P_a P_b), 1 for fields in phase. 0 where one has no power.
fn correlation(a, b) {
  let ak = fft(single(a))
  let bk = fft(single(b))
  let (k, pa, modes) = shells(ak, ak, "none")
  let (kb, pb, modes_b) = shells(bk, bk, "none")
  let (kab, pab, modes_ab) = shells(ak, bk, "none")
  (k, map m in pa => if pa * pb > 0 then pab / sqrt(pa * pb) else 0)
}

// ---- multipoles ----

// (mean k, P_l(k), number of modes) of each shell; P_l = (2l + 1) L^3 <|delta_k|^2 L_l(mu)>, where L_l is a Legendre
// polynomial and mu = k_axis/k: the line of sight is along the dim `axis` everywhere (Cole, Fisher & Weinberg 1994).
// The second value is a vector with a component for each of `ells`, which are even ints known when compiling.
fn power_multipoles(f, axis, ells = (0, 2, 4), compensate = "none") = cross_multipoles(f, f, axis, ells, compensate)

// The same of two fields: (2l + 1) L^3 <Re a_k conj(b_k) L_l(mu)>.
fn cross_multipoles(a, b, axis, ells = (0, 2, 4), compensate = "none") {
  let ak = fft(single(a))
  let bk = fft(single(b))
  let (k, P, modes) = shells(ak, bk, compensate)
  (k, for l in ells =>
    if l == 0 then P
    else (2 * l + 1) * shells(ak, map k in bk => even_legendre(l, direction_cosine(k, axis)) * bk, compensate)[1],
   modes)
}

// In a map: the cosine of the angle between a vector, such as a wave vector, and the dim `axis`; 0 for the vector 0.
fn direction_cosine(k, axis) = if norm2(k) == 0 then 0 else k[axis] / sqrt(norm2(k))

// The Legendre polynomial of an even degree l, known when compiling.
fn even_legendre(l: int, mu) =
  if mod(l, 2) == 0 and l >= 0 then
    repeated((1.0, mu), (p, i) => (p[1], ((2 * i + 3) * mu * p[1] - (i + 1) * p[0]) / (i + 2)), l)[0]
  else error("the degree of a multipole is an even int, 0 or more")

// (mean s, xi_l(s), number of separations) in `count` bins of the separation s, equally wide from `from` on, in the unit
// of the lengths; xi_l = (2l + 1) <xi(s_vec) L_l(mu)>, where xi(s_vec) = <f(x) f(x + s_vec)> over all cells x of the
// periodic box, for every separation of two cells, the shortest one. The separation 0 is left out. ells, axis,
// compensate: see power_multipoles.
fn correlation_function(f, axis, from, width, count: int, ells = (0, 2, 4), compensate = "none") =
  cross_correlation_function(f, f, axis, from, width, count, ells, compensate)

// The same of two fields: xi(s_vec) = <(a(x) b(x + s_vec) + a(x + s_vec) b(x))/2>.
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

// In a map over the cells of a periodic box: the shortest vector from cell 0 to the cell.
fn separation(q) = for d in dims(q) => if 2 * index(q, d) > cells(d) then q[d] - length(d) else q[d]

// ---- three points ----

// (k1, k2, k3, B, number of triangles) of each triple of bins i <= j <= m of k, row by row; bin i has the modes with
// from + i width <= k < from + (i + 1) width, and k1, k2, k3 are the mean k of the three bins. B = L^6 <Re d1 d2 d3>
// over the triangles of modes k1 + k2 + k3 = 0, each ordered triple of modes counted. B and the number are 0 where no
// modes make a triangle. By Fourier transforms of each bin (Scoccimarro 2000; Sefusatti et al. 2016): 2 count fields
// are in memory. k is in 1/length, and the last bin ends at 2/3 of the Nyquist frequency or below.
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

// The overdensity with each place weighted by the mark m = ((1 + delta_s)/(1 + delta_s + delta_R))^p of its environment:
// (1 + delta) m/<(1 + delta) m> - 1 (White 2016). delta_R is delta smoothed with a Gaussian of standard deviation R.
// p > 0 gives weight to voids. 1 + delta_s + delta_R must be above 0.
fn marked_overdensity(delta, R, p, delta_s = 0.25) {
  let around = smooth(delta, R)
  let marked = (1 + delta) * pow((1 + delta_s) / (1 + delta_s + around), p)
  marked / mean(marked) - 1
}
