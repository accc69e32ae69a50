// Magnetic resonance imaging in two and three dimensions, on Cartesian grids and along
// trajectories: sampling masks, coil sensitivities, encoding operators, reconstructions, quality
// and phantoms.
//
// An image is a complex field over dims with a length; other dims, such as the coils, are a batch.
// Its k-space is a field over the same dims, transformed: a dim with N cells has the modes −N/2 ≤
// m < N/2. The center of the field of view is the cell ⌊N/2⌋ along every dim, and the transforms
// are unitary: K(m) = N^(−1/2) Σ f(i) exp(−2πi m (i − ⌊N/2⌋)/N), so that Σ|K|² = Σ|f|². `maps` are
// the sensitivities S of the coils, over the coil and the dims of the image.
//
// An encoding operator E is a record of functions `{forward, adjoint, normal, bound}`: forward(x)
// is E x, adjoint(y) is E* y, normal(x) is E* E x, and bound is a number that is at least |E|².
// For SENSE, E x is mask · FT(S x) for each coil.
//
// Setup: use nufft
//   dim c = 4, few = 2
//   dim x = 16, y = 16, z = 12 over 240 mm
//   dim echo = 4
//   dim spoke = 8, along = 32
//   let truth = centred_ifft(ellipsoids_kspace[x, y, z](head_phantom()))[z = 6]
//   let maps = birdcage_maps[c, x, y](c)
//   let mask = random_mask[x, y](2, centre = 4)
//   let e = sense(maps, mask, c)
//   let data = e.forward(truth)
//   let k = radial[spoke, along](16)
//   let images = maps * truth
//   let full = centred_fft(images)
//
// Internal: cells_sum nth_beside require_centre is_central main_coil require_patches numbered
//   patch_operator patches patch_place large_space complex_sum column_products least_of_value
//   largest_vector require_modes of_coils of_modes stack_of require_inside into_two_balls require_weight largest_size
//   ssim_in_range ball_transform

use math, fields, solvers, wavelets, order, linalg, matrices, nufft

// ---- k-space ----

// The unitary transform of an image to its k-space, with the center of the field of view at the
// cell ⌊N/2⌋.
// - f: field, real or complex
// - over: dims of the image; the other dims count a batch
// Value: complex field over the modes of `over`, in the unit of f.
// Cost: one transform.
// Example: centred_fft(truth)
fn centred_fft(f, over = directions(f)) {
  let fk = fft((1 + 0i) * f, over = over)
  map k in fk => sqrt(product(for d in over => cells(d))) * centre_phase(k, over) * fk
}

// The inverse of `centred_fft`: the image of a k-space.
// - f: complex field over modes
// - over: transformed dims; the other dims count a batch
// Value: complex field over the dims of the image, in the unit of f.
// Cost: one transform.
// Example: centred_ifft(data)
fn centred_ifft(f, over = directions(f)) {
  let fk = map k in f => conj(centre_phase(k, over)) / sqrt(product(for d in over => cells(d))) * f
  ifft(fk, over = over)
}

// The phase exp(2πi Σ m_d ⌊N_d/2⌋/N_d) that moves the center of the field of view. Along dims with
// an even number of cells, it is 1 and −1 in turns.
// - k: the variable of a map over modes
// - over: transformed dims
// Value: number.
// Example: map m in full => conj(centre_phase(m, (x, y))) * full
fn centre_phase(k, over) = product(for d in over =>
  if remainder(cells(d), 2) == 0 then 1 - 2 remainder(index(k, d), 2)
  else exp(2i * pi * index(k, d) * floor(cells(d) / 2) / cells(d)))

// Zeros over the modes of the dims in brackets, to map over: `map k in k_grid[y, z]() => …`.
// - over: the dims that are transformed; the other dims count a batch
// Value: complex field.
// Example: map m in k_grid[x, y]() => index(m, x)
fn k_grid[D](over = directions(D)) = fft(0i + zeros[D], over = over)

// k-space as files store it, as a field over modes.
// - f: field over the dims of the image, with mode 0 at the cell ⌊N/2⌋
// - over: dims that become modes; the other dims count a batch
// Value: field over modes.
// Example: to_modes(truth)
fn to_modes(f, over = directions(f)) {
  let list = dims(f)
  let modes = fft(0i * f, over = over)
  readout_at(f, for d in list => map k in modes =>
    (index(k, d) + total(for o in over => if o == d then floor(cells(d) / 2) else 0)) * spacing(d), "ngp")
}

// The mask of k-space from a file: 1 where any coil is not 0, and 0 elsewhere.
// - data: complex field over the coil and modes
// - coil: dim of the coils
// Value: field over modes.
// Example: measured(data, c)
fn measured(data, coil) {
  let size = sum(abs(real(data)) + abs(imag(data)), over = coil)
  map k in size => if size > 0 then 1.0 else 0.0
}

// Noise of the receivers: Gaussian, with the same standard deviation in the real and in the
// imaginary part of each sample, over the dims in brackets.
// - deviation: number; its unit is that of the value
// - seed: int or u64
// - over: the dims that are transformed; the other dims count a batch
// Value: complex field over modes.
// Example: k_noise[c, x, y](0.01, 1)
fn k_noise[D](deviation, seed, over = directions(D)) =
  deviation * centred_fft(white_noise[D](2 * seed) + 1i * white_noise[D](2 * seed + 1), over)

// ---- noise and motion ----

// Data whose noise is white: L⁻¹ data over the coils, where L Lᴴ = ½ ⟨n nᴴ⟩ is the covariance of a
// scan of noise. The noise of the value has the standard deviation 1 in real and imaginary parts,
// without correlations of coils. Sensitivities of these data are whitened by the same scan.
// - data: complex field over the coil and any other dims: k-space, images or sensitivities
// - noise: complex field over the coil and the dims of its samples, a scan without a signal, with
//   more samples than coils
// - coil: dim of the coils
// Value: complex field over the dims of data, in the unit of data over that of noise. It is NaN if
//   the noise of coils is linearly dependent.
// Source: Pruessmann et al. (2001), appendix B
// Cost: the covariance, and c² operations for each sample of c coils.
// Example: prewhiten(data, 0.1 * white_noise[c, along](1) + 0.1i * white_noise[c, along](2), c)
fn prewhiten(data, noise, coil) {
  let list = dims(noise)
  let n = total(for d in list => 1)
  let place = total(for i in 0 .. n => if list[i] == coil then i else 0)
  let others = for i in 0 .. n - 1 => list[if i < place then i else i + 1]
  let second = piece(coil, cells(coil))
  let r = range_root(noise)
  let scan = twice_times(r, noise)
  let samples = product(for d in others => cells(d))
  let covariance = 0.5 / samples * complex_sum(scan, conj(scan[coil = second]), others)
  let third = numbered(coil, cells(coil), 6)
  let one = map q in [coil, third] => if index(q, coil) == index(q, third) then 1 + 0i else 0i
  let inverse = solve_lower(cholesky(covariance, coil, second), one, coil, second)[third = coil]
  let scaled = twice_times(r, data)
  let (last, white) = loop n = 0.0 for i in coil => n stacking sum(inverse[second = i] * scaled, over = coil)
  map q in data => white
}

