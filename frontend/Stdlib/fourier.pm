// Transforms that are computed with Fourier transforms: cosine and sine transforms, and Hankel
// transforms over logarithms (FFTLog).
//
// Cosine and sine transforms are those of SciPy (`scipy.fft`) with their default norm, in the order
// of N, for N cells:
//
// | type | cosine transform | sine transform |
// |---|---|---|
// | 1 | f₀ + (−1)^k f_(N−1) + 2 Σ f_n cos(π k n/(N − 1)), over n = 1 … N − 2 | 2 Σ f_n sin(π (k + 1)(n + 1)/(N + 1)) |
// | 2 | 2 Σ f_n cos(π k (2n + 1)/2N) | 2 Σ f_n sin(π (k + 1)(2n + 1)/2N) |
// | 3 | f₀ + 2 Σ f_n cos(π (2k + 1) n/2N), over n ≥ 1 | (−1)^k f_(N−1) + 2 Σ f_n sin(π (2k + 1)(n + 1)/2N), over n < N − 1 |
// | 4 | 2 Σ f_n cos(π (2k + 1)(2n + 1)/4N) | 2 Σ f_n sin(π (2k + 1)(2n + 1)/4N) |
//
// The result is over the same dims; its cell k has coefficient k.
//
// Setup: use power, cosmology
//   dim x = 16, y = 12
//   dim k = 64
//   let f = white_noise[x, y](1)
//   let P = spectrum(eisenstein_hu(flat_lcdm(), points = 1024, panels = 128))
//
// Internal: dim_by_dim inverse_type cosine_along sine_along turn ortho_cosine ortho_sine widened
//   cosine_1 cosine_2 cosine_3 cosine_4 sine_1 sine_2 sine_3 sine_4 second third fourth fourth_of_even
//   mode_coefficient gamma_ratio log_gamma spherical

use math, fields

// ---- cosine and sine transforms ----

// The cosine transform of a field along dims, one after the other.
// - f: real field; any unit
// - over: dims of the transform; the other dims count a batch
// - type: int from 1 to 4, known at compile time. Type 1 requires at least two cells
// - norm: `"backward"`, as in the table above, or `"ortho"`: divided by the lengths of its rows, so
//   that Σ f² stays. Then type 3 is the inverse of type 2, and types 1 and 4 are their own inverses
// Value: field like f.
// Source: Makhoul (1980) for type 2
// Cost: two gathers along the dim, and a real transform of N cells for types 2 and 3, a real one of
//   2 N − 2 cells for type 1, or a complex one of N/2 cells for type 4 (2 N cells if N is odd). A
//   gradient paints the cotangents.
// Example: dct(f, over = x)
fn dct(f, over = directions(f), type: int = 2, norm = "backward") =
  dim_by_dim(f, over, (g, d) => if norm == "ortho" then ortho_cosine(g, d, type)
                                else if norm == "backward" then cosine_along(g, d, type)
                                else error("dct: the norm must be \"backward\" or \"ortho\""))

// The inverse of `dct`.
// - f: real field; any unit
// - over: dims of the transform; the other dims count a batch
// - type: int from 1 to 4, the type of the transform that is inverted
// - norm: `"backward"` or `"ortho"`, as for `dct`
// Value: field like f.
// Cost: as of `dct`.
// Example: idct(dct(f))
fn idct(f, over = directions(f), type: int = 2, norm = "backward") =
  dim_by_dim(f, over, (g, d) => if norm == "ortho" then ortho_cosine(g, d, inverse_type(type))
                                else if norm == "backward" then cosine_along(g, d, inverse_type(type)) /
                                                                (2 * (if type == 1 then cells(d) - 1 else cells(d)))
                                else error("idct: the norm must be \"backward\" or \"ortho\""))

// The sine transform of a field along dims, one after the other.
// - f: real field; any unit
// - over: dims of the transform; the other dims count a batch
// - type: int from 1 to 4, known at compile time
// - norm: `"backward"` or `"ortho"`, as for `dct`
// Value: field like f.
// Cost: as of `dct`; type 1 has a real transform of 2 N + 2 cells.
// Example: dst(f, over = (x, y), type = 1)
fn dst(f, over = directions(f), type: int = 2, norm = "backward") =
  dim_by_dim(f, over, (g, d) => if norm == "ortho" then ortho_sine(g, d, type)
                                else if norm == "backward" then sine_along(g, d, type)
                                else error("dst: the norm must be \"backward\" or \"ortho\""))

