// Fourier transforms between an image and samples at any places of its k-space, windows for them,
// and trajectories.
//
// An image is a complex field over dims with a length; other dims, such as the coils, are a batch.
// k is a vector of real fields over any dims, one for each direction of the image: the place of a
// sample in cycles per field of view, so that integers are the modes of `fft`. If all samples are
// near the center, the program prints a warning, because k is probably in cycles per cell. As in
// `mri`, the center of the field of view is the cell ⌊N/2⌋, and sums have the factor N^(−1/2) of
// unitary transforms. For integer k, `nufft` is `centred_fft`. `nufft` and `nufft_adjoint` are
// adjoint to each other up to rounding. They have derivatives with respect to images, samples and k.
// Images and samples have any unit.
//
// Method (Dutt & Rokhlin 1993; Fessler & Sutton 2003): k-space on a grid twice as fine is
// interpolated with a window, whose transform is divided out of the image. `tolerance`, from 10⁻²
// to 10⁻¹², bounds the error relative to the rms of the result; it must be known at compile time.
// In f32, the rounding of places in k-space adds errors that grow with N: 2 · 10⁻⁶ for N = 64, and
// 8 · 10⁻⁵ for 4096.
//
// In trajectories, the dims in brackets are the shots S, the samples of a shot R, and the planes
// P. A trajectory is k for an image of n modes across.
//
// Setup: dim x = 16, y = 12 over 240 mm
//   dim spoke = 6, along = 24
//   dim plane = 4
//   let k = radial[spoke, along](12)
//   let image = white_noise[x, y](1) + 1i * white_noise[x, y](2)
//   let samples = nufft(image, k)
//   let field = map q in [x, y] => 100 Hz * cos(2 pi * q[x] / length(x))
//   let time = map q in [along] => 2 ms + 0.1 ms * index(q, along)
//
// Internal: kaiser_bessel_shape scaled_bessel_i0 semicircle_shape prolate_shape prolate_series
//   prolate_at prolate_ratios prolate_sum samples_at image_of warn_of_places grid_places components scale_of is_among segment_place
//   segment_phase segment_weight density_support

use math

// ---- windows ----

// The window of Kaiser and Bessel for `readout_at` and `paint_at`: I₀(β √(1 −
// (2u/support)²))/I₀(β).
// - support: int, the number of cells of the window along each dim, 2 to 14
// - oversampling: number from 1.25 to 2, the ratio of the fine grid to that of the image
// - accuracy: number, the error of the tabulated window, relative to its largest value
// Value: record `{support, weight, accuracy}`, a window.
// Source: Beatty et al. (2005), eq. 5
// Example: readout_at(image, (0 * time, 0 * time) * 1 mm / 1 s, window = kaiser_bessel(6))
fn kaiser_bessel(support, oversampling = 2.0, accuracy = 1e-14) {
  let beta = kaiser_bessel_shape(support, oversampling)
  let most = scaled_bessel_i0(beta, 1)
  {
    support = support
    weight = u => scaled_bessel_i0(beta, sqrt(max(1 - (2 * u / support)^2, 0))) / most
    accuracy = accuracy
  }
}

fn kaiser_bessel_shape(support, oversampling = 2.0) = pi * sqrt((support / oversampling * (oversampling - 0.5))^2 - 0.8)

// The Fourier transform of `kaiser_bessel`: ∫ W(u) exp(−2πi ξ u) du.
// - xi: number in cycles per cell, |ξ| ≤ 1/(2 oversampling)
// - support: int, the number of cells of the window
// - oversampling: number from 1.25 to 2
// Value: number.
// Source: Beatty et al. (2005)
// Example: kaiser_bessel_transform(0.1, 6)
fn kaiser_bessel_transform(xi, support, oversampling = 2.0) {
  let beta = kaiser_bessel_shape(support, oversampling)
  let z = sqrt(beta^2 - (pi * support * xi)^2)
  support * (exp(z - beta) - exp(-z - beta)) / (2 z) / scaled_bessel_i0(beta, 1)
}