// The translation of an object between two scans, from samples of k-space in both, such as
// navigators: the shift s with the largest |Σ a* b exp(2πi m s/N)|, summed over the modes m and the
// coils. It is the place of the largest correlation on a grid of half cells, then Newton steps.
// - data: complex field over modes of the image and a batch such as the coils; 0 where k-space is
//   not measured. Modes along a dim with one measured line only do not determine a shift
// - reference: complex field like data, the scan to compare with
// - iterations: int, the number of Newton steps
// - over: transformed dims
// Value: vector with the shift along each dim of `over`, in cells: numbers, from −N/2 to N/2. A
//   feature at the cell i of the reference is at the cell i + s of data.
// Source: Guizar-Sicairos, Thurman & Fienup (2008); Ehman & Felmlee (1989)
// Cost: one transform, and one pass for each Newton step.
// Example: translation(translated(full, (1.5, -0.7)), full)[0]
fn translation(data, reference, iterations: int = 8, over = directions(data)) {
  let list = for d in over => d
  let n = total(for d in over => 1)
  let product_of_scans = conj(in_range(reference)) * in_range(data)
  let wide = ifft(product_of_scans, over = over)
  let size = elementwise(c => norm2(c), cells_sum(wide, over))
  let at = argmax(size)
  let begin = for j in 0 .. n => {
    let i = total(for l in 0 .. n => if dims(size)[l] == list[j] then at[l] else 0)
    if 2 * i >= cells(list[j]) then i - cells(list[j]) else 1.0 * i
  }
  fn size_at(s) = norm2(sum(map k in product_of_scans =>
    exp(2i * pi * total(for j in 0 .. n => index(k, list[j]) * s[j] / cells(list[j]))) * product_of_scans))
  // Newton steps for log |…|, which is concave near its maximum, and nearly separable.
  fn nearer(s, j) {
    let beside = for h in (-0.5, 0.5) => for l in 0 .. n => if l == j then s[l] + h else s[l]
    let sizes = for i in 0 .. 3 => size_at(if i == 0 then s else beside[max(i, 1) - 1])
    for l in 0 .. n => if sizes[1] > sizes[0] and sizes[1] > sizes[2] then beside[0][l]
                       else if sizes[2] > sizes[0] then beside[1][l]
                       else s[l]
  }
  let near = repeated(begin, (s, j) => nearer(s, j), n)
  loop s = near for i in 0 .. iterations => {
    let turned = map k in product_of_scans =>
      exp(2i * pi * total(for j in 0 .. n => index(k, list[j]) * s[j] / cells(list[j]))) * product_of_scans
    fn moment(a, b) = sum(map k in turned => {
      let u = if a < n then 2i * pi * index(k, list[min(a, n - 1)]) / cells(list[min(a, n - 1)]) else 1
      let v = if b < n then 2i * pi * index(k, list[min(b, n - 1)]) / cells(list[min(b, n - 1)]) else 1
      u * v * turned
    })
    let whole = moment(n, n)
    let first = for a in 0 .. n => moment(a, n) / whole
    let slope = for a in 0 .. n => real(first[a])
    let bend = for a in 0 .. n => for b in 0 .. n => real(moment(a, b) / whole - first[a] * first[b])
    let step = solve(bend, slope)
    for a in 0 .. n => s[a] - step[a]
  }
}

// The delays of the gradients of a trajectory, found from the samples of several coils. The samples
// are at k_d + delay_d Δk_d, where Δk_d is the step of k_d between samples. The delays minimize the
// misfit of the image that fits the samples best.
//
// Each iteration is a Gauss–Newton step for the delays. From the derivatives with respect to the
// delays, it removes the part that a change of the image can explain (variable projection).
// - samples: complex field over the coil and the dims of the samples
// - k: vector of fields over the dims of the samples, the nominal positions in cycles per field of
//   view, as for `nufft`
// - maps: field over the coil and the dims of the image, the sensitivities
// - coil: dim of the coils
// - along: dim of k that counts the samples of a readout, with at least 3 cells
// - iterations: int, the number of Gauss–Newton steps
// - weight: number, the weight of |image|² relative to |E|²
// - solves: int, the largest number of iterations of conjugate gradients for each image
// - tolerance: number, as for `nufft`
// Value: vector of numbers, the delay of each axis in samples. Sample i is at the nominal position of
//   sample i + delay.
// Source: Block & Uecker (2011), for the model; Golub & Pereyra (2003), for the projection
// Cost: n + 1 images by conjugate gradients for each iteration, for n axes.
// Example: let places = radial[spoke, along](16)
//   gradient_delays(nufft(images, places), places, maps, c, along, iterations = 1, solves = 2)[0]
fn gradient_delays(samples, k, maps, coil, along, iterations: int = 5, weight = 1e-3, solves: int = 20,
                   tolerance = 1e-5) {
  let n = total(for d in k => 1)
  // Differences of neighbors, which are one-sided at the ends.
  let steps = for d in k => map q in d => {
    let i = int(index(q, along))
    let last = cells(along) - 1
    let (low, high) = (max(i - 1, 0), min(i + 1, last))
    (d[along = high] - d[along = low]) / (high - low)
  }
  fn places(delays) = for j in 0 .. n => k[j] + delays[j] * steps[j]
  let start = for j in 0 .. n => 0.0
  loop delays = start for i in 0 .. iterations => {
    let e = nufft_sense(maps, places(delays), coil, 1.0, tolerance)
    fn fitted(y) = conjugate_gradients(u => e.normal(u) + weight * u, e.adjoint(y), 0 * e.adjoint(y), 1e-8, solves,
                                       warns = false).x
    let image = fitted(samples)
    let misfit = samples - e.forward(image)
    let slopes = for j in 0 .. n => {
      let by_delay =
        jvp(t => nufft(maps * image, for l in 0 .. n => places(delays)[l] + (if l == j then t else 0) * steps[l],
                       tolerance))(0.0, tangent = 1.0)[1]
      by_delay - e.forward(fitted(by_delay))
    }
    let A = for a in slopes => for b in slopes => inner(a, b)
    let change = solve(A, for a in slopes => inner(a, misfit))
    for j in 0 .. n => delays[j] + change[j]
  }
}

// The sum of a field over all dims except those in `over`.
fn cells_sum(f, over) {
  let list = dims(f)
  let n = total(for d in list => 1)
  let m = total(for d in over => 1)
  let others = for i in 0 .. n - m => list[nth_beside(list, over, i)]
  if n == m then f else sum(f, over = others)
}

// The place in a list of the i-th dim that is not among `over`.
fn nth_beside(list, over, i: int) {
  let n = total(for d in list => 1)
  total(for j in 0 .. n => {
    let before = total(for l in 0 .. n => if l < j and not is_among(list[l], over) then 1 else 0)
    if not is_among(list[j], over) and before == i then j else 0
  })
}

// k-space of an object that is moved: K(m) exp(−2πi Σ m_d s_d/N_d).
//
// To correct data for a motion, move them back: `translated(data, -1 * shift)`. For a shift of each
// shot, use fields over the dim of the shots.
// - f: complex field over modes of the image and a batch
// - shift: vector with the shift along each dim of `over` in cells: numbers, or fields over dims of
//   a batch
// - over: transformed dims
// Value: complex field over the dims of f and of shift.
// Example: translated(full, (2, -0.5))
fn translated(f, shift, over = directions(f)) {
  let list = for d in over => d
  let n = total(for d in over => 1)
  let wide = f * (1 + total(for j in 0 .. n => 0 * shift[j]))
  map k in wide => exp(-2i * pi * total(for j in 0 .. n => index(k, list[j]) * shift[j] / cells(list[j]))) * wide
}

// ---- sampling: 1 where k-space is measured and 0 elsewhere, over the phase-encoding dims D ----

