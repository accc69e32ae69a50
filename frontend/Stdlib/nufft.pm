// Fourier transforms between an image and samples anywhere in its k-space.
//
// An image is a complex field over dims with a length; further dims, such as the coils, count a batch. k is a vector of real
// fields over any dims, one for each direction of the image: the sample's place in k-space in cycles a field of view, so that
// whole numbers are the modes of `fft`. As in `mri`, the centre of the field of view is the cell with index floor(N/2), and sums
// have the factor of unitary transforms:
//   nufft           c_j = N^(-1/2) sum_x f(x) exp(-2 pi i k_j (x - floor(N/2))/N), all dims likewise
//   nufft_adjoint   f(x) = N^(-1/2) sum_j c_j exp(+2 pi i k_j (x - floor(N/2))/N)
// For whole k the first is centred_fft. They are each other's adjoint to rounding, and have derivatives by images, samples and k.
//
// How (Dutt & Rokhlin 1993; Fessler & Sutton 2003): k-space on a grid twice as fine, interpolated with a window that image and
// its transform divide out. `tolerance`, 1e-12 to 1e-2, bounds the error relative to the root mean square of the result; it and the window
// are constants. In f32 rounding errors of places in k-space grow with N: 2e-6 for N = 64, 8e-5 for 4096. Images and samples have any unit.

use math

// ---- windows ----

// The window of Kaiser & Bessel, I0(beta sqrt(1 - (2u/support)^2))/I0(beta), for grids that are `oversampling` times as fine as
// needed (Beatty et al. 2005, eq. 5).
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

// Its Fourier transform, the integral of W(u) exp(-2 pi i xi u) du, for |xi| <= 1/(2 oversampling).
fn kaiser_bessel_transform(xi, support, oversampling = 2.0) {
  let beta = kaiser_bessel_shape(support, oversampling)
  let z = sqrt(beta^2 - (pi * support * xi)^2)
  support * (exp(z - beta) - exp(-z - beta)) / (2 z) / scaled_bessel_i0(beta, 1)
}

// exp(-beta) I0(beta s), 0 <= s <= 1: the mean of exp(beta s cos t) over t, which 32 values give to rounding for beta < 40.
fn scaled_bessel_i0(beta, s) = total(for i in 0 .. 32 => exp(beta * (s * cos(pi * (i + 0.5) / 32) - 1))) / 32

// The exponential of a semicircle, exp(beta (sqrt(1 - (2u/support)^2) - 1)) (Barnett, Magland & af Klinteberg 2019), for such grids. Its ends
// are steep, but as small as exp(-beta): a polynomial is asked to be right to that.
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

// Its Fourier transform, the integral of W(u) exp(-2 pi i xi u) du, with u = support/2 sin t, where 40 values at equal t are right to rounding.
fn semicircle_transform(xi, support, oversampling = 2.0) {
  let beta = semicircle_shape(support, oversampling)
  total(for i in 0 .. 40 => {
    let t = pi * ((i + 0.5) / 40 - 0.5)
    cos(t) * exp(beta * (cos(t) - 1)) * cos(pi * support * xi * sin(t))
  }) * support * pi / 80
}

// The prolate spheroidal function of order 0 (Slepian & Pollak 1961): of all windows of that support the one with the least of its transform
// beyond |xi| = 1 - 1/(2 oversampling), from where it is folded into what is kept. support: cells of the fine grid, at most 14; xi: cycles a cell;
// accuracy: the error, relative to the largest value, with which the weight may be tabulated.
fn prolate(support, oversampling = 2.0, accuracy = 1e-14) {
  let series = prolate_series(prolate_shape(support, oversampling))
  {support = support, weight = u => prolate_at(series, 2 * u / support), accuracy = accuracy}
}

fn prolate_shape(support, oversampling = 2.0) =
  if support > 14 then error("'prolate' has at most 14 cells, as the other windows have")
  else pi * support * (1 - 0.5 / oversampling)

// Its Fourier transform, the integral of W(u) exp(-2 pi i xi u) du, for |xi| <= 1 - 1/(2 oversampling): the same function again.
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

// Cells of the window with which transforms are as accurate as that.
fn nufft_support(tolerance, oversampling = 2.0) =
  min(max(floor(if oversampling == 2 then 1.999 - log(tolerance) / log(10)
                else 1.999 - log(tolerance) / (pi * sqrt(1 - 1 / oversampling))), 2), 14)

fn nufft_window(tolerance) =
  if tolerance < 1e-12 or tolerance > 1e-2 then error("the tolerance of a nufft is 1e-12 to 1e-2")
  else kaiser_bessel(nufft_support(tolerance), 2.0, max(0.03 * tolerance, 1e-15))

// ---- transforms ----

// k-space of an image at k.
fn nufft(image, k, tolerance = 1e-6) {
  let list = directions(image)
  let fine = for d in list => refine(d, 2)
  let modes = fft(constant[fine](0i), over = fine)
  let at = for d in list => map m in modes => (index(m, refine(d, 2)) + floor(cells(d) / 2)) * spacing(d)
  let spread = readout_at((1 + 0i) * image, at, "ngp")
  let inside = map m in spread => scale_of(for d in list => index(m, refine(d, 2)), list, tolerance) * spread
  readout_at(ifft(inside, over = fine), grid_places(k, list), nufft_window(tolerance))
}