// exp(-beta) I0(beta s), 0 <= s <= 1: the mean of exp(beta s cos t) over t, which 32 values give to rounding for beta < 40.
fn scaled_bessel_i0(beta, s) = total(for i in 0 .. 32 => exp(beta * (s * cos(pi * (i + 0.5) / 32) - 1))) / 32

// The exponential of a semicircle for `readout_at` and `paint_at`: exp(β (√(1 − (2u/support)²) −
// 1)).
// - support: int, the number of cells of the window along each dim, 2 to 14
// - oversampling: number from 1.25 to 2, the ratio of the fine grid to that of the image
// - accuracy: number, the error of the tabulated window, relative to its largest value
// Value: record `{support, weight, accuracy}`, a window.
// Source: Barnett, Magland & af Klinteberg (2019)
// Example: semicircle(6).weight(0.5)
fn semicircle(support, oversampling = 2.0, accuracy = 3.0 exp(-semicircle_shape(support, oversampling))) = {
  support = support
  weight = u => exp(semicircle_shape(support, oversampling) * (sqrt(max(1 - (2 * u / support)^2, 0)) - 1))
  accuracy = accuracy
}

// 0.976 pi (1 - 1/(2 oversampling)) for each cell, and a little less for the narrowest.
fn semicircle_shape(support, oversampling = 2.0) =
  support *
    (if oversampling == 2 then (if support <= 2 then 2.2 else if support <= 4 then 2.27 else 2.3)
     else 0.976 * pi * (1 - 0.5 / oversampling))

// The Fourier transform of `semicircle`: ∫ W(u) exp(−2πi ξ u) du.
// - xi: number in cycles per cell
// - support: int, the number of cells of the window
// - oversampling: number from 1.25 to 2
// Value: number.
// Example: semicircle_transform(0.1, 6)
fn semicircle_transform(xi, support, oversampling = 2.0) {
  let beta = semicircle_shape(support, oversampling)
  total(for i in 0 .. 40 => {
    let t = pi * ((i + 0.5) / 40 - 0.5)
    cos(t) * exp(beta * (cos(t) - 1)) * cos(pi * support * xi * sin(t))
  }) * support * pi / 80
}

// The prolate spheroidal function of order 0 for `readout_at` and `paint_at`: of all windows with
// this support, the one whose transform is smallest in the part that is aliased.
// - support: int, the number of cells of the window along each dim, 2 to 14
// - oversampling: number from 1.25 to 2, the ratio of the fine grid to that of the image
// - accuracy: number, the error of the tabulated window, relative to its largest value
// Value: record `{support, weight, accuracy}`, a window.
// Source: Slepian & Pollak (1961)
// Example: prolate(6).weight(0.5)
fn prolate(support, oversampling = 2.0, accuracy = 1e-14) {
  let series = prolate_series(prolate_shape(support, oversampling))
  {support = support, weight = u => prolate_at(series, 2 * u / support), accuracy = accuracy}
}

fn prolate_shape(support, oversampling = 2.0) =
  if support > 14 then error("'prolate' has at most 14 cells, as the other windows have")
  else pi * support * (1 - 0.5 / oversampling)

// The Fourier transform of `prolate`: ∫ W(u) exp(−2πi ξ u) du. It is the same function again.
// - xi: number in cycles per cell, |ξ| ≤ 1 − 1/(2 oversampling)
// - support: int, the number of cells of the window
// - oversampling: number from 1.25 to 2
// Value: number.
// Source: Xiao, Rokhlin & Yarvin (2001) for the series
// Example: prolate_transform(0.1, 6)
fn prolate_transform(xi, support, oversampling = 2.0) {
  let c = prolate_shape(support, oversampling)
  let ratios = prolate_ratios(c)
  support * sqrt(0.5) / prolate_sum(ratios, 0.0) * prolate_at(prolate_series(c), pi * support / c * xi)
}