// A mask with every step-th line along each of the dims in brackets, and the `centre` middle lines
// along each.
// - step: int, at least 1; another one ends the program with an error
// - centre: int, the number of middle lines that are always measured, at least 0
// Value: field over modes, 1 where k-space is measured and 0 elsewhere.
// Example: uniform_mask[x, y](2, centre = 4)
fn uniform_mask[D](step: int, centre: int = 0) {
  assert step >= 1, "uniform_mask takes every {}th line, expected a step of at least 1", step
  require_centre(centre)
  let modes = k_grid[D]()
  map k in modes => {
    let off = total(for d in D => remainder(index(k, d), step))
    if off == 0 or is_central(k, D, centre) then 1.0 else 0.0
  }
}

// The mask of 2D CAIPIRINHA over the two dims in brackets: every steps[0]-th line along the first
// dim; along the second dim every steps[1]-th, `shift` lines later in each next line of the first
// dim.
// - steps: tuple of two ints, at least 1; others end the program with an error
// - shift: int
// - centre: int, the number of middle lines along each dim that are always measured, at least 0
// Value: field over modes, 1 where k-space is measured and 0 elsewhere.
// Source: Breuer et al. (2006)
// Example: caipi_mask[x, y]((2, 2))
fn caipi_mask[D](steps, shift: int = 1, centre: int = 0) {
  assert steps[0] >= 1 and steps[1] >= 1, "caipi_mask takes every {}th and {}th line, expected steps of at least 1",
         steps[0], steps[1]
  require_centre(centre)
  let modes = k_grid[D]()
  let (y, z) = (dims(modes)[0], dims(modes)[1])
  map k in modes => {
    let row = index(k, y) / steps[0]
    let off = remainder(index(k, z) - shift * row, steps[1])
    if (row == floor(row) and off == 0) or is_central(k, D, centre) then 1.0 else 0.0
  }
}

// A mask with random lines, one of `acceleration` on average, denser in the middle. A line is
// measured with the probability min(1, a (1 − r)^power), where r is its distance from the middle,
// divided by the distance of the edges; a follows from the acceleration.
// - acceleration: number; one that is impossible with this centre ends the program with an error
// - power: number, above 0
// - centre: int, the number of middle lines along each dim that are always measured, at least 0
// - seed: u64
// Value: field over modes, 1 where k-space is measured and 0 elsewhere.
// Source: Lustig et al. (2007)
// Example: random_mask[x, y](2, centre = 4, seed = 7)
fn random_mask[D](acceleration, power = 2.0, centre: int = 16, seed: u64 = 1) {
  assert power > 0, "random_mask has the power {}, expected one above 0: lines become rarer from the middle on", power
  require_centre(centre)
  let modes = k_grid[D]()
  let fall = map k in modes => pow(max(1 - sqrt(total(for d in D => (2 index(k, d) / cells(d))^2)), 0), power)
  fn density(a) = map k in modes => if is_central(k, D, centre) then 1.0 else min(a * fall, 1)
  let least = mean(density(0.0))
  let most = mean(density(1e9))
  assert least < 1 / acceleration and most > 1 / acceleration,
         "random_mask takes 1 of {} to 1 of {} lines with that centre, not 1 of {}", 1 / most, 1 / least, acceleration
  let a = exp(bisect(u => mean(density(exp(u))) - 1 / acceleration, -20, 20))
  let p = density(a)
  let g = to_modes(white_noise[D](seed))
  map k in p => if 0.5 (1 + erf(g / sqrt(2))) < p then 1.0 else 0.0
}

fn require_centre(n: int) {
  assert n >= 0, "a mask has {} lines in the middle, expected 0 or more", n
}

// The `width` modes in the middle along each of `over`: m >= -width/2 and m < width/2.
fn is_central(k, over, width) =
  total(for d in over => if 2 index(k, d) >= -width and 2 index(k, d) < width then 0 else 1) == 0

// ---- coils ----

// Sensitivities of a birdcage of coils, as SigPy makes them, with Σ|S|² = 1 over the coils. |S|
// falls as 1/distance. The dims of the coils and of the image are in brackets.
// - coil: dim of the coils
// - radius: number, the radius of the rings in half fields of view
// - rings: int, the number of rings along the third dim of the image; it divides the number of
//   coils
// Value: complex field over the dims in brackets.
// Source: Ong & Lustig (2019)
// Example: birdcage_maps[c, x, y, z](c, rings = 2)
fn birdcage_maps[D](coil, radius = 1.5, rings: int = 1) {
  let axes = directions(D)
  let n = total(for d in axes => 1)
  assert rings >= 1 and remainder(cells(coil), max(rings, 1)) == 0,
         "birdcage_maps: {} coils cannot be divided into {} rings of equal size", cells(coil), rings
  let each = cells(coil) / rings
  let raw = map q in [D] => {
    let c = index(q, coil)
    let ring = floor(c / each)
    let at = for d in axes => 2 index(q, d) / cells(d) - 1
    let u = at[0] - radius * cos(2 pi * c / each)
    let v = at[1] - radius * sin(2 pi * c / each)
    let w = if n < 3 then 0 else at[2] - (ring - 0.5 (rings - 1))
    exp(1i * (atan2(u, -v) - 2 pi * (c + (if n < 3 then 0 else ring)) / each)) / sqrt(u^2 + v^2 + w^2)
  }
  raw / sqrt(sum(norm2(raw), over = coil))
}

// Sensitivities from images of the middle modes, weighted with a Hann window: each image over the
// root of their sum of squares. They have the phase of the image.
// - data: complex field over the coil and modes; any unit
// - coil: dim of the coils
// - width: int, the number of middle modes along each dim
// - least: number; the maps are 0 where the root of the sum of squares is below `least` times its
//   maximum
// Value: complex field over the coil and the dims of the image.
// Source: McKenzie et al. (2002)
// Example: low_resolution_maps(full, c, width = 8)
fn low_resolution_maps(data, coil, width: int = 24, least = 0.05) {
  let scaled = in_range(data)
  let images = centred_ifft(map k in scaled => {
    if is_central(k, directions(data), width) then
      product(for d in directions(data) => 0.5 (1 + cos(2 pi * index(k, d) / width))) * scaled else 0
  })
  let size = root_sum_of_squares(images, coil)
  let floor_of = least * max(size)
  map q in images => if size > floor_of then images / size else 0
}

// One image from the images of the coils: √Σ|I|².
// - images: field over the coil and the dims of the image; any unit
// - coil: dim of the coils
// Value: real field in the unit of the images.
// Source: Roemer et al. (1990)
// Example: root_sum_of_squares(images, c)
fn root_sum_of_squares(images, coil) = sqrt(sum(norm2(images), over = coil))

// One image from the images of the coils: Σ S* I/Σ|S|², and 0 without sensitivity.
// - images: field over the coil and the dims of the image; any unit
// - maps: sensitivities
// - coil: dim of the coils
// Value: complex field in the unit of the images.
// Source: Roemer et al. (1990)
// Example: coil_combine(images, maps, c)
fn coil_combine(images, maps, coil) {
  let weight = sum(norm2(maps), over = coil)
  let image = sum(conj(maps) * images, over = coil)
  map q in image => if weight > 0 then image / weight else 0
}

// ---- ESPIRiT (Uecker et al. 2014) ----

