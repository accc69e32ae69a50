// Magnetic resonance imaging without known sensitivities of coils, and series of images: lines of
// k-space from their neighbors, joint estimation of an image and its coils, and low rank with
// sparse changes. Conventions are those of `mri`.
//
// Setup: use nufft, mri
//   dim c = 4, t = 3, spoke = 20, along = 32
//   dim x = 24, y = 24, z = 8 over 240 mm
//   let truth = centred_ifft(ellipsoids_kspace[x, y, z](head_phantom()))[z = 4]
//   let maps = birdcage_maps[c, x, y](c)
//   let mask = uniform_mask[y](2, centre = 16)
//   let data = mask * centred_fft(maps * truth)
//   let e = sense(maps, mask, c)
//   let series = e.forward(truth * (map q in [t] => 1 + 0.1 * index(q, t)))
//
// Internal: require_grappa require_lines grappa_matrix digit_of require_spirit centred_modes
//   patch_cell joint_estimate grid_stiffness require_jsense middle_modes few_modes coils_of

use math, fields, solvers, linalg, wavelets, nufft, mri

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
  let w = conjugate_gradients(u => normal(u), b, 0 * b, 1e-12, iterations, warns = false).x
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

// ---- SPIRiT ----

// The k-space of all coils with every mode, by self-consistency: each mode is a sum over the modes
// around it, in all coils, measured or not.
//
// It minimizes |G x − x|² over the missing modes of x, by conjugate gradients. G is that of
// `spirit_operator`. The mask is arbitrary, except that it has the middle modes.
// - data: k-space, a complex field over the coil and the modes of the image, in any unit
// - mask: field over some or all of the modes, 1 where k-space is measured and 0 elsewhere
// - coil: dim of the coils
// - kernel, width, weight: as for `spirit_operator`
// - tolerance: number, as for `conjugate_gradients`
// - iterations: int, the largest number of iterations of conjugate gradients; more iterations
//   follow the consistency more closely, and amplify noise
// Value: complex field like data. Measured modes are those of data.
// Source: Lustig & Pauly (2010)
// Cost: four transforms for each coil and iteration.
// Example: spirit(data, mask, c, width = 16)
fn spirit(data, mask, coil, kernel: int = 5, width: int = 24, weight = 0.01, tolerance = 1e-6, iterations: int = 30) {
  let g = spirit_operator(data, mask, coil, kernel, width, weight)
  fn missing(k) = map e in data => if mask > 0 then 0 * k else k
  fn normal(k) = missing(centred_fft(g.adjoint(g.residual(centred_ifft(k)))))
  let kept = map k in data => if mask > 0 then data else 0 * data
  let right = -1 * normal(kept)
  kept + conjugate_gradients(u => normal(missing(u)), right, 0 * right, tolerance, iterations, warns = false).x
}

// `spirit` with joint sparsity of the coils' images in wavelets, by projections: each iteration
// applies G, shrinks the wavelet details of all coils together, and restores the measured modes.
// - data: k-space, a complex field over the coil and the modes of the image, in any unit
// - mask: field over some or all of the modes, 1 where k-space is measured and 0 elsewhere; lines
//   at random places make artifacts that wavelets remove
// - coil: dim of the coils
// - threshold: number in the unit of the data, at least 0; √Σ|details|² over the coils becomes
//   smaller by this
// - kernel, width, weight: as for `spirit_operator`
// - family, levels: as for `wavelet`
// - iterations: int
// Value: complex field like data. Measured modes are those of data.
// Source: Lustig & Pauly (2010); Murphy et al. (2012)
// Cost: two transforms and two wavelet transforms for each coil and iteration.
// Example: sparse_spirit(data, mask, c, 0.01, width = 16, iterations = 3)
fn sparse_spirit(data, mask, coil, threshold, kernel: int = 5, width: int = 24, weight = 0.01, family = "db4",
                 levels: int = 3, iterations: int = 50) {
  require_weight(threshold)
  let g = spirit_operator(data, mask, coil, kernel, width, weight)
  let kept = map k in data => if mask > 0 then data else 0 * data
  loop k = kept for i in 0 .. iterations => {
    let images = centred_ifft(k)
    let details = wavelet(images + g.residual(images), family, levels)
    let size = root_sum_of_squares(details, coil)
    let shrunk = shrink_details(size, threshold, levels)
    let factor = map q in size => if size > 0 * size then shrunk / size else 0
    let next = centred_fft(inverse_wavelet(factor * details, family, levels))
    map e in next => if mask > 0 then data else next
  }
}