// The inverse of `dst`.
// - f: real field; any unit
// - over: dims of the transform; the other dims count a batch
// - type: int from 1 to 4, the type of the transform that is inverted
// - norm: `"backward"` or `"ortho"`, as for `dct`
// Value: field like f.
// Cost: as of `dst`.
// Example: idst(dst(f, type = 1), type = 1)
fn idst(f, over = directions(f), type: int = 2, norm = "backward") =
  dim_by_dim(f, over, (g, d) => if norm == "ortho" then ortho_sine(g, d, inverse_type(type))
                                else if norm == "backward" then sine_along(g, d, inverse_type(type)) /
                                                                (2 * (if type == 1 then cells(d) + 1 else cells(d)))
                                else error("idst: the norm must be \"backward\" or \"ortho\""))

fn dim_by_dim(f, over, step) {
  let list = for d in over => d
  repeated(f, (g, i) => step(g, list[i]), total(for d in over => 1))
}

fn inverse_type(type) = if type == 2 then 3 else if type == 3 then 2 else type

fn cosine_along(f, d, type) =
  if type == 1 then cosine_1(f, d)
  else if type == 2 then cosine_2(f, d)
  else if type == 3 then cosine_3(f, d)
  else if type == 4 then cosine_4(f, d)
  else error("a cosine transform has the type 1, 2, 3 or 4")

fn sine_along(f, d, type) =
  if type == 1 then sine_1(f, d)
  else if type == 2 then sine_2(f, d)
  else if type == 3 then sine_3(f, d)
  else if type == 4 then sine_4(f, d)
  else error("a sine transform has the type 1, 2, 3 or 4")

fn turn(a) = cos(a) + 1i * sin(a)

// Rows that are longer than the others by the root of 2: the first and last one of type 1, the
// constant one of types 2 and 3.
fn ortho_cosine(f, d, type) {
  let n = cells(d)
  fn is_long(q) = if type == 1 then index(q, d) == 0 or index(q, d) == n - 1 else index(q, d) == 0
  let given = if type == 1 or type == 3 then map q in f => (if is_long(q) then sqrt(2) else 1) * f else f
  let c = cosine_along(given, d, type)
  let size = sqrt(2 * (if type == 1 then n - 1 else n))
  if type == 1 or type == 2 then map q in c => (if is_long(q) then sqrt(0.5) else 1) * c / size else c / size
}

// As for cosines; the alternating row is longer.
fn ortho_sine(f, d, type) {
  let n = cells(d)
  let given = if type == 3 then map q in f => (if index(q, d) == n - 1 then sqrt(2) else 1) * f else f
  let s = sine_along(given, d, type)
  let size = sqrt(2 * (if type == 1 then n + 1 else n))
  if type == 2 then map q in s => (if index(q, d) == n - 1 then sqrt(0.5) else 1) * s / size else s / size
}

// f with n cells along d: the spectrum of a transform has its dims.
fn widened(f, d, n: int) = f[d = piece(d, n), edge = "zero"]

// The real f as a spectrum of 2 N - 2 cells, whose transform back is a sum of cosines.
fn cosine_1(f, d) {
  let n = if cells(d) > 1 then 2 * cells(d) - 2 else error("a cosine transform of type 1 requires at least two cells")
  let e = piece(d, n)
  let modes = fft(widened(f, d, n), over = e)
  ifft(map k in modes => (1 + 0i) * f[d = int(index(k, e))], over = e)[e = d]
}

fn sine_1(f, d) {
  let n = 2 * cells(d) + 2
  let e = piece(d, n)
  let modes = fft(widened(f, d, n), over = e)
  ifft(map k in modes => -1i * f[d = int(index(k, e)) - 1, edge = "zero"], over = e)[e = d + 1]
}

fn cosine_2(f, d) = second(f, d, false)

fn sine_2(f, d) = second(f, d, true)

fn cosine_3(f, d) = third(f, d, false)

fn sine_3(f, d) = third(f, d, true)