// Sensitivities by ESPIRiT from the middle of k-space, with Σ|S|² = 1. The phase of the maps is
// relative to the virtual coil with the most energy.
//
// The patches of kernel^d modes of all coils are in a space of few dimensions: those whose
// singular values are above the threshold. Projecting all patches on this space multiplies the
// images of the coils at every point by a matrix, whose eigenvector with the eigenvalue 1 is S.
// - data: Cartesian k-space, a complex field over the coil and the modes of the image, in any unit;
//   fft makes it of images, and `nufft_adjoint` images of samples along a trajectory
// - coil: dim of the coils
// - kernel: int, the size of a patch along each dim in modes, at most `width`
// - width: int, the number of middle modes along each dim, at most the number of cells
// - threshold: number above 0, relative to the largest singular value; in f32 at least 3 · 10⁻⁴
// - crop: number; the maps are 0 where the eigenvalue is below it: there is no signal, or more
//   than one image
// - iterations: int, of the power method at each point
// Value: complex field over the coil and the dims of the image.
// Source: Uecker et al. (2014)
// Example: espirit_maps(full, c, kernel = 3, width = 8)
fn espirit_maps(data, coil, kernel: int = 6, width: int = 24, threshold = 0.02, crop = 0.9, iterations: int = 30) {
  let found = espirit(data, coil, kernel, width, threshold, iterations)
  map q in found.maps => if found.value < crop then 0 else found.maps
}

// The sensitivities of ESPIRiT everywhere, without `crop`, and the eigenvalues.
// - data: Cartesian k-space, a complex field over the coil and the modes of the image, in any unit;
//   fft makes it of images, and `nufft_adjoint` images of samples along a trajectory
// - coil: dim of the coils
// - kernel: int, the size of a patch along each dim in modes, at most `width`
// - width: int, the number of middle modes along each dim, at most the number of cells
// - threshold: number above 0, relative to the largest singular value; in f32 at least 3 · 10⁻⁴
// - iterations: int, of the power method at each point
// Value: record `{maps, value}`: a complex field over the coil and the dims of the image, and a
//   real field.
// Source: Uecker et al. (2014)
// Example: espirit(full, c, kernel = 3, width = 8).value
fn espirit(data, coil, kernel: int = 6, width: int = 24, threshold = 0.02, iterations: int = 30) {
  require_modes(data)
  require_patches(directions(data), kernel, width)
  let second = numbered(coil, cells(coil), 5)
  let scaled = in_range(data)
  let M = patch_operator(scaled, coil, second, kernel, width, threshold)
  // M is self-adjoint: twice, without a vector over the second dim that was one over the first.
  fn twice(v) = sum(M * sum(conj(M) * v, over = coil), over = second)
  fn unit(v) = v / max(root_sum_of_squares(v, coil), 1e-30)
  let start = unit(unit(low_resolution_maps(scaled, coil, width, 0.0)) + 0.01)
  let v = loop v = start for i in 0 .. iterations => unit(twice(v))
  let virtual = sum(main_coil(scaled, coil, width) * v, over = coil)
  let turn = map q in virtual => if abs(virtual) > 1e-15 then conj(virtual) / abs(virtual) else 1
  {maps = turn * v, value = sqrt(root_sum_of_squares(twice(v), coil))}
}

// The factors of coils in the sum of coils that has the most energy in the middle of k-space; 0 without a signal.
fn main_coil(data, coil, width: int) {
  let products = column_products(map k in data => if is_central(k, directions(data), width) then data else 0, coil)
  largest_vector(products, coil, 60, least_of_value(products)).vector
}

// An error at compile time for images, and for samples along a trajectory.
fn require_modes(data) {
  let image = ifft(data, over = directions(data))
}

fn require_patches(over, kernel: int, width: int) {
  assert kernel >= 1 and kernel <= width, "espirit: kernel = {}, expected 1 to width = {} modes", kernel, width
  let small = total(for d in over => if cells(d) < width then 1 else 0)
  assert width < 1 or small == 0,
         "espirit: width = {} modes, but the image has fewer cells along a dim; expected at most as many", width
}

// A dim of n cells that means nothing else, another one for each `which`; c is any dim.
fn numbered(c, n, which: int = 1) = coarsen(dims(bins q in [c] into which * n by index(q, c) => (1, 1))[0], which)

// At every point of the image the matrix over (coil, second) by which projecting all patches, and taking the mean of what they say of
// each mode, multiplies the coils' images.
fn patch_operator(data, coil, second, kernel: int, width: int, threshold) {
  let list = directions(data)
  let n = product(for d in list => kernel)
  let (p, q, s) = for i in 1 .. 4 => numbered(coil, cells(coil) * n, i)
  let row = numbered(coil, product(for d in list => width - kernel + 1), 4)
  let kept = large_space(complex_sum(conj(patches(data, coil, row, p, kernel, width)),
                                     patches(data, coil, row, q, kernel, width), row), p, q, s, threshold)
  // The element ((c, t), (b, u)) brings mode m - t + u of b to mode m of c. The transform has the sign of the other direction.
  let lag = for d in list => map e in [p, q] =>
    (patch_place(index(e, q), kernel, list, d) - patch_place(index(e, p), kernel, list, d)) * spacing(d)
  let owner = for d in (coil, second) => map e in [p, q] => floor(index(e, if d == coil then p else q) / n) * spacing(d)
  let all =
    for i in 0 .. 2 + total(for d in list => 1) => if i == 0 then coil else if i == 1 then second else list[i - 2]
  let modes = fft(paint_at[all](for d in all => if is_among(d, list) then lag[d] else owner[d], "ngp",
                                weight = conj(kept)), over = list)
  let image = readout_at(modes, for d in list => map e in [list] => index(e, d) - floor(cells(d) / 2), "ngp")
  product(for d in list => cells(d)) / n * image
}

// Patches of the middle of k-space as rows of a matrix: all places of a patch there, and along p coils and modes of a patch.
fn patches(data, coil, row, p, kernel: int, width: int) {
  let list = directions(data)
  let n = product(for d in list => kernel)
  readout_at(data, for d in dims(data) => map e in [row, p] =>
    if d == coil then floor(index(e, p) / n) * spacing(coil)
    else patch_place(index(e, row), width - kernel + 1, list, d) + patch_place(index(e, p), kernel, list, d) -
         floor(width / 2), "ngp")
}

// The place along d of the i-th of side^d places, or of the i-th modulo side^d.
fn patch_place(i, side: int, list, d) =
  total(for j in 0 .. total(for o in list => 1) => if list[j] == d then remainder(floor(i / side^j), side) else 0)

// The projection on the space of a self-adjoint G[p, q] >= 0 with eigenvalues above threshold^2 times the largest: (1 + sign(G - ...))/2,
// the sign by the iteration of Newton and Schulz (Higham 2008, 5.3), for which s is one more dim of as many cells. Each step makes what is small
// 1.5 times as large: it takes 2 log(1/threshold)/log(1.5) of them from -threshold^2 to about -1, and twelve more, for eigenvalues nearby.
fn large_space(products, p, q, s, threshold) {
  assert threshold > 0 and threshold < 1,
         "patches have singular values above {} times the largest, expected a threshold from 0 to 1", threshold
  let steps = int(max(32, 13 - 2 * log(max(threshold, 1e-12)) / log(1.5)))
  let G = in_range(products)
  let start = of_length_1(white_noise[p](1) + 0i)
  let v = loop v = start for i in 0 .. 15 => of_length_1(sum(G * sum(conj(G) * v, over = p), over = q))
  let w = sum(conj(G) * v, over = p)
  let one = map e in G => if index(e, p) == index(e, q) then 1.0 else 0.0
  let x = loop x = reciprocal(sqrt(inner(w, w))) * G - threshold^2 * one for i in 0 .. steps => {
    let y = readout_at(x, for d in (p) => map e in [s] => index(e, s) * spacing(p), "ngp")
    1.5 x - 0.5 * complex_sum(complex_sum(x, conj(y), q), y, s)
  }
  0.5 * (one + x)
}

// sum a b over some dims of complex fields, as products of matrices.
fn complex_sum(a, b, over) {
  let (ar, ai, br, bi) = (real(a), imag(a), real(b), imag(b))
  sum(ar * br, over = over) - sum(ai * bi, over = over) + 1i * (sum(ar * bi, over = over) + sum(ai * br, over = over))
}