// The operator G of self-consistency, calibrated in the middle of k-space: each mode of a coil is a
// sum over the kernel^d modes around it in all coils, without itself. The factors w minimize |A w −
// y|² + weight |A|²/n |w|² for n factors.
// - data: k-space, a complex field over the coil and the modes of the image, in any unit
// - mask: field over some or all of the modes, 1 where k-space is measured and 0 elsewhere
// - coil: dim of the coils
// - kernel: odd int, the number of modes of a sum along each dim, at most `width`
// - width: int, the number of measured middle modes along each dim
// - weight: number above 0, the relative weight of |w|²
// Value: record `{residual, adjoint}` of functions of the images of all coils, as of `centred_ifft`:
//   residual(f) is G f − f, and adjoint is its transpose. Arguments out of range, and missing middle
//   modes, end the program with an error.
// Source: Lustig & Pauly (2010), eqs. 4 and 5
// Cost: a linear system of kernel^d unknowns for each pair of coils.
// Example: spirit_operator(data, mask, c, width = 16).residual(centred_ifft(data))
fn spirit_operator(data, mask, coil, kernel: int = 5, width: int = 24, weight = 0.01) {
  require_spirit(data, mask, kernel, width)
  let list = directions(data)
  let n = product(for d in list => kernel)
  let (p, q) = for i in 1 .. 3 => numbered(coil, cells(coil) * n, i)
  let row = numbered(coil, product(for d in list => width - kernel + 1), 4)
  let (tap, source) = (numbered(coil, n, 6), piece(coil, cells(coil)))
  let scaled = in_range(data)
  let G = complex_sum(conj(patches(scaled, coil, row, p, kernel, width)),
                      patches(scaled, coil, row, q, kernel, width), row)
  let ridge = weight * sum(map e in G => if index(e, p) == index(e, q) then real(G) else 0) / cells(p)
  // The mode itself is not among its neighbors.
  fn own(e) = int(index(e, coil)) * n + (n - 1) / 2
  let A = map e in [coil, p, q] => {
    let is_same = index(e, p) == index(e, q)
    if index(e, p) == own(e) or index(e, q) == own(e) then (if is_same then 1 + 0i else 0i)
    else G + (if is_same then ridge else 0)
  }
  let right = map e in [coil, p] => if index(e, p) == own(e) then 0i else G[q = int(own(e))]
  let w = solve_over(A, right, p, q)
  let factors = map e in [coil, source, tap] => w[q = int(index(e, source)) * n + int(index(e, tap))]
  let half = (kernel - 1) / 2
  let turn = map e in [tap, list] => exp(-2i * pi *
                                         total(for d in list => (patch_place(index(e, tap), kernel, list, d) - half) *
                                           (index(e, d) - floor(cells(d) / 2)) /
                                           cells(d)))
  let matrix = complex_sum(factors, turn, tap)
  fn back(r) {
    let found = sum(conj(matrix) * r, over = coil)
    found[source = coil] - r
  }
  {residual = f => sum(matrix * f[coil = source], over = source) - f, adjoint = r => back(r)}
}

fn require_spirit(data, mask, kernel: int, width: int) {
  assert kernel >= 1 and remainder(kernel, 2) == 1, "spirit: kernel = {}, expected an odd number of modes", kernel
  assert kernel <= width, "spirit: kernel = {}, expected at most width = {} modes", kernel, width
  let small = total(for d in directions(data) => if cells(d) < width then 1 else 0)
  assert small == 0, "spirit: width = {} modes, but the image has fewer cells along a dim; expected at most as many",
         width
  let missing = sum(map k in data => if mask > 0 or not is_central(k, directions(data), width) then 0 else 1)
  assert missing == 0, "spirit: the mask lacks {} of the width = {} middle modes of the coils along each dim", missing,
         width
}