// Type 2, by one real transform of N cells: the cells with even numbers, followed by the odd ones in reverse order. For sines, the odd
// cells have the opposite sign, and the result is in reverse order.
fn second(f, d, is_sine) {
  let n = cells(d)
  let modes = fft(f, over = d)
  fn opposite(m) = if m > 0 then n - m else 0
  fn ordered(m) {
    let cell = f[d = if 2 * m < n then 2 * m else 2 * n - 2 * m - 1]
    if is_sine and 2 * m >= n then -cell else cell
  }
  // The inverse transform of this spectrum is the sum with cos + sin.
  let sums = ifft(map k in modes => {
    let m = int(index(k, d))
    let (a, b) = (ordered(m), ordered(opposite(m)))
    0.5 * (a + b) - 0.5i * (a - b)
  }, over = d)
  map q in sums => {
    let k = if is_sine then n - 1 - int(index(q, d)) else int(index(q, d))
    let (a, b) = (sums[d = k], sums[d = opposite(k)])
    cos(pi * k / (2 * n)) * (a + b) - sin(pi * k / (2 * n)) * (a - b)
  }
}

// Type 3, which is the transposed transform: the steps of `second` in the opposite order. For sines, f is in reverse order, and the odd
// cells of the result have the opposite sign.
fn third(f, d, is_sine) {
  let n = cells(d)
  let modes = fft(f, over = d)
  fn given(m) = f[d = if is_sine then n - 1 - m else m]
  let waves = ifft(map k in modes => {
    let m = int(index(k, d))
    let other = if m > 0 then given(n - m) else 0 * given(0)
    turn(pi * m / (2 * n)) * (given(m) - 1i * other)
  }, over = d)
  map q in waves => {
    let i = int(index(q, d))
    let cell = waves[d = if mod(i, 2) == 0 then div(i, 2) else n - 1 - div(i, 2)]
    if is_sine and mod(i, 2) == 1 then -cell else cell
  }
}

fn cosine_4(f, d) = if mod(cells(d), 2) == 0 then fourth_of_even(f, d, false) else 2 * real(fourth(f, d))

fn sine_4(f, d) = if mod(cells(d), 2) == 0 then fourth_of_even(f, d, true) else 2 * imag(fourth(f, d))

// Type 4, by one complex transform of N/2 cells: the even cells, and the odd ones in reverse order.
fn fourth_of_even(f, d, is_sine) {
  let n = cells(d)
  let half = div(n, 2)
  let e = piece(d, half)
  let modes = fft((1 + 0i) * widened(f, d, half), over = e)
  let waves = ifft(map k in modes => {
    let m = mod(int(index(k, e)), half)
    let (a, b) = (f[d = 2 * m], f[d = n - 1 - 2 * m])
    turn(pi * (4 * m + 1) / (4 * n)) * (if is_sine then b - 1i * a else a - 1i * b)
  }, over = e)
  map q in f => {
    let i = int(index(q, d))
    let is_even = mod(i, 2) == 0
    let j = if is_even then div(i, 2) else div(n - 1 - i, 2)
    let wave = turn(pi * j / n) * waves[e = j]
    if is_even then 2 * real(wave) else if is_sine then -2 * imag(wave) else 2 * imag(wave)
  }
}

// The sum of f_n exp(i pi (2k + 1)(2n + 1)/4N) over n, for any N.
fn fourth(f, d) {
  let n = cells(d)
  let e = piece(d, 2 * n)
  let modes = fft((1 + 0i) * widened(f, d, 2 * n), over = e)
  let waves = ifft(map k in modes => {
    let m = mod(int(index(k, e)), 2 * n)
    turn(pi * m / (2 * n)) * f[d = m, edge = "zero"]
  }, over = e)[e = d]
  map q in waves => turn(pi * (2 * index(q, d) + 1) / (4 * n)) * waves
}

// ---- Hankel transforms ----