// ---- matrices of few columns: one for each cell of a dim without a length, the cells of the others being rows ----

// The matrix that combines the coils into fewer coils with the most energy of the data: right
// singular vectors. White noise stays white. The dim of the new coils is in brackets.
// - data: complex field over the coil and other dims; any unit and magnitude
// - coil: dim of the coils
// - iterations: int, of the power method
// Value: complex field over [v, coil]. Rows beyond the rank of the data are 0.
// Source: Buehrer et al. (2007)
// Example: coil_compression[few](full, c)
fn coil_compression[v](data, coil, iterations: int = 60) {
  let start = column_products(in_range(data), coil)
  let (last, rows) = loop s = {G = start, least = least_of_value(start)} for i in v => {
    let found = largest_vector(s.G, coil, iterations, s.least)
    {G = found.rest, least = found.least} stacking found.vector
  }
  rows
}

// Data, images or maps after a compression of the coils.
// - matrix: field over [v, coil], as of `coil_compression`
// - f: field over the coil and other dims
// - coil: dim of the coils
// Value: complex field over v and the other dims.
// Source: Buehrer et al. (2007)
// Example: compressed(coil_compression[few](full, c), full, c)
fn compressed(matrix, f, coil) {
  let v = dims(matrix)[0]
  let (last, coils) = loop n = 0.0 for i in v => n stacking sum(matrix[v = i] * f, over = coil)
  coils
}

// The proximal operator of t Σ singular values: these are soft-thresholded by t. Use it for images
// over a dim of time, which have a low rank where all change alike (Otazo et al. 2015).
// - f: field, real or complex, over `column` and other dims, the rows
// - t: number in the unit of f
// - column: dim of the columns, such as time
// - iterations: int, of the power method
// Value: complex field like f. Singular values below 10⁻⁶ times the largest one, in f32 about 6 ·
//   10⁻⁴, are treated as 0.
// Source: Cai, Candès & Shen (2010)
// Example: shrink_rank(images, 0.1, c)
fn shrink_rank(f, t, column, iterations: int = 60) {
  let r = range_root(f)
  let start = column_products(twice_times(r, f), column)
  let (G, least, found) = loop (G, least, found) = (start, least_of_value(start), 0i * f) for i in column => {
    let pair = largest_vector(G, column, iterations, least)
    let size = twice_times(1 / r, sqrt(max(pair.value, 0)))
    let factor = if size > t and size > 0 then (size - t) / size else 0
    let row = sum(pair.vector * f, over = column)
    let along = conj(pair.vector)
    (pair.rest, pair.least, map q in found => found + factor * along * row)
  }
  found
}

// sum conj(f_j) f_c over the rows, for all columns j and c.
fn column_products(f, column) {
  let second = numbered(column, cells(column), 5)
  let (last, products) =
    loop n = 0.0 for i in second => n stacking sum(conj((1 + 0i) * f[column = i]) * f, over = directions(f))
  products
}

// Below this, eigenvalues of G are taken as 0: 1e-12 times the largest.
fn least_of_value(G) = 1e-12 * sqrt(inner(G, G))

// The largest eigenvalue of a self-adjoint G[j, c], its vector over c, and the rest of G without it; 0, 0 and G where it is below `least`.
// The rest should have nothing along the vector: its size shows how large rounding errors are, and so the `least` of values to come.
fn largest_vector(G, column, iterations: int, least) {
  let second = dims(G)[0]
  fn along(v) = sum(G * v, over = column)
  fn back(w) = sum(conj(G) * w, over = second)
  let v = loop v = of_length_1(white_noise[column](1) + 0i) for i in 0 .. iterations => of_length_1(back(along(v)))
  let w = along(v)
  let value = sqrt(inner(w, w))
  let kept = if value > least then 1.0 else 0.0
  let rest = map q in G => G - kept * (w * conj(v))
  let off = sum(rest * (kept * v), over = column)
  {value = kept * value, vector = kept * v, rest = rest, least = max(least, 4 * sqrt(inner(off, off)))}
}

// ---- SENSE (Pruessmann et al. 1999, 2001) ----

fn of_coils(data, coil) =
  if total(for d in dims(data) => if d == coil then 1 else 0) == 1 then data
  else error("the data do not have the dim of the coils")

// Cartesian data of all coils.
fn of_modes(data, maps, coil) {
  let missing =
    total(for d in dims(maps) => if total(for e in dims(data) => if e == d then 1 else 0) == 1 then 0 else 1)
  if total(for d in dims(data) => if d == coil then 1 else 0) == 1 and missing > 0
  then error("sense: the data are not over the dims of the image, as Cartesian k-space is; for samples along a trajectory, as radial lines, use nufft_sense(maps, k, coil)")
  else of_coils(data, coil)
}

// Sensitivities of several coils.
fn stack_of(maps, coil) =
  if total(for d in dims(maps) => if d == coil then 1 else 0) == 1 then maps
  else error("the sensitivities are not over the dim of the coils; expected a field over this dim and those of the image, with one map for each coil")

// The encoding operator of Cartesian data: mask · FT(S x) for each coil.
// - maps: sensitivities
// - mask: field over some or all of the modes, 1 where k-space is measured and 0 elsewhere
// - coil: dim of the coils
// Value: record `{forward, adjoint, normal, bound}`.
// Cost: of forward and of adjoint, one transform for each coil; of normal, two.
// Source: Pruessmann et al. (1999)
// Example: sense(maps, mask, c).normal(truth)
fn sense(maps, mask, coil) = {
  forward = x => mask * centred_fft(maps * x, over = directions(x))
  adjoint = y => sum(conj(maps) * centred_ifft(mask * of_modes(y, maps, coil)), over = coil)
  // The phases of the centre, and the factors of unitary transforms, cancel.
  normal = x =>
    sum(conj(maps) * ifft(mask^2 * fft((1 + 0i) * maps * x, over = directions(x)), over = directions(x)), over = coil)
  // It only sets the size of steps, where derivatives stop.
  bound = held(max(sum(norm2(maps), over = coil)) * max(mask^2))
}

// ---- encoding along any trajectory: the same record, of samples at the places k of `nufft` ----

// The encoding operator of samples at any places of k-space: the samples of S x for each coil.
// Places that are not among the modes of the image end the program with an error.
// - maps: sensitivities
// - k: vector of fields, the places of the samples in cycles per field of view, as for `nufft`
// - coil: dim of the coils
// - weight: number or field over the samples, which multiplies samples in |E x − data|²: 1, or
//   `density_compensation`, with which solvers need fewer iterations
// - tolerance: number, as for `nufft`
// Value: record `{forward, adjoint, normal, bound}`.
// Source: Pruessmann et al. (2001)
// Example: nufft_sense(maps, k, c).forward(truth)
fn nufft_sense(maps, k, coil, weight = 1.0, tolerance = 1e-4) {
  let stack = stack_of(maps, coil)
  require_inside(k, stack)
  let areas = weight + 0 * components(k, directions(stack))[0]
  let list = dims(stack)
  let blur = nufft_normal[directions(stack)](k, areas, tolerance)
  with_bound({
    forward = x => nufft(stack * x, k, tolerance)
    adjoint = y => sum(conj(stack) * nufft_adjoint[list](areas * y, k, tolerance), over = coil)
    normal = x => sum(conj(stack) * blur(stack * x), over = coil)
    bound = 0.0
  }, stack)
}