// ---- SAKE ----

// The k-space of all coils with every mode, without a calibrated middle: the matrix with a patch of
// kernel^d modes of all coils in each row has a low rank.
//
// Each iteration projects the rows on the `rank` largest right singular vectors, averages what
// patches have of the same mode, and restores the measured modes.
// - data: k-space, a complex field over the coil and the modes of the image, in any unit
// - mask: field over some or all of the modes, 1 where k-space is measured and 0 elsewhere; at
//   random places
// - coil: dim of the coils
// - rank: int, from 1 to kernel^d times the number of coils
// - kernel: int, the number of modes of a patch along each dim
// - iterations: int
// Value: complex field like data. Measured modes are those of data. Arguments out of range end the
//   program with an error.
// Source: Shin et al. (2014); Cadzow (1988)
// Cost: n³ operations and 2 m n² operations in each iteration, for n = kernel^d times the number of
//   coils and m patches; stores the m × n matrix.
// Example: sake(data, mask, c, rank = 12, kernel = 3, iterations = 3)
fn sake(data, mask, coil, rank: int, kernel: int = 6, iterations: int = 50) {
  let list = directions(data)
  let n = product(for d in list => kernel) * cells(coil)
  assert rank >= 1 and rank <= n, "sake: rank = {}, expected 1 to {}, the number of modes of a patch in all coils",
         rank,
         n
  let small = total(for d in list => if cells(d) < kernel then 1 else 0)
  assert kernel >= 1 and small == 0, "sake: kernel = {}, expected 1 to the number of cells along each dim", kernel
  let r = range_root(data)
  // K-space with mode 0 at the cell floor(N/2).
  let known = map k in data => if mask > 0 then 1.0 else 0.0
  let seen = centred_modes(twice_times(r, data), coil)
  let measured_at = centred_modes(known, coil)
  let begin = measured_at * seen
  let (p, q) = for i in 1 .. 3 => numbered(coil, n, i)
  let row = numbered(coil, product(for d in list => cells(d) - kernel + 1), 4)
  let at = for d in dims(begin) => map e in [row, p] => patch_cell(e, row, p, coil, list, kernel, d) * spacing(d)
  let ones = map e in [row, p] => 1.0
  let count = paint_at[dims(begin)](at, "ngp", weight = ones)
  let end = loop f = begin for i in 0 .. iterations => {
    let A = readout_at(f, at, "ngp")
    let right = readout_at(f, for d in dims(begin) => map e in [row, q] =>
      patch_cell(e, row, q, coil, list, kernel, d) * spacing(d), "ngp")
    let V = eigh_over(complex_sum(conj(A), right, row), p, q).vectors
    let kept = map e in V => if index(e, q) >= n - rank then V else 0 * V
    let low = complex_sum(complex_sum(A, kept, p), conj(kept), q)
    let mean_of = paint_at[dims(begin)](at, "ngp", weight = low) / count
    map e in mean_of => if measured_at > 0.5 then seen else mean_of
  }
  twice_times(1 / r, to_modes(end, list))
}

// k-space over the dims of the image, with mode 0 at the cell floor(N/2): `to_modes` backward.
fn centred_modes(f, coil) {
  let list = directions(f)
  readout_at(f, for d in dims(f) => map e in [coil, list] =>
    if d == coil then index(e, coil) * spacing(coil) else index(e, d) - floor(cells(d) / 2), "ngp")
}

// The cell along d of the element (row, p) of the matrix of all patches: p counts the modes of a
// patch, then the coils.
fn patch_cell(e, row, p, coil, list, kernel: int, d) {
  let n = product(for o in list => kernel)
  let places = for o in list => cells(o) - kernel + 1
  if d == coil then floor(index(e, p) / n)
  else digit_of(index(e, row), list, places, d) + patch_place(index(e, p), kernel, list, d)
}

// ---- joint estimation of image and coils ----