// The function of x = cos t, 1 at x = 0, as coefficients of cos(2 j t), and its value.
fn prolate_series(c) {
  let ratios = prolate_ratios(c)
  let n = total(for r in ratios => 1) + 2
  let values = for i in 0 .. n => prolate_sum(ratios, cos(pi * (i + 0.5) / (2 n)))
  let scale = 1 / (n * prolate_sum(ratios, 0.0))
  for j in 0 .. n =>
    (if j == 0 then scale else 2 * scale) * total(for i in 0 .. n => values[i] * cos(pi * j * (i + 0.5) / n))
}

fn prolate_at(series, x) {
  let t = 2 atan2(sqrt(max(1 - x^2, 0)), x)
  total(for j in 0 .. total(for a in series => 1) => series[j] * cos(j * t))
}

// The coefficients of its series of normalized Legendre polynomials of even degree, each over the one before (Xiao, Rokhlin & Yarvin 2001): an
// eigenvector of a symmetric matrix with three diagonals, whose least eigenvalue Newton's method finds from its expansion in 1/c.
fn prolate_ratios(c) {
  let n = floor(10 + 0.55 c)
  fn diagonal(k) = k * (k + 1) + (2 * k * (k + 1) - 1) / ((2 * k + 3) * (2 * k - 1)) * c^2
  fn beside(k) = (k + 2) * (k + 1) / ((2 * k + 3) * sqrt((2 * k + 1) * (2 * k + 5))) * c^2
  // From the last coefficient to the first, with the slope by the eigenvalue.
  fn ratio(k, value, r) = -beside(k - 2) / (diagonal(k) - value + beside(k) * r)
  let value = repeated(c - 0.75 - 3 / (16 c), (value, turn) => {
    let (r, slope) = repeated((0.0, 0.0), (p, i) => {
      let k = 2 * (n - i)
      let r = ratio(k, value, p[0])
      (r, r^2 / beside(k - 2) * (beside(k) * p[1] - 1))
    }, n)
    value - (diagonal(0) - value + beside(0) * r) / (beside(0) * slope - 1)
  }, 5)
  repeated(for j in 0 .. n + 1 => 0.0,
           (list,
            i) => for j in 0 .. n + 1 => if j == n - 1 - i then ratio(2 * (n - i), value, list[j + 1]) else list[j], n)
}

// The sum of such a series at x, with the first coefficient 1.
fn prolate_sum(ratios, x) = repeated((1.0, x, 1.0, sqrt(0.5)), (s, i) => {
  let k = 2 * i + 2
  let even = ((2 * k - 1) * x * s[1] - (k - 1) * s[0]) / k
  let odd = ((2 * k + 1) * x * even - k * s[1]) / (k + 1)
  (even, odd, s[2] * ratios[i], s[3] + s[2] * ratios[i] * sqrt(k + 0.5) * even)
}, total(for r in ratios => 1) - 1)[3]

// The support of a window with which transforms have this error.
// - tolerance: number, the error relative to the rms of the result
// - oversampling: number from 1.25 to 2
// Value: int, 2 to 14.
// Example: nufft_support(1e-6)
fn nufft_support(tolerance, oversampling = 2.0) =
  min(max(floor(if oversampling == 2 then 1.999 - log(tolerance) / log(10)
                else 1.999 - log(tolerance) / (pi * sqrt(1 - 1 / oversampling))), 2), 14)

// The window that the transforms use.
// - tolerance: number from 10⁻¹² to 10⁻²; another one is an error at compile time
// Value: record `{support, weight, accuracy}`.
// Example: nufft_window(1e-6).support
fn nufft_window(tolerance) =
  if tolerance < 1e-12 or tolerance > 1e-2 then error("the tolerance of a nufft is 1e-12 to 1e-2")
  else kaiser_bessel(nufft_support(tolerance), 2.0, max(0.03 * tolerance, 1e-15))