// The image over D, and the batch dims there, of samples at k.
fn nufft_adjoint[D](samples, k, tolerance = 1e-6) {
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

// Where in k-space's fine grid the samples are: a turn there is a field of view.
fn grid_places(k, list) = (for d in list => -spacing(d)) * components(k, list)

// k as a vector with a component for each of a list of directions. k of one direction may be a field alone.
fn components(k, list) {
  let count = total(for d in list => 1)
  if count == 1 or count == total(for c in k => 1) then (for d in list => 1.0) * k
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

// c_j = N^(-1/2) sum_x f(x) exp(-2 pi i (k_j (x - floor(N/2))/N + field(x) time_j)): a sum of transforms of what the image is at
// some times (Noll et al. 1991; Fessler et al. 2005). Between these, which are Chebyshev's, the phase is a polynomial in time; there
// are as many as its error calls for to be at most `tolerance`.
fn nufft_off_resonance(image, k, field, time, tolerance = 1e-6) {
  let s = time_segments(field, time, tolerance)
  // Nearest cells, for the form of the samples alone.
  let none = 0i * readout_at(image, grid_places(k, directions(image)), "ngp")
  loop sum = none for l in 0 .. s.count =>
    sum + segment_weight(s, time, l) * nufft(segment_phase(s, field, l) * image, k, tolerance)
}

// Its adjoint: the image over D, and the batch dims there.
fn nufft_off_resonance_adjoint[D](samples, k, field, time, tolerance = 1e-6) {
  let s = time_segments(field, time, tolerance)
  loop sum = 0i + zeros[D] for l in 0 .. s.count =>
    sum + conj(segment_phase(s, field, l)) * nufft_adjoint[D](conj(segment_weight(s, time, l)) * samples, k, tolerance)
}

// The range of times, the frequency in the middle of the field, and how many polynomials of how high a degree: with
// c = pi (range of the field) (range of times)/2, those through n times are wrong by at most 2 (c/2)^n/n!.
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

// A* W A as a function of images over D, A being `nufft` with k and W multiplying samples by `weight`: a convolution on twice the
// cells (Wajer & Pruessmann 2001), whose kernel is computed here, once.
fn nufft_normal[D](k, weight, tolerance = 1e-6) {
  let list = directions(D)
  let double = for d in list => refine(d, 2)
  let many = product(for d in list => 2 cells(d))
  let kernel = fft(nufft_adjoint[double]((1 + 0i) * weight, 2 * k, tolerance), over = double)
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

// Weights of samples by which nufft_adjoint[D](weight * nufft(f)) is nearly f where k-space is covered: the area of k-space, in
// modes, that each sample stands for (Pipe & Menon 1999). The sum of weights around every sample, folded twice with a window, is
// made that of a density of 1. The window's transform is small outside the half of the fine field of view that the image fills
// (Johnson & Pipe 2009), so that the sum of twice the window over modes is its integral. Samples at modes and dense samples
// therefore have one normalization.
fn density_compensation[D](k, iterations: int = 15, tolerance = 1e-2) {
  let list = directions(D)
  let fine = for d in list => refine(d, 2)
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

// Lines through the middle of k-space, turned by equal angles in half a turn, or by the golden angle (Winkelmann et al. 2007).
fn radial[S, R](n, golden = false) {
  let step = if golden then pi * (sqrt(5) - 1) / 2 else pi / cells(S)
  map q in [S, R] => {
    let r = n * ((index(q, R) + 0.5) / cells(R) - 0.5)
    (r * cos(step * index(q, S)), r * sin(step * index(q, S)))
  }
}

// Lines through the middle of k-space in three dims; those of any number of shots that follow each other are spread evenly over the
// directions (Chan et al. 2009, golden means).
fn kooshball[S, R](n) = map q in [S, R] => {
  let r = n * ((index(q, R) + 0.5) / cells(R) - 0.5)
  let up = remainder(0.465571231876768 index(q, S), 1)
  let angle = 2 pi * remainder(0.682327803828019 index(q, S), 1)
  (r * sqrt(1 - up^2) * cos(angle), r * sqrt(1 - up^2) * sin(angle), r * up)
}

// Archimedean spirals from the middle outwards, each with so many turns, shots turned against each other.
fn spiral[S, R](n, turns) = map q in [S, R] => {
  let part = (index(q, R) + 0.5) / cells(R)
  let angle = 2 pi * (turns * part + index(q, S) / cells(S))
  (0.5 n * part * cos(angle), 0.5 n * part * sin(angle))
}

// Radial lines in planes at the modes of the third dim.
fn stack_of_stars[P, S, R](n, golden = false) {
  let star = radial[S, R](n, golden)
  let flat = 0 * zeros[P, S, R]
  (flat + star[0], flat + star[1], map q in flat => index(q, P) - floor(cells(P) / 2))
}