// An image of two or three dims and the sensitivities of its coils, from k-space alone, by the
// iteratively regularized Gauss–Newton method for |mask FT(ρ c_j) − data|².
//
// The sensitivities c_j = FT⁻¹ (1 + stiffness |m/N|²)^(−power/2) a_j are smooth. Here m is the
// index of a mode, and N is the number of cells along a dim. The data are first scaled to the norm
// 100.
//
// Step n = 0, 1, … has the penalty α (|ρ − r|² + |a|²) with α = start_weight · reductionⁿ and r =
// reduction^(n/2). The first r is 1, so that ρ does not vanish in the first step. The last r is
// close to 0, because r = 1 would bias ρ toward 1 outside of the object. The remaining penalty of
// the last step is also a bias. The scale and the defaults are those of BART, with three
// exceptions: in BART, r is 0, stiffness is 220 and tolerance is 0.1.
// - data: k-space, a complex field over the coil and the modes of the image, in any unit
// - mask: field over some or all of the modes, 1 where k-space is measured and 0 elsewhere
// - coil: dim of the coils
// - steps: int, the number of Gauss–Newton steps; more steps follow the data more closely, and also
//   their noise
// - start_weight: number, α of the first step
// - reduction: number, the ratio of α of successive steps
// - stiffness, power: numbers, the smoothness of the sensitivities. The default of stiffness is 220
//   (L/256)², where L is the number of cells along the longest dim. Therefore the sensitivities
//   have the same modes for every L. The default of BART, 220, suits L = 256
// - tolerance: number without unit. The conjugate gradients of a step end when the residual is at
//   most the smaller of (tolerance |b|)² and |b|/2. Here b is the right side of the step, for data
//   of the norm 100. Later steps have a smaller |b|, and are therefore more accurate
// - iterations: int, the largest number of iterations of conjugate gradients in each step
// Value: record `{image, maps}`. image is ρ √Σ|c|², a complex field in the unit of the data. maps
//   are c/√Σ|c|², and 0 where c is 0.
// Source: Uecker et al. (2008)
// Cost: four transforms for each coil and iteration of conjugate gradients.
// Example: nlinv(data, mask, c, steps = 3).image
fn nlinv(data, mask, coil, steps: int = 8, start_weight = 1.0, reduction = 0.5,
         stiffness = grid_stiffness(directions(data)), power = 32.0, tolerance = 0.05, iterations: int = 100) =
  joint_estimate(data, f => mask * centred_fft(f), r => centred_ifft(mask * r), coil, steps, start_weight, reduction,
                 stiffness, power, tolerance, iterations)

// `nlinv` of samples along a trajectory. The dims of the coils and of the image are in brackets.
// - samples: complex field over the coil and the dims of the samples, in any unit
// - k: vector of fields, the places of the samples in cycles per field of view, as for `nufft`
// - coil: dim of the coils
// - accuracy: number, the tolerance of `nufft`
// - steps, start_weight, reduction, stiffness, power, tolerance, iterations: as for `nlinv`
// Value: record `{image, maps}`, as of `nlinv`.
// Source: Uecker et al. (2010)
// Cost: `nufft` and `nufft_adjoint` for each iteration of conjugate gradients.
// Example: let places = radial[spoke, along](24)
//   nufft_nlinv[c, x, y](nufft(maps * truth, places), places, c, steps = 2, iterations = 3).image
fn nufft_nlinv[D](samples, k, coil, accuracy = 1e-4, steps: int = 8, start_weight = 1.0, reduction = 0.5,
                  stiffness = grid_stiffness(directions(D)), power = 32.0, tolerance = 0.05, iterations: int = 100) =
  joint_estimate(samples, f => nufft(f, k, accuracy), r => nufft_adjoint[D](r, k, accuracy), coil, steps, start_weight,
                 reduction, stiffness, power, tolerance, iterations)

// The default stiffness of `nlinv` for an image over the dims `over`: 220 (L/256)², where L is the
// number of cells along the longest dim.
fn grid_stiffness(over) {
  let list = for d in over => d
  let longest = repeated(1.0, (n, i) => max(n, cells(list[i])), total(for d in over => 1))
  220 * (longest / 256)^2
}