// ---- transforms ----

// The samples c_j = N^(−1/2) Σ_x f(x) exp(−2πi k_j (x − ⌊N/2⌋)/N) of an image (type 2).
// - image: field over dims with a length, real or complex; other dims are a batch
// - k: vector of real fields of pure numbers, cycles in the field of view, one for each direction of
//   the image; for one direction, also a field
// - tolerance: number from 10⁻¹² to 10⁻², the error relative to the rms of the result
// Value: complex field over the batch and the dims of k, in the unit of the image.
// Cost: a transform of twice the cells along each dim, and a readout.
// Source: Dutt & Rokhlin (1993); Fessler & Sutton (2003)
// Example: nufft(image, k)
fn nufft(image, k, tolerance = 1e-6) {
  warn_of_places(k, directions(image))
  samples_at(image, k, tolerance)
}

fn samples_at(image, k, tolerance) {
  let list = directions(image)
  let fine = for d in list => refine(d, 2)
  let modes = fft(constant[fine](0i), over = fine)
  let at = for d in list => map m in modes => (index(m, refine(d, 2)) + floor(cells(d) / 2)) * spacing(d)
  let spread = readout_at((1 + 0i) * image, at, "ngp")
  let inside = map m in spread => scale_of(for d in list => index(m, refine(d, 2)), list, tolerance) * spread
  readout_at(ifft(inside, over = fine), grid_places(k, list), nufft_window(tolerance))
}

// The image f(x) = N^(−1/2) Σ_j c_j exp(+2πi k_j (x − ⌊N/2⌋)/N) of samples (type 1), over the dims
// in brackets: those of the image and of the batch.
// - samples: field over the batch and the dims of k, real or complex
// - k: vector of real fields of pure numbers, cycles in the field of view, one for each direction of
//   the image; for one direction, also a field
// - tolerance: number from 10⁻¹² to 10⁻², the error relative to the rms of the result
// Value: complex field over the dims in brackets, in the unit of the samples.
// Cost: a paint, and a transform of twice the cells along each dim.
// Source: Dutt & Rokhlin (1993); Fessler & Sutton (2003)
// Example: nufft_adjoint[x, y](samples, k)
fn nufft_adjoint[D](samples, k, tolerance = 1e-6) {
  warn_of_places(k, directions(D))
  image_of[D](samples, k, tolerance)
}

fn image_of[D](samples, k, tolerance) {
  let list = directions(D)
  let fine = for d in list => refine(d, 2)
  let mesh = for d in D => if is_among(d, list) then refine(d, 2) else d
  let grid = paint_at[mesh](grid_places(k, list), nufft_window(tolerance), weight = (1 + 0i) * samples)
  let modes = fft(grid, over = fine)
  let at = for d in list => map q in [list] => index(q, d) - floor(cells(d) / 2)
  let image = readout_at(modes, at, "ngp")
  map q in image => product(for d in list => 2 cells(d)) *
    scale_of(for d in list => index(q, d) - floor(cells(d) / 2), list, tolerance) * image
}

// Warns if all places are within |k| = sqrt(d)/2 in d directions, because they are then probably in
// cycles per cell: such samples determine only the mean of an image. Samples at 0, and few samples or
// cells, cause no warning.
fn warn_of_places(k, list) {
  let places = components(k, list)
  let count = total(for d in list => 1)
  let few =
    total(for d in list => if cells(d) > 4 then 0 else 1) > 0 or product(for d in dims(places[0]) => cells(d)) <= 8
  let most = if few then 0.0 else sqrt(max(total(for p in places => p^2)))
  warn if most > 0 and most <= 0.50001 * sqrt(count),
       "nufft: all samples are within |k| = {:.3g}, less than a cycle per field of view, on a grid of {} cells along a dim; k is in cycles per field of view, from -N/2 to N/2: multiply k in cycles per cell, from -1/2 to 1/2, by the number of cells N",
       most, cells(list[0])
}

