// Magnetic resonance imaging without known sensitivities of coils, and series of images: lines of
// k-space from their neighbors, joint estimation of an image and its coils, and low rank with
// sparse changes. Conventions are those of `mri`.
//
// Setup: use nufft, mri
//   dim c = 4, t = 3
//   dim x = 24, y = 24, z = 8 over 240 mm
//   let truth = centred_ifft(ellipsoids_kspace[x, y, z](head_phantom()))[z = 4]
//   let maps = birdcage_maps[c, x, y](c)
//   let mask = uniform_mask[y](2, centre = 16)
//   let data = mask * centred_fft(maps * truth)
//   let e = sense(maps, mask, c)
//   let series = e.forward(truth * (map q in [t] => 1 + 0.1 * index(q, t)))
//
// Internal: require_grappa require_lines grappa_matrix digit_of

use math, fields, solvers, mri

// ---- GRAPPA ----

// The k-space of all coils with every mode: a missing mode is a sum over the coils and over the
// nearest measured modes.
//
// The factors w of these sums are fitted to the middle modes. They minimize |A w − y|² + weight
// |A|²/n |w|² for n factors, by conjugate gradients.
// - data: k-space, a complex field over the coil and the modes of the image
// - mask: field over some or all of the modes, 1 where k-space is measured and 0 elsewhere: the
//   lines whose index along `along` is a multiple of `step`, and the `width` middle modes along
//   every dim, as `uniform_mask[y](step, centre = width)` has them
// - coil: dim of the coils
// - along: dim of the image, across which lines are missing
// - step: int, at least 2; every step-th line is measured
// - kernel: odd int, the number of modes of a sum along each other dim
// - lines: even int, the number of measured lines of a sum along `along`
// - width: int, the number of middle modes along each dim; at least the size of a patch, (lines −
//   1) step + 1 and kernel, and at most the number of cells
// - weight: number, the relative weight of |w|²
// - iterations: int, the largest number of iterations of conjugate gradients
// Value: complex field like data. Measured modes are those of data. An argument out of its range
//   ends the program with an error.
// Source: Griswold et al. (2002)
// Example: grappa(data, mask, c, y, step = 2, width = 16)
fn grappa(data, mask, coil, along, step: int, kernel: int = 5, lines: int = 4, width: int = 24, weight = 1e-6,
          iterations: int = 300) {
  require_grappa(data, step, kernel, lines, width)
  require_lines(data, mask, along, step, width)
  let second = piece(coil, cells(coil))
  let scaled = in_range(data)
  let matrix = total(for offset in 1 .. step =>
    grappa_matrix(scaled, coil, second, along, step, offset, kernel, lines, width, weight, iterations))
  let images = centred_ifft(map k in scaled => if remainder(index(k, along), step) == 0 then scaled else 0)
  let filled = twice_times(1 / range_root(data), centred_fft(sum(matrix * images[coil = second], over = second)))
  map k in filled => if mask > 0 then data else filled
}

fn require_grappa(data, step: int, kernel: int, lines: int, width: int) {
  assert step >= 2, "grappa: step = {}, expected 2 or more", step
  assert kernel >= 1 and remainder(kernel, 2) == 1, "grappa: kernel = {}, expected an odd number of modes", kernel
  assert lines >= 2 and remainder(lines, 2) == 0, "grappa: lines = {}, expected an even number", lines
  let least = max((lines - 1) * step + 1, kernel)
  assert width >= least, "grappa: width = {} modes, expected at least {}, the size of a patch", width, least
  let small = total(for d in directions(data) => if cells(d) < width then 1 else 0)
  assert small == 0, "grappa: width = {} modes, but the image has fewer cells along a dim; expected at most as many",
         width
}

// The modes that `grappa` takes as measured are measured.
fn require_lines(data, mask, along, step: int, width: int) {
  let missing = sum(map k in data =>
    if mask > 0 then 0
    else if remainder(index(k, along), step) == 0 or is_central(k, directions(data), width) then 1 else 0)
  assert missing == 0,
         "grappa: the mask lacks {} modes of the coils: expected every line whose index along the dim is a multiple of step = {}, and the width = {} middle modes",
         missing, step, width
}

// At every point the matrix over (second, coil) that makes images of the lines `offset` after
// measured ones from those of measured ones.
fn grappa_matrix(data, coil, second, along, step: int, offset: int, kernel: int, lines: int, width: int, weight,
                 iterations: int) {
  let list = for d in directions(data) => d
  let sides = for d in list => if d == along then lines else kernel
  let places = for d in list => width - (if d == along then (lines - 1) * step else kernel - 1)
  // The first mode of a patch, seen from the target, which is inside of it.
  let first = for d in list => if d == along then -offset - (lines / 2 - 1) * step else -(kernel - 1) / 2
  let tap = piece(along, product(sides))
  let row = numbered(coil, max(product(places), 1), 4)
  fn lag(i, d) = first[d] + (if d == along then step else 1) * digit_of(i, list, sides, d)
  fn target(i, d) = digit_of(i, list, places, d) - first[d] - floor(width / 2)
  let A = readout_at(data, for d in dims(data) => map e in [row, tap, second] =>
    if d == coil then index(e, second) * spacing(coil) else target(index(e, row), d) + lag(index(e, tap), d), "ngp")
  let y = readout_at(data, for d in dims(data) => map e in [row, coil] =>
    if d == coil then index(e, coil) * spacing(coil) else target(index(e, row), d), "ngp")
  let ridge = weight * sum(norm2(A)) / (cells(tap) * cells(second))
  let b = complex_sum(conj(A), y, row)
  fn normal(u) = complex_sum(conj(A), complex_sum(A, u, (tap, second)), row) + ridge * u
  let w = conjugate_gradients(u => normal(u), b, 0 * b, 1e-12, iterations).x
  let turn = map e in [tap, list] =>
    exp(-2i * pi * total(for d in list => lag(index(e, tap), d) * (index(e, d) - floor(cells(d) / 2)) / cells(d)))
  complex_sum(w, turn, tap)
}