// The encoding operator of samples at any places of k-space in an inhomogeneous field.
// - maps: sensitivities
// - k: vector of fields, the places of the samples in cycles per field of view, as for `nufft`
// - coil: dim of the coils
// - field: real field over the image in Hz, the field map
// - time: real field, the time of each sample
// - weight: number or field over the samples, which multiplies samples in |E x − data|²
// - tolerance: number, as for `nufft_off_resonance`
// Value: record `{forward, adjoint, normal, bound}`.
// Source: Sutton, Noll & Fessler (2003)
// Example: let hertz = map q in [x, y] => 50 Hz * cos(2 pi * q[x] / length(x))
//   let clock = map q in [along] => 0.1 ms * index(q, along)
//   off_resonance_sense(maps, k, c, hertz, clock, tolerance = 1e-3).forward(truth)
fn off_resonance_sense(maps, k, coil, field, time, weight = 1.0, tolerance = 1e-4) {
  let stack = stack_of(maps, coil)
  require_inside(k, stack)
  let areas = weight + 0 * components(k, directions(stack))[0]
  let list = dims(stack)
  fn forward(x) = nufft_off_resonance(stack * x, k, field, time, tolerance)
  fn adjoint(y) =
    sum(conj(stack) * nufft_off_resonance_adjoint[list](areas * y, k, field, time, tolerance), over = coil)
  with_bound({forward = x => forward(x), adjoint = y => adjoint(y), normal = x => adjoint(forward(x)), bound = 0.0},
             stack)
}

// Ends the program if samples lie beyond the modes of the image, of which it knows nothing.
fn require_inside(k, maps) {
  let list = for d in directions(maps) => d
  let places = components(k, list)
  let far = for i in 0 .. total(for d in list => 1) => abs(places[i]) / (0.5 cells(list[i]))
  let most = map j in far[0] => {
    let (a, b, c) =
      (far[0], if total(for r in far => 1) > 1 then far[1] else 0, if total(for r in far => 1) > 2 then far[2] else 0)
    max(max(a, b), c)
  }
  let count = sum(map j in most => if most > 1.00001 then 1 else 0)
  assert count == 0,
         "{:.0f} samples of the trajectory are beyond the grid, up to {:.4f} times the largest mode of the image: k is in cycles a field of view, from -N/2 to N/2",
         count, max(most)
}

// An encoding operator of your own with its bound: the largest eigenvalue of `normal`, times 1.1,
// by 15 power iterations.
// - e: record `{forward, adjoint, normal, bound}`, whose bound is replaced
// - maps: sensitivities
// Value: record.
// Example: with_bound(e, maps).bound
fn with_bound(e, maps) {
  let start = white_noise[directions(maps)](1) + 0i
  e with {bound = held(1.1 * power_iteration(e.normal, start, 15).value)}
}

// ---- reconstruction: from the encoding operator, a record like `sense`; E is that, and |.|^2 has its weights ----

// The image x that minimizes ½|E x − data|² + ½ weight |x|², by conjugate gradients on the normal
// equations.
// - e: encoding operator, a record such as `sense(maps, mask, coil)`; not the maps
// - data: samples, as of `e.forward`
// - weight: number, at least 0, without unit
// - tolerance: number, as for `cg`. 0: a fixed number of iterations, which also limits the noise and
//   prints no warning
// - iterations: int, the largest number of iterations
// Value: complex field, the image, in the unit of the data.
// Source: Pruessmann et al. (2001)
// Example: cg_image(e, data, 1e-3, iterations = 5)
fn cg_image(e, data, weight = 0.0, tolerance = 1e-6, iterations: int = 30) =
  cg(x => e.normal(x) + weight * x, e.adjoint(data), tolerance, iterations)

// The image x that minimizes ½|E x − data|² + weight Σ|details of W x| for the wavelet transform
// W, by FISTA.
//
// The grid of the coefficients moves from iteration to iteration by rounded multiples of the golden
// ratio. Its positions repeat after `shifts` iterations. The motion removes artifacts of the grid
// (Figueiredo & Nowak 2003), but the result is not exactly the minimum. With `shifts = 1`, the grid
// is fixed, FISTA uses restarts, and the result converges to the minimum.
// - e: encoding operator, a record such as `sense(maps, mask, coil)`; not the maps
// - data: samples, as of `e.forward`
// - weight: number in the unit of the data, at least 0
// - family: of wavelets, as for `wavelet`
// - levels: int, as for `wavelet`
// - iterations: int, the largest number of iterations
// - tolerance: number, as for `fista`
// - shifts: int, at least 1, the number of positions of the grid
// Value: complex field, the image, in the unit of the data.
// Source: Lustig et al. (2007)
// Example: wavelet_image(e, data, 0.01, iterations = 5)
fn wavelet_image(e, data, weight, family = "db4", levels: int = 3, iterations: int = 60, tolerance = 0.0,
                 shifts: int = 100) {
  require_weight(weight)
  assert shifts >= 1, "wavelet_image: {} shifts of the grid, expected at least 1", shifts
  let b = e.adjoint(data)
  fn shrink(v, t, i) = if shifts == 1 then wavelet_shrink(v, t, family, levels)
                       else wavelet_shrink(v, t, family, levels, place = 1.618033988749895 * remainder(i, shifts))
  fista_in_turns(x => e.normal(x) - b, (v, t, i) => shrink(v, t * weight, i), b, reciprocal(e.bound), iterations,
                 tolerance, restart = shifts == 1).x
}

// An image by plug-and-play: the alternating direction method of multipliers (ADMM) with a denoiser
// in place of a proximal operator.
//
// Each iteration solves x = argmin ½|E x − data|² + ½ weight |x − v + u|² by conjugate gradients,
// then v = denoise(x + u) and u ← u + x − v. If `denoise` is the proximal operator of g/weight, the
// fixed point minimizes ½|E x − data|² + g(x).
// - e: encoding operator, a record such as `sense(maps, mask, coil)`; not the maps
// - data: samples, as of `e.forward`
// - denoise: function of an image, such as a trained network of `nn`, or a wavelet threshold
// - weight: number, above 0, relative to |E|²
// - iterations: int, the number of iterations
// - solves: int, the largest number of iterations of conjugate gradients in each iteration
// - tolerance: number, as for `conjugate_gradients`
// Value: complex field, the image v, in the unit of the data.
// Source: Venkatakrishnan, Bouman & Wohlberg (2013), section 3
// Cost: at most `solves` calls of `e.normal`, and one call of denoise, for each iteration.
// Example: plug_and_play(e, data, v => 0.9 * v, 0.5, iterations = 3)
fn plug_and_play(e, data, denoise, weight, iterations: int = 30, solves: int = 10, tolerance = 1e-6) {
  assert weight > 0, "plug_and_play: weight = {}, expected one above 0", weight
  let b = e.adjoint(data)
  let end = loop s = {x = b, v = b, u = 0 * b} for i in 0 .. iterations => {
    let x = conjugate_gradients(q => e.normal(q) + weight * q, b + weight * (s.v - s.u), s.x, tolerance, solves,
                                warns = false).x
    let v = denoise(x + s.u)
    {x = x, v = v, u = s.u + x - v}
  }
  end.v
}