// Where in k-space's fine grid the samples are: a turn there is a field of view.
fn grid_places(k, list) = (for d in list => -spacing(d)) * components(k, list)

// k as a vector with a component for each of a list of directions. k of one direction may be a field alone.
fn components(k, list) {
  let turns = number(k, 1)  // k is a pure number: cycles in the field of view
  let count = total(for d in list => 1)
  if count == 1 or count == total(for c in k => 1) then (for d in list => 1.0) * turns
  else error("k has a component for each direction of the image, which are its dims with a length; images of a batch whose dim has one, such as slices, are transformed in 'each'")
}

// What an image's mode m is multiplied by: 0 where it is not in the image.
fn scale_of(m, list, tolerance) =
  product(for d in list => {
    let inside = m[d] >= -floor(cells(d) / 2) and m[d] < cells(d) - floor(cells(d) / 2)
    if inside then 1 / (sqrt(cells(d)) * kaiser_bessel_transform(m[d] / (2 cells(d)), nufft_support(tolerance))) else 0
  })

fn is_among(d, list) = total(for e in list => if e == d then 1 else 0) > 0

// ---- off-resonance: the phase exp(-2 pi i field(x) time_j), of a field map in Hz over the image and the time of each sample ----

// The samples c_j = N^(−1/2) Σ_x f(x) exp(−2πi (k_j (x − ⌊N/2⌋)/N + field(x) time_j)) of an image
// in an inhomogeneous field.
//
// It is a sum of transforms at some times. Between these, the phase is a polynomial in time. The
// number of transforms is chosen so that the error of the phase is at most `tolerance`. More phase
// than 200 transforms can represent ends the program with an error.
// - image: field over dims with a length, real or complex; other dims are a batch
// - k: vector of real fields, one for each direction of the image
// - field: real field over the image in Hz, the field map
// - time: real field over the dims of k or some of them, the time of each sample
// - tolerance: number from 10⁻¹² to 10⁻²
// Value: complex field over the batch and the dims of k, in the unit of the image.
// Source: Noll et al. (1991); Fessler et al. (2005)
// Example: nufft_off_resonance(image, k, field, time, tolerance = 1e-3)
fn nufft_off_resonance(image, k, field, time, tolerance = 1e-6) {
  warn_of_places(k, directions(image))
  let s = time_segments(field, time, tolerance)
  // Nearest cells, for the form of the samples alone.
  let none = 0i * readout_at(image, grid_places(k, directions(image)), "ngp")
  loop sum = none for l in 0 .. s.count =>
    sum + segment_weight(s, time, l) * samples_at(segment_phase(s, field, l) * image, k, tolerance)
}

// The adjoint of `nufft_off_resonance`: an image over the dims in brackets.
// - samples: field over the batch and the dims of k, real or complex
// - k: vector of real fields, one for each direction of the image
// - field: real field over the image in Hz, the field map
// - time: real field over the dims of k or some of them, the time of each sample
// - tolerance: number from 10⁻¹² to 10⁻²
// Value: complex field over the dims in brackets, in the unit of the samples.
// Source: Noll et al. (1991); Fessler et al. (2005)
// Example: nufft_off_resonance_adjoint[x, y](samples, k, field, time, tolerance = 1e-3)
fn nufft_off_resonance_adjoint[D](samples, k, field, time, tolerance = 1e-6) {
  warn_of_places(k, directions(D))
  let s = time_segments(field, time, tolerance)
  loop sum = 0i + zeros[D] for l in 0 .. s.count =>
    sum + conj(segment_phase(s, field, l)) * image_of[D](conj(segment_weight(s, time, l)) * samples, k, tolerance)
}