// `nlinv` for the transform `encode` of the images of the coils, and its adjoint.
fn joint_estimate(data, encode, decode, coil, steps: int, start_weight, reduction, stiffness, power, tolerance,
                  iterations: int) {
  let size = sqrt(inner(data, data))
  let scale = 100 / size
  let y = scale * data
  let images = decode(y)
  let list = directions(images)
  fn smoothed(a) {
    let ak = fft(a, over = list)
    ifft(map k in ak => ak *
      exp(-0.5 * power * log(1 + stiffness * total(for d in list => (index(k, d) / cells(d))^2))),
         over = list)
  }
  let begin = {image = 0 * sum(images, over = coil) + 1, coils = 0 * images}
  let end = loop (s, alpha, r) = (begin, 1.0 * start_weight, 1.0) for i in 0 .. steps => {
    let c = smoothed(s.coils)
    fn forward(d) = encode(d.image * c + s.image * smoothed(d.coils))
    fn adjoint(r) {
      let f = decode(r)
      {image = sum(conj(c) * f, over = coil), coils = smoothed(conj(s.image) * f)}
    }
    let residual = y - encode(s.image * c)
    let right = adjoint(residual) + alpha * (r * begin - s)
    let relative = min(tolerance^2 * sqrt(inner(right, right)), 0.5)
    let step =
      conjugate_gradients(d => adjoint(forward(d)) + alpha * d, right, 0 * right, relative, iterations,
                          warns = false).x
    (s + step, alpha * reduction, r * sqrt(reduction))
  }
  let c = smoothed(end[0].coils)
  let length = root_sum_of_squares(c, coil)
  {image = 1 / scale * (end[0].image * length), maps = map q in c => if length > 0 then c / length else 0}
}

// ---- sensitivities by alternating least squares ----

// Sensitivities of coils with few modes, from the middle of k-space, by alternating least squares
// for |mask FT(ρ c_j) − data|².
//
// The coils c_j have `kernel` modes along each dim, and the image ρ has all modes that affect the
// data. Each step improves first the coils and then ρ, by a few iterations of conjugate gradients
// from the values of the last step. The start is ρ = 1. There is no penalty: the number of
// iterations limits the noise. The middle of k-space may have missing modes.
// - data: k-space, a complex field over the coil and the modes of the image, in any unit
// - mask: field over some or all of the modes, 1 where k-space is measured and 0 elsewhere
// - coil: dim of the coils
// - kernel: int, the number of modes of a coil along each dim, at most `width`
// - width: int, the number of middle modes along each dim. Along a dim with fewer cells, all modes
//   are used
// - steps: int, the number of steps
// - iterations: int, the largest number of iterations of conjugate gradients for the coils, and for
//   ρ, in each step
// - tolerance: number, as for `conjugate_gradients`, in each step
// Value: complex field over the coil and the dims of the image, with Σ|c|² = 1, and 0 where c is 0,
//   for `cg_sense` and others. An argument out of its range ends the program with an error.
// Source: Ying & Sheng (2007), with modes in place of polynomials as in Uecker et al. (2008)
// Cost: four transforms of (width + kernel)^d cells for each coil, step and iteration.
// Example: jsense_maps(data, mask, c, kernel = 4, width = 12, steps = 3)
fn jsense_maps(data, mask, coil, kernel: int = 6, width: int = 24, steps: int = 20, iterations: int = 10,
               tolerance = 1e-4) {
  require_jsense(kernel, width, steps)
  let list = directions(data)
  // A product of the image and a coil has no mode that aliases to a middle mode on these cells.
  let few = for d in list => piece(d, min(cells(d), width + kernel))
  let known = map k in data => if mask > 0 and is_central(k, list, width) then 1 + 0i else 0i
  let inside = real(middle_modes(known, coil, few, width + kernel))
  let y = inside * middle_modes(in_range(data), coil, few, width + kernel)
  coils_of(few_modes(y, f => inside * centred_fft(f, over = few), r => centred_ifft(inside * r, over = few), coil,
                     kernel, steps, iterations, tolerance), coil, list, kernel)
}