// The image x that minimizes ½|E x − data|² + weight TV(x) for the isotropic total variation, by
// the method of Condat and Vũ.
// - e: encoding operator, a record such as `sense(maps, mask, coil)`; not the maps
// - data: samples, as of `e.forward`
// - weight: number in the unit of the data, at least 0
// - iterations: int, the largest number of iterations
// - sigma: number, the step of the dual variable; that of x follows from it
// - tolerance: number, as for `condat_vu`
// Value: field, the image, in the unit of the data.
// Source: Rudin, Osher & Fatemi (1992); Condat (2013), algorithm 3.1
// Example: tv_image(e, data, 0.01, iterations = 5)
fn tv_image(e, data, weight, iterations: int = 100, sigma = 0.04, tolerance = 0.0) {
  require_weight(weight)
  let b = e.adjoint(data)
  let tau = 1 / (e.bound / 2 + sigma * 4 total(for d in directions(b) => 1))
  condat_vu(x => e.normal(x) - b, (v, t) => v, (u, t) => into_ball(u, weight),
            x => differences(x), u => differences_adjoint(u), b, tau, sigma, iterations, tolerance).x
}

// The image x that minimizes ½|E x − data|² + TGV(x) for the total generalized variation of second
// order, by the method of Condat and Vũ. TGV is the minimum of weight Σ|∇x − v| + ratio · weight
// Σ|∇ₛv| over vector fields v, where ∇ₛ is the symmetrized gradient. It keeps slopes, of which TV
// makes steps.
// - e: encoding operator, a record such as `sense(maps, mask, coil)`; not the maps
// - data: samples, as of `e.forward`
// - weight: number in the unit of the data, at least 0
// - ratio: number
// - iterations: int, the largest number of iterations
// - sigma: number, the step of the dual variable
// - tolerance: number, as for `condat_vu`
// Value: field, the image, in the unit of the data.
// Source: Bredies, Kunisch & Pock (2010); Knoll et al. (2011)
// Example: tgv_image(e, data, 0.01, iterations = 5)
fn tgv_image(e, data, weight, ratio = 2.0, iterations: int = 200, sigma = 0.04, tolerance = 0.0) {
  require_weight(weight)
  let b = e.adjoint(data)
  let over = directions(b)
  let n = total(for d in over => 1)
  let start = for i in 0 .. n + 1 => if i == 0 then b else 0 * b
  let tau = 1 / (e.bound / 2 + sigma * (4 n + 0.5 + sqrt(4 n + 0.25)))
  condat_vu(u => for i in 0 .. n + 1 => if i == 0 then e.normal(u[0]) - b else 0 * b, (u, t) => u,
            (p, t) => into_two_balls(p, n, weight, ratio * weight),
            u => generalised_slopes(u, over), p => generalised_slopes_adjoint(p, over), start, tau, sigma, iterations,
            tolerance).x[0]
}

// The n components of ∇x − v and the n² of the symmetrized gradient of v, in one tuple, for n
// dims. The first ones are differences to the next cell, the others to the cell before.
// - u: tuple (x, v₁, …, vₙ) of fields
// - over: dims of the image
// Value: tuple of n + n² fields.
// Source: Bredies, Kunisch & Pock (2010)
// Example: generalised_slopes((truth, truth, truth), (x, y))
fn generalised_slopes(u, over) {
  let list = for d in over => d
  let n = total(for d in over => 1)
  for i in 0 .. n + n * n => if i < n then shifted(u[0], list[i], 1) - u[0] - u[1 + i] else {
    let (a, b) = (floor(i / n) - 1, remainder(i, n))
    0.5 (u[1 + b] - shifted(u[1 + b], list[a], -1) + u[1 + a] - shifted(u[1 + a], list[b], -1))
  }
}

// The transpose of `generalised_slopes`.
// - p: tuple of n + n² fields
// - over: dims of the image
// Value: tuple of n + 1 fields.
// Source: Bredies, Kunisch & Pock (2010)
// Example: generalised_slopes_adjoint(generalised_slopes((truth, truth, truth), (x, y)), (x, y))
fn generalised_slopes_adjoint(p, over) {
  let list = for d in over => d
  let n = total(for d in over => 1)
  for i in 0 .. n + 1 => if i == 0 then total(for a in 0 .. n => shifted(p[a], list[a], -1) - p[a])
                         else total(for a in 0 .. n => {
                           let q = 0.5 (p[n + n * a + i - 1] + p[n + n * (i - 1) + a])
                           q - shifted(q, list[a], 1)
                         }) - p[i - 1]
}

// The first n components of p no longer than r, nor the others than s.
fn into_two_balls(p, n, r, s) {
  let first = ball_factor(for i in 0 .. n => p[i], r, u => magnitude(u))
  let others = ball_factor(for i in n .. n + n * n => p[i], s, u => magnitude(u))
  for i in 0 .. n + n * n => if i < n then p[i] * first else p[i] * others
}

// Ends the program if a weight, a number or a field, is below 0.
fn require_weight(weight) {
  let least = min({weight = weight}).weight
  assert least >= 0, "a reconstruction has a weight below 0"
}

// The encoding operator E = 1, to remove noise with `tv_image`, `tgv_image` or `wavelet_image`,
// also from real fields.
// Value: record `{forward, adjoint, normal, bound}`.
// Example: tv_image(denoising(), truth, 0.1, iterations = 5)
fn denoising() = {forward = x => x, adjoint = y => y, normal = x => x, bound = 1.0}

// `cg_image` of Cartesian data: minimizes ½|E x − data|² + ½ weight |x|², by conjugate gradients.
// - data: complex field over the coil and modes
// - maps: sensitivities
// - mask: field over some or all of the modes, 1 where k-space is measured and 0 elsewhere
// - coil: dim of the coils
// - weight: number, at least 0, without unit
// - tolerance: number, as for `cg`
// - iterations: int, the largest number of iterations
// Value: complex field, the image, in the unit of the data.
// Source: Pruessmann et al. (2001)
// Example: cg_sense(data, maps, mask, c, iterations = 5)
fn cg_sense(data, maps, mask, coil, weight = 0.0, tolerance = 1e-6, iterations: int = 30) =
  cg_image(sense(maps, mask, coil), data, weight, tolerance, iterations)

// `wavelet_image` of Cartesian data, compressed sensing: minimizes ½|E x − data|² + weight
// Σ|details of W x|, by FISTA.
// - data: complex field over the coil and modes
// - maps: sensitivities
// - mask: field over some or all of the modes, 1 where k-space is measured and 0 elsewhere
// - coil: dim of the coils
// - weight: number in the unit of the data, at least 0
// - family: of wavelets, as for `wavelet`
// - levels: int, as for `wavelet`
// - iterations: int, the largest number of iterations
// - tolerance: number, as for `fista`
// - shifts: int, at least 1, as for `wavelet_image`
// Value: complex field, the image, in the unit of the data.
// Source: Lustig et al. (2007)
// Example: wavelet_sense(data, maps, mask, c, 0.01, iterations = 5)
fn wavelet_sense(data, maps, mask, coil, weight, family = "db4", levels: int = 3, iterations: int = 60, tolerance = 0.0,
                 shifts: int = 100) =
  wavelet_image(sense(maps, mask, coil), data, weight, family, levels, iterations, tolerance, shifts)

// `tv_image` of Cartesian data: minimizes ½|E x − data|² + weight TV(x), by the method of Condat
// and Vũ.
// - data: complex field over the coil and modes
// - maps: sensitivities
// - mask: field over some or all of the modes, 1 where k-space is measured and 0 elsewhere
// - coil: dim of the coils
// - weight: number in the unit of the data, at least 0
// - iterations: int, the largest number of iterations
// - sigma: number, the step of the dual variable
// - tolerance: number, as for `condat_vu`
// Value: complex field, the image, in the unit of the data.
// Source: Rudin, Osher & Fatemi (1992); Condat (2013), algorithm 3.1
// Example: tv_sense(data, maps, mask, c, 0.01, iterations = 5)
fn tv_sense(data, maps, mask, coil, weight, iterations: int = 100, sigma = 0.04, tolerance = 0.0) =
  tv_image(sense(maps, mask, coil), data, weight, iterations, sigma, tolerance)