// The segments of `nufft_off_resonance`. With c = π (range of the field)(range of the times)/2,
// polynomials through n times have an error of at most 2 (c/2)^n/n!.
// - field: real field in Hz
// - time: real field
// - tolerance: number, the largest error of the phase
// Value: record `{count, middle, reach, frequency}`: the number of transforms, the middle and half
//   the range of the times, and the frequency in the middle of the field map.
// Example: time_segments(field, time, 1e-3).count
fn time_segments(field, time, tolerance) {
  let (first, last) = (min(time), max(time))
  let (low, high) = (min(field), max(field))
  let half = pi / 4 * (high - low) * (last - first)
  let (count, error) = loop (n, e) = (1, 2 * half) while e > tolerance and n < 200 => (n + 1, e * half / (n + 1))
  assert error <= tolerance, "off-resonance: {:.0f} turns of phase during the samples are too many", 4 * half / pi
  {count = count, middle = 0.5 (first + last), reach = 0.5 (last - first), frequency = 0.5 (low + high)}
}

// Chebyshev's place l of `count`, from -1 to 1.
fn segment_place(s, l) = cos(pi * (l + 0.5) / s.count)

// What the image is multiplied by for segment l, and its samples afterwards.
fn segment_phase(s, field, l) = exp(-2i * pi * (field - s.frequency) * (s.middle + s.reach * segment_place(s, l)))

fn segment_weight(s, time, l) = map q in time => {
  let u = if s.reach > 0 * s.reach then (time - s.middle) / s.reach else 0
  let here = segment_place(s, l)
  let basis = loop p = 1.0 for m in 0 .. s.count => {
    let other = segment_place(s, m)
    if m == l then p else p * (u - other) / (here - other)
  }
  basis * exp(-2i * pi * s.frequency * time)
}

// ---- reconstruction ----

// The function f → `nufft_adjoint[D](weight * nufft(f, k), k)` of images over the dims in
// brackets, as a convolution on twice the cells along each dim. Its kernel is computed once. Use
// it in iterations.
// - k: vector of real fields, one for each direction of the image
// - weight: real field over the dims of k, or number
// - tolerance: number from 10⁻¹² to 10⁻²
// Value: function from an image to an image.
// Cost: of a call, two transforms of twice the cells along each dim, without a paint or readout of
//   samples.
// Source: Wajer & Pruessmann (2001)
// Example: nufft_normal[x, y](k, 1 + 0 * k[0])(image)
fn nufft_normal[D](k, weight, tolerance = 1e-6) {
  let list = directions(D)
  let double = for d in list => refine(d, 2)
  let many = product(for d in list => 2 cells(d))
  warn_of_places(k, list)
  let kernel = fft(image_of[double]((1 + 0i) * weight, 2 * k, tolerance), over = double)
  // The kernel's middle is cell N of 2 N.
  let spectrum = map m in kernel => 2^total(for d in list => 1) * sqrt(many) * kernel *
    product(for d in list => 1 - 2 remainder(index(m, refine(d, 2)), 2))
  x => {
    let at = for d in list => map q in [double] => index(q, refine(d, 2)) * spacing(d)
    let read = readout_at((1 + 0i) * x, at, "ngp")
    let padded = map q in read =>
      if total(for d in list => if index(q, refine(d, 2)) < cells(d) then 0 else 1) == 0 then read else 0
    let blurred = ifft(spectrum * fft(padded, over = double), over = double)
    readout_at(blurred, for d in list => map q in [list] => index(q, d) * spacing(refine(d, 2)), "ngp")
  }
}