// `jsense_maps` from samples along a trajectory. The dims of the coils and of the image are in
// brackets. It uses the samples whose places have absolute values below width/2 along each dim.
// - samples: complex field over the coil and the dims of the samples, in any unit
// - k: vector of fields, the places of the samples in cycles per field of view, as for `nufft`
// - coil: dim of the coils
// - accuracy: number, the tolerance of `nufft`
// - kernel, width, steps, iterations, tolerance: as for `jsense_maps`
// Value: complex field, as of `jsense_maps`.
// Source: Ying & Sheng (2007), with modes in place of polynomials as in Uecker et al. (2008)
// Cost: `nufft` and `nufft_adjoint` of (width + kernel)^d cells, for each coil, step and iteration.
// Example: let spokes = radial[spoke, along](24)
//   nufft_jsense_maps[c, x, y](nufft(maps * truth, spokes), spokes, c, kernel = 4, width = 12, steps = 3)
fn nufft_jsense_maps[D](samples, k, coil, accuracy = 1e-4, kernel: int = 6, width: int = 24, steps: int = 20,
                        iterations: int = 10, tolerance = 1e-4) {
  require_jsense(kernel, width, steps)
  let list = directions(D)
  let few = for d in list => piece(d, min(cells(d), width + 2 * kernel))
  let inside = product(for e in k => map q in e => if 2 * abs(e) < width then 1.0 else 0.0)
  let near = for e in k => inside * e
  let y = inside * in_range(samples)
  coils_of(few_modes(y, f => inside * nufft(f, near, accuracy),
                     r => nufft_adjoint[coil, few](inside * r, near, accuracy),
                     coil, kernel, steps, iterations, tolerance), coil, list, kernel)
}

fn require_jsense(kernel: int, width: int, steps: int) {
  assert kernel >= 1 and kernel <= width, "jsense: kernel = {}, expected 1 to width = {} modes", kernel, width
  assert steps >= 1, "jsense: steps = {}, expected 1 or more", steps
}

// The middle n modes of f along each dim, as a field over the modes of the dims `few`.
fn middle_modes(f, coil, few, n: int) {
  let at = for d in dims(f) => map e in [coil, few] => {
    if d == coil then index(e, coil) * spacing(coil)
    else index(e, piece(d, min(cells(d), n))) - floor(min(cells(d), n) / 2)
  }
  to_modes(readout_at(f, at, "ngp"), few)
}

// The modes of the coils that `jsense_maps` finds. `encode` transforms the images of the coils to
// data, and `decode` is its adjoint.
fn few_modes(y, encode, decode, coil, kernel: int, steps: int, iterations: int, tolerance) {
  let begin = decode(y)
  let list = directions(begin)
  fn kept(f) {
    let a = centred_fft(f, over = list)
    map k in a => if is_central(k, list, kernel) then a else 0 * a
  }
  fn solved_from(A, b, start) = conjugate_gradients(A, b, start, tolerance, iterations, warns = false).x
  let end = loop (a, x) = (0 * kept(begin), 0 * sum(begin, over = coil) + 1) for i in 0 .. steps => {
    let more = solved_from(u => kept(conj(x) * decode(encode(x * centred_ifft(u, over = list)))),
                           kept(conj(x) * begin), a)
    let c = centred_ifft(more, over = list)
    (more, solved_from(u => sum(conj(c) * decode(encode(c * u)), over = coil), sum(conj(c) * begin, over = coil), x))
  }
  end[0]
}

// The coils with few modes on the grid of the image, with Σ|c|² = 1.
fn coils_of(a, coil, list, kernel: int) {
  let grid = k_grid[coil, list](over = list)
  let at = for i in 0 .. 1 + total(for d in list => 1) => map k in grid =>
    if i == 0 then index(k, coil) * spacing(coil) else index(k, list[max(i - 1, 0)])
  let near = readout_at(a, at, "ngp")
  let c = centred_ifft(map k in near => if is_central(k, list, kernel) then near else 0 * near, over = list)
  let length = root_sum_of_squares(c, coil)
  map q in c => if length > 0 then c / length else 0
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