// ---- total variation ----

// The differences to the next cell, f(x + h) − f(x), along each dim, periodic. The square of the
// norm of this operator is at most 4 for each dim.
// - f: field, real or complex
// - over: dims of the differences; the other dims count a batch
// Value: vector with a field for each dim of `over`.
// Example: differences(truth)
fn differences(f, over = directions(f)) = for d in over => shifted(f, d, 1) - f

// The transpose of `differences`.
// - v: vector with a field for each dim of `over`; also a field with one dim that has a length
// - over: dims of the differences; the other dims count a batch
// Value: field.
// Example: differences_adjoint(differences(truth))
fn differences_adjoint(v, over = directions(v)) {
  let parts = as_vector(v, over)
  total(for d in over => shifted(parts[d], d, -1) - parts[d])
}

// The isotropic total variation Σ √(Σ_d |f(x + h_d) − f(x)|² + ε²).
// - f: field, real or complex
// - epsilon: number in the unit of f; above 0 it makes the value smooth, for optimizers that use
//   gradients
// - over: dims of the differences; the other dims count a batch
// Value: number in the unit of f.
// Source: Rudin, Osher & Fatemi (1992)
// Example: total_variation(truth)
fn total_variation(f, epsilon = 0.0, over = directions(f)) = sum(sqrt(magnitude(differences(f, over))^2 + epsilon^2))

// ---- quality, against a truth of the same kind and unit; errors are squared times a power of two that brings the truth into range ----

// The rms error of an image, divided by the rms of the truth.
// - f: field, real or complex; any unit
// - truth: field like f
// Value: number.
// Example: nrmse(cg_image(e, data, iterations = 5), truth)
fn nrmse(f, truth) {
  let r = range_root(truth)
  sqrt(sum(norm2_of(twice_times(r, f - truth))) / sum(norm2_of(twice_times(r, truth))))
}

// The peak signal-to-noise ratio 20 log₁₀(peak/rms error).
// - f: field, real or complex; any unit
// - truth: field like f
// - peak: number in the unit of f; the largest absolute value of the truth by default
// Value: number in dB.
// Example: psnr(cg_image(e, data, iterations = 5), truth)
fn psnr(f, truth, peak = largest_size(truth)) {
  let r = range_root(truth)
  20 log(twice_times(r, peak) / sqrt(mean(norm2_of(twice_times(r, f - truth))))) / log(10)
}

fn largest_size(f) {
  let r = range_root(f)
  twice_times(1 / r, max(abs(twice_times(r, f))))
}

// The structural similarity: the mean over all cells that are at least 5 cells from the edges,
// with Gaussian weights of standard deviation 1.5 cells in a window of 11, K₁ = 0.01 and K₂ =
// 0.03.
// - f: real field, such as the absolute value of an image; any unit
// - truth: field like f
// - range: number in the unit of f, the range of the values
// - over: dims of the image, with at least 11 cells each; fewer end the program with an error
// Value: number, at most 1.
// Source: Wang et al. (2004)
// Example: ssim(abs(cg_image(e, data, iterations = 5)), abs(truth))
fn ssim(f, truth, range = max(truth) - min(truth), over = directions(f)) {
  let r = range_root(truth)
  ssim_in_range(twice_times(r, f), twice_times(r, truth), twice_times(r, range), over)
}

fn ssim_in_range(f, truth, range, over) {
  assert total(for d in over => if cells(d) < 11 then 1 else 0) == 0,
         "ssim: its window has 11 cells along every dim, an image has fewer"
  let raw = for j in 0 .. 11 => exp(-((j - 5)^2) / 4.5)
  let taps = raw * (1 / total(raw))
  let mean_f = convolved(f, taps, 1, over)
  let mean_t = convolved(truth, taps, 1, over)
  let c1 = (0.01 * range)^2
  let c2 = (0.03 * range)^2
  let var_f = convolved(f^2, taps, 1, over) - mean_f^2
  let var_t = convolved(truth^2, taps, 1, over) - mean_t^2
  let both = convolved(f * truth, taps, 1, over) - mean_f * mean_t
  let found = (2 mean_f * mean_t + c1) * (2 both + c2) / ((mean_f^2 + mean_t^2 + c1) * (var_f + var_t + c2))
  let inner_cells = map q in f =>
    if total(for d in over => if index(q, d) < 5 or index(q, d) > cells(d) - 6 then 1 else 0) > 0 then 0.0 else 1.0
  sum(inner_cells * found) / sum(inner_cells)
}

// ---- phantoms ----

// The exact k-space of a sum of ellipsoids over the three dims in brackets. Its image is the
// phantom without the modes beyond the grid.
// - shapes: list of tuples (value, a, b, c, x, y, z, angle): semi-axes and center in half fields
//   of view, and an angle around the third dim; values add where ellipsoids overlap
// Value: complex field over modes.
// Source: Koay et al. (2007)
// Example: ellipsoids_kspace[x, y, z](head_phantom())
fn ellipsoids_kspace[D](shapes) {
  let modes = k_grid[D]()
  let list = dims(modes)
  let (x, y, z) = (list[0], list[1], list[2])
  let n = cells(x) * cells(y) * cells(z)
  map k in modes => {
    let (kx, ky, kz) = (pi * index(k, x), pi * index(k, y), pi * index(k, z))
    sqrt(n) * total(for e in shapes => {
      let u = e[1] * (kx * cos(e[7]) + ky * sin(e[7]))
      let v = e[2] * (ky * cos(e[7]) - kx * sin(e[7]))
      let w = e[3] * kz
      e[0] * pi / 6 * e[1] * e[2] * e[3] * ball_transform(sqrt(u^2 + v^2 + w^2)) *
        exp(-1i * (kx * e[4] + ky * e[5] + kz * e[6]))
    })
  }
}

// 3 (sin u - u cos u)/u^3, the transform of a ball of radius 1 over its volume.
fn ball_transform(u) {
  let t = u^2
  let safe = max(u, 0.3)
  if u < 0.3 then 1 - t / 10 * (1 - t / 28 * (1 - t / 54 * (1 - t / 88 * (1 - t / 130))))
  else 3 (sin(safe) - safe * cos(safe)) / safe^3
}

// The ellipsoids of a head, in three dimensions, with values from 0 to 1.
// Value: list of tuples, for `ellipsoids_kspace`.
// Source: Shepp & Logan (1974); Kak & Slaney (1988), table 3.1, for the shapes; Toft (1996) for
//   the contrasts
// Example: head_phantom()[0]
fn head_phantom() = (
  (1.0, 0.69, 0.92, 0.81, 0.0, 0.0, 0.0, 0.0),
  (-0.8, 0.6624, 0.874, 0.78, 0.0, -0.0184, 0.0, 0.0),
  (-0.2, 0.11, 0.31, 0.22, 0.22, 0.0, 0.0, -18 deg),
  (-0.2, 0.16, 0.41, 0.28, -0.22, 0.0, 0.0, 18 deg),
  (0.1, 0.21, 0.25, 0.41, 0.0, 0.35, -0.15, 0.0),
  (0.1, 0.046, 0.046, 0.05, 0.0, 0.1, 0.25, 0.0),
  (0.1, 0.046, 0.046, 0.05, 0.0, -0.1, 0.25, 0.0),
  (0.1, 0.046, 0.023, 0.05, -0.08, -0.605, 0.0, 0.0),
  (0.1, 0.023, 0.023, 0.02, 0.0, -0.606, 0.0, 0.0),
  (0.1, 0.023, 0.046, 0.02, 0.06, -0.605, 0.0, 0.0))