// The Hankel transform A(r) = ∫ a(k) J_mu(k r) r dk of samples over ln k, as `scipy.fft.fht`. The
// samples count as periodic in ln k.
//
// Cell j of a is at k_j = k_c exp((j − c) step) with c = (N − 1)/2, and cell j of the result at r_j
// = exp(offset)/k_c · exp((j − c) step).
// - a: real field; any unit
// - d: dim of the samples; the other dims count a batch
// - step: number, the spacing of ln k
// - mu: number, the order of the Bessel function
// - offset: number, the logarithm of k_c r_c; see `fht_offset`
// - bias: number q: a k^(−q) is periodic instead of a. Choose it so that this is small at both ends
// Value: field like a. The transform is singular if (mu + 1 + bias)/2 is 0 or a negative int.
// Source: Talman (1978); Hamilton (2000)
// Cost: two real transforms.
// Example: fht(f, x, step = 0.1, mu = 0.5)
fn fht(a, d, step, mu, offset = 0, bias = 0) {
  let n = cells(d)
  let biased = map q in a => exp(-bias * (index(q, d) - (n - 1) / 2) * step) * a
  let modes = fft(biased, over = d)
  // The conjugate and the turn reverse the order of the cells.
  let waves = ifft(map k in modes => {
    let m = index(k, d)
    turn(2 * pi * m / n) * conj(mode_coefficient(m, n, step, mu, offset, bias) * modes)
  }, over = d)
  map q in waves => exp(-bias * ((index(q, d) - (n - 1) / 2) * step + offset)) * waves
}

// The inverse of `fht`.
// - A: real field; any unit
// - d: dim of the samples; the other dims count a batch
// - step: number, the spacing of ln r
// - mu: number, the order of the Bessel function
// - offset: number, as for `fht`
// - bias: number, as for `fht`
// Value: field like A. The inverse is singular if (mu + 1 − bias)/2 is 0 or a negative int.
// Source: Hamilton (2000)
// Cost: two real transforms.
// Example: ifht(fht(f, x, 0.1, 0.5), x, 0.1, 0.5)
fn ifht(A, d, step, mu, offset = 0, bias = 0) {
  let n = cells(d)
  let biased = map q in A => exp(bias * ((index(q, d) - (n - 1) / 2) * step + offset)) * A
  let modes = fft(biased, over = d)
  let waves = ifft(map k in modes => {
    let m = index(k, d)
    turn(2 * pi * m / n) * conj(modes / conj(mode_coefficient(m, n, step, mu, offset, bias)))
  }, over = d)
  map q in waves => exp(bias * (index(q, d) - (n - 1) / 2) * step) * waves
}

// The offset next to a wanted one with which a transform by `fht` rings least: the coefficient of
// the highest mode is real.
// - step: number, the spacing of the logarithms
// - mu: number, the order of the Bessel function
// - near: number, the wanted offset
// - bias: number, as for `fht`
// Value: number.
// Source: Hamilton (2000), eq. 186
// Example: fht_offset(0.1, mu = 0.5)
fn fht_offset(step, mu, near = 0, bias = 0) {
  let turns = (log(2) - near) / step + arg(gamma_ratio(pi / (2 * step), mu, bias)) / pi
  near + (turns - round(turns)) * step
}

// The factor of the wave exp(i t ln k) in `fht`: 2^(q + i t) exp(−i t offset) Γ((mu + 1 + q + i t)/2)
// / Γ((mu + 1 − q − i t)/2).
// - t: number, or element in a map
// - mu: number, the order of the Bessel function
// - offset: number, as for `fht`
// - bias: number q
// Value: complex number.
// Source: Hamilton (2000)
// Example: abs(fht_coefficient(3.0, 0.5))
fn fht_coefficient(t, mu, offset = 0, bias = 0) =
  exp(bias * log(2)) * turn(t * (log(2) - offset)) * gamma_ratio(t / 2, mu, bias)

// The mode n/2 is real.
fn mode_coefficient(m, n, step, mu, offset, bias) {
  let u = fht_coefficient(2 * pi * m / (n * step), mu, offset, bias)
  if 2 * m == n then real(u) + 0i else u
}

// Γ(p + i y)/Γ(m - i y), for p and m of (mu + 1 ± q)/2. Products move both arguments to the right.
fn gamma_ratio(y, mu, bias) {
  let p = (mu + 1 + bias) / 2 + 1i * y
  let m = (mu + 1 - bias) / 2 - 1i * y
  let ratio = loop r = 1 + 0i for i in 0 .. 10 => r * (m + i) / (p + i)
  ratio * exp(log_gamma(p + 10) - log_gamma(m + 10))
}

// Stirling's series, for |z| > 8 at the right.
fn log_gamma(z) {
  let u = 1 / (z * z)
  (z - 0.5) * log(z) - z + (1/12 - u * (1/360 - u * (1/1260 - u * (1/1680 - u * (1/1188 - u * (691/360360)))))) / z
}