// The digit of i for d, of numbers that count through sizes[o] for every o in `list`, the first one
// fastest.
fn digit_of(i, list, sizes, d) {
  let n = total(for o in list => 1)
  total(for j in 0 .. n => if list[j] == d then
                             remainder(floor(i / product(for m in 0 .. n => if m < j then sizes[m] else 1)), sizes[j])
                           else 0)
}

// ---- joint estimation of image and coils ----

// An image of two dims and the sensitivities of its coils, from k-space alone, by the iteratively
// regularized Gauss–Newton method for |mask FT(ρ c_j) − data|².
//
// The sensitivities c_j = FT⁻¹ (1 + stiffness |m/N|²)^(−power/2) a_j are smooth, for the mode m of
// N. The penalty of step n is α (|ρ − 1|² + |a|²) with α = start_weight · reductionⁿ. Data are
// scaled to the norm 100 first.
// - data: k-space, a complex field over the coil and the modes of the image, in any unit
// - mask: field over some or all of the modes, 1 where k-space is measured and 0 elsewhere
// - coil: dim of the coils
// - steps: int, the number of Gauss–Newton steps; more steps follow the data more closely, and also
//   their noise
// - start_weight: number, α of the first step
// - reduction: number, the ratio of α of successive steps
// - stiffness, power: numbers, the smoothness of the sensitivities
// - tolerance: number, as for `conjugate_gradients`, in each step
// - iterations: int, the largest number of iterations of conjugate gradients in each step
// Value: record `{image, maps}`. image is ρ √Σ|c|², a complex field in the unit of the data. maps
//   are c/√Σ|c|², and 0 where c is 0.
// Source: Uecker et al. (2008)
// Example: nlinv(data, mask, c, steps = 3).image
fn nlinv(data, mask, coil, steps: int = 8, start_weight = 1.0, reduction = 0.5, stiffness = 220.0, power = 32.0,
         tolerance = 0.01, iterations: int = 100) {
  let size = sqrt(inner(data, data))
  let scale = 100 / size
  let y = scale * data
  let list = directions(data)
  fn smoothed(a) {
    let ak = fft(a, over = list)
    ifft(map k in ak => ak *
      exp(-0.5 * power * log(1 + stiffness * total(for d in list => (index(k, d) / cells(d))^2))),
         over = list)
  }
  let images = centred_ifft(y)
  let begin = {image = 0 * sum(images, over = coil) + 1, coils = 0 * images}
  let end = loop (s, alpha) = (begin, 1.0 * start_weight) for i in 0 .. steps => {
    let c = smoothed(s.coils)
    fn forward(d) = mask * centred_fft(d.image * c + s.image * smoothed(d.coils))
    fn adjoint(r) {
      let f = centred_ifft(mask * r)
      {image = sum(conj(c) * f, over = coil), coils = smoothed(conj(s.image) * f)}
    }
    let residual = y - mask * centred_fft(s.image * c)
    let right = adjoint(residual) + alpha * (begin - s)
    let step = conjugate_gradients(d => adjoint(forward(d)) + alpha * d, right, 0 * right, tolerance, iterations).x
    (s + step, alpha * reduction)
  }
  let c = smoothed(end[0].coils)
  let length = root_sum_of_squares(c, coil)
  {image = 1 / scale * (end[0].image * length), maps = map q in c => if length > 0 then c / length else 0}
}

// ---- low rank and sparse ----

// A series of images as the sum of a series L of low rank and a series S with few frequencies in
// time: it minimizes ½|E (L + S) − data|² + low_weight |L|_* + sparse_weight Σ|F S|.
//
// |L|_* is the sum of the singular values of the matrix with an image in each column. F is the
// unitary Fourier transform over time. Proximal gradient steps of L and S follow each other.
// - e: encoding operator, such as `sense(maps, mask, coil)`
// - data: samples, as of `e.forward`, over `time`
// - time: dim that counts the images
// - low_weight, sparse_weight: numbers in the unit of the images
// - iterations: int, the largest number of iterations
// - tolerance: number; the iterations end where L + S changes by at most this, relative to its size
// Value: record `{low, sparse}` of complex fields, series of images over `time`.
// Source: Otazo, Candès & Sodickson (2015)
// Example: low_rank_sparse(e, series, t, 0.01, 0.01, iterations = 3).low
fn low_rank_sparse(e, data, time, low_weight, sparse_weight, iterations: int = 50, tolerance = 0.0) {
  require_weight(low_weight)
  require_weight(sparse_weight)
  let step = reciprocal(e.bound)
  let start = step * e.adjoint(data)
  let n = sqrt(cells(time))
  fn fewer(f) = ifft(soft_threshold(fft(f, over = time), step * sparse_weight / n), over = time)
  let begin = {low = start, sparse = 0 * start, both = start, change = 1.0 + tolerance}
  let end = loop s = begin for i in 0 .. iterations =>
    if going(s.change, tolerance) then {
      let l = shrink_rank(s.both - s.sparse, step * low_weight, time)
      let p = fewer(s.both - l)
      let next = l + p - step * (e.normal(l + p) - e.adjoint(data))
      {low = l, sparse = p, both = next, change = relative_change(l + p - s.low - s.sparse, l + p)}
    } else s
  {low = end.low, sparse = end.sparse}
}