// The area of k-space, in modes, that each sample represents. With these weights,
// `nufft_adjoint[D](weight * nufft(f, k), k)` is nearly f where samples cover k-space.
//
// The sum of the weights around every sample, convolved twice with a window, is made that of a
// density of 1. The area is |k| Δk Δθ on dense radial lines, and 1 at modes, both to about
// tolerance/10. Where samples are farther apart than two modes, it is the weight of a single
// sample, about 1.7 for each direction.
// - k: vector of real fields, one for each direction of the image
// - iterations: int
// - tolerance: number from 10⁻¹² to 10⁻²
// Value: real field over the dims of k.
// Cost: a paint and a readout for each iteration.
// Source: Pipe & Menon (1999); Johnson & Pipe (2009) for the window
// Example: density_compensation[x, y](k)
fn density_compensation[D](k, iterations: int = 15, tolerance = 1e-2) {
  let list = directions(D)
  let fine = for d in list => refine(d, 2)
  warn_of_places(k, list)
  let places = grid_places(k, list)
  let support = density_support(tolerance)
  let window = kaiser_bessel(support, 1.0, nufft_window(tolerance).accuracy)
  let weight = loop w = 1 + 0 * components(k, list)[0] for i in 0 .. iterations =>
    w / readout_at(paint_at[fine](places, window, weight = w), places, window)
  // A mode is two cells of the fine grid.
  product(for d in list => kaiser_bessel_transform(0.0, support, 1.0)^2 / 2) * weight
}

// Three cells more than the window of transforms: a sum over modes is the integral to 0.1 tolerance.
fn density_support(tolerance) = min(nufft_support(tolerance) + 3, 14)

// ---- trajectories for images of n cells across, over S (shots) and R (samples of a shot), and P (planes) ----

// Lines through the center of k-space, over [S, R].
// - n: number of modes across the image
// - golden: bool; if true, lines are turned by the golden angle, else by equal angles in half a
//   turn
// Value: vector of two fields.
// Source: Winkelmann et al. (2007) for the golden angle
// Example: radial[spoke, along](12, golden = true)
fn radial[S, R](n, golden = false) {
  let step = if golden then pi * (sqrt(5) - 1) / 2 else pi / cells(S)
  map q in [S, R] => {
    let r = n * ((index(q, R) + 0.5) / cells(R) - 0.5)
    (r * cos(step * index(q, S)), r * sin(step * index(q, S)))
  }
}

// Lines through the center of k-space in three directions, over [S, R]. Any number of consecutive
// shots is distributed evenly over the directions.
// - n: number of modes across the image
// Value: vector of three fields.
// Source: Chan et al. (2009), golden means
// Example: kooshball[spoke, along](12)
fn kooshball[S, R](n) = map q in [S, R] => {
  let r = n * ((index(q, R) + 0.5) / cells(R) - 0.5)
  let up = remainder(0.465571231876768 index(q, S), 1)
  let angle = 2 pi * remainder(0.682327803828019 index(q, S), 1)
  (r * sqrt(1 - up^2) * cos(angle), r * sqrt(1 - up^2) * sin(angle), r * up)
}

// Archimedean spirals from the center of k-space outward, over [S, R], with equal angles between
// the shots.
// - n: number of modes across the image
// - turns: number of turns of each spiral
// Value: vector of two fields.
// Example: spiral[spoke, along](12, 3)
fn spiral[S, R](n, turns) = map q in [S, R] => {
  let part = (index(q, R) + 0.5) / cells(R)
  let angle = 2 pi * (turns * part + index(q, S) / cells(S))
  (0.5 n * part * cos(angle), 0.5 n * part * sin(angle))
}

// Radial lines in planes at the modes of a third direction, over [P, S, R].
// - n: number of modes across the image
// - golden: bool; if true, lines are turned by the golden angle, else by equal angles
// Value: vector of three fields.
// Example: stack_of_stars[plane, spoke, along](12)
fn stack_of_stars[P, S, R](n, golden = false) {
  let star = radial[S, R](n, golden)
  let flat = 0 * zeros[P, S, R]
  (flat + star[0], flat + star[1], map q in flat => index(q, P) - floor(cells(P) / 2))
}