// The Hankel transform A(r) = ∫ f(k) J_mu(k r) r dk of a function, over the logarithms of k and r.
// - f: function of k, such as `spectrum(t)`, or `k => interpolate(t, k)` of a table
// - mu: number, the order of the Bessel function
// - from, to: numbers in the unit of k, above 0: the first and the last sample
// - bias: number, as for `fht`
// Value: tuple (r, A) of fields over the dim in brackets; r is in 1/unit of k, and A in the unit of
//   f. The product of the middles of ln k and ln r is that of `fht_offset`. Both ends have errors,
//   because the samples count as periodic: choose the range wider than required. `sampled_table`
//   makes a table of both.
// Source: Hamilton (2000)
// Cost: two transforms; evaluates f for each cell.
// Example: fftlog[k](k => k^2 * exp(-k^2), 0.5, from = 1e-4, to = 1e4)
fn fftlog[d](f, mu, from, to, bias = 0) {
  let n = cells(d)
  let step = log(to / from) / (n - 1)
  let offset = fht_offset(step, mu, bias = bias)
  let samples = map q in [d] => f(from * exp(index(q, d) * step))
  let middle = exp(offset) / sqrt(from * to)
  (map q in samples => middle * exp((index(q, d) - (n - 1) / 2) * step), fht(samples, d, step, mu, offset, bias))
}

// The table of samples y at positions r with equal spacings of ln r, such as those of `fftlog`.
// - r: real field over one dim; the first two cells give the positions of all
// - y: real field over the same dim; any unit
// Value: table with a row for each cell. It has derivatives in forward mode only.
// Example: sampled_table(map q in [k] => exp(0.1 * index(q, k)), zeros[k])
fn sampled_table(r, y) {
  let d = dims(r)[0]
  let zero = tabulate(u => 0, from = 0, to = cells(d) - 1, points = cells(d))
  // The adjoint of reading all rows.
  let rows = vjp(t => map q in y => interpolate(t, index(q, d)))(zero, cotangent = y)[1]
  let step = log(r[d = 1] / r[d = 0])
  transform(rows, (i, y) => (r[d = 0] * exp(i * step), y))
}

// The multipole ξ_ℓ(s) = i^ℓ ∫ k² dk/(2π²) P_ℓ(k) j_ℓ(k s) of the correlation function.
// - P: function of k, the multipole P_ℓ of the power spectrum, such as `spectrum(t)`
// - l: even int that is known at compile time, the degree ℓ
// - from, to: numbers in the unit of k, the first and the last sample
// - bias: number, as for `fht`, of k^(3/2) P
// Value: tuple (s, ξ_ℓ) of fields over the dim in brackets, as of `fftlog`. Choose a range such as
//   10⁻⁴ to 10² h/Mpc.
// Source: Hamilton (2000)
// Cost: as of `fftlog`.
// Example: correlation_multipole[k](P, 0, from = 1e-4 h/Mpc, to = 100 h/Mpc)
fn correlation_multipole[d](P, l: int, from, to, bias = 0) = spherical[d](P, l, from, to, bias, (2 * pi)^(-1.5))

// The multipole P_ℓ(k) = 4π (−i)^ℓ ∫ s² ds ξ_ℓ(s) j_ℓ(k s) of the power spectrum.
// - xi: function of s, the multipole ξ_ℓ of the correlation function
// - l: even int that is known at compile time, the degree ℓ
// - from, to: numbers in the unit of s, the first and the last sample
// - bias: number, as for `fht`, of s^(3/2) ξ
// Value: tuple (k, P_ℓ) of fields over the dim in brackets, as of `fftlog`.
// Cost: as of `fftlog`.
// Example: power_multipole[k](s => exp(-(s / 5 Mpc/h)^2), 0, from = 1e-2 Mpc/h, to = 1e4 Mpc/h)
fn power_multipole[d](xi, l: int, from, to, bias = 0) = spherical[d](xi, l, from, to, bias, (2 * pi)^1.5)

fn spherical[d](f, l, from, to, bias, factor) {
  let sign = if l < 0 or 2 * floor(l / 2) != l then error("the degree of a multipole must be even and not negative")
             else if 4 * floor(l / 4) == l then 1 else -1
  let (s, A) = fftlog[d](k => k^1.5 * f(k), l + 0.5, from, to, bias)
  (s, map q in A => sign * factor * A / s^1.5)
}
