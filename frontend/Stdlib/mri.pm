// Magnetic resonance imaging, 2-D and 3-D, on Cartesian grids and along trajectories.
//
// An image is a complex field over dims with a length; further dims, such as the coils, count a batch. Its k-space is a field
// over the same dims transformed: mode m of a dim with N cells is -N/2 <= m < N/2. The centre of the field of view is the cell
// with index floor(N/2) along every dim, as in other packages with their centred transforms, and the transforms are unitary:
//   K(m) = N^(-1/2) sum_i f(i) exp(-2 pi i m (i - floor(N/2))/N), sum |K|^2 = sum |f|^2.
//
// Quantities: E is the encoding operator of SENSE, (E x)_c = mask FT(S_c x), with the sensitivity S_c of coil c.

use math, fields, solvers, wavelets, nufft

// ---- k-space ----

// The centred, unitary transform of an image to its k-space, and back.
fn centred_fft(f, over = directions(f)) {
  let fk = fft((1 + 0i) * f, over = over)
  map k in fk => sqrt(product(for d in over => cells(d))) * centre_phase(k, over) * fk
}

fn centred_ifft(f, over = directions(f)) {
  let fk = map k in f => conj(centre_phase(k, over)) / sqrt(product(for d in over => cells(d))) * f
  ifft(fk, over = over)
}

// exp(2 pi i sum_d m_d floor(N_d/2)/N_d); +1 and -1 in turns along dims with an even number of cells.
fn centre_phase(k, over) = product(for d in over =>
  if remainder(cells(d), 2) == 0 then 1 - 2 remainder(index(k, d), 2)
  else exp(2i * pi * index(k, d) * floor(cells(d) / 2) / cells(d)))

// Zero over the modes of the dims D: what `map k in k_grid[y, z]()` needs.
fn k_grid[D](over = directions(D)) = fft(0i + zeros[D], over = over)

// k-space as it is in files, with mode 0 at index floor(N/2) of a field over the dims of the image, as a field over modes.
fn to_modes(f, over = directions(f)) {
  let list = dims(f)
  let modes = fft(0i * f, over = over)
  readout_at(f, for d in list => map k in modes =>
    (index(k, d) + total(for o in over => if o == d then floor(cells(d) / 2) else 0)) * spacing(d), "ngp")
}

// The mask of k-space that comes from a file, without the dim `coil`: 1 where a coil has something else than 0.
fn measured(data, coil) {
  let size = sum(abs(real(data)) + abs(imag(data)), over = coil)
  map k in size => if size > 0 then 1.0 else 0.0
}

// Noise of the receivers: Gaussian of that standard deviation in both parts of every sample.
fn k_noise[D](deviation, seed, over = directions(D)) =
  deviation * centred_fft(white_noise[D](2 * seed) + 1i * white_noise[D](2 * seed + 1), over)

// ---- sampling: 1 where k-space is measured and 0 elsewhere, over the phase-encoding dims D ----

// Every step-th line along each of D, and `centre` lines along each in the middle.
fn uniform_mask[D](step: int, centre: int = 0) {
  assert step >= 1, "uniform_mask takes every {}th line, expected a step of at least 1", step
  require_centre(centre)
  let modes = k_grid[D]()
  map k in modes => {
    let off = total(for d in D => remainder(index(k, d), step))
    if off == 0 or is_central(k, D, centre) then 1.0 else 0.0
  }
}

// 2D CAIPIRINHA (Breuer et al. 2006): every steps[0]-th line along the first of two dims; along the second every steps[1]-th,
// begun `shift` lines later in each line of the first that is taken.
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

// Random lines, 1 of `acceleration` on average: each is taken with the probability min(1, a (1 - r)^power), r being its distance
// from the middle over that of the edges, and none beyond; the `centre` middle ones along each dim all are. a is found from the
// acceleration.
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

// Sensitivities of a birdcage, as SigPy makes them: the coils of the batch dim `coil` form `rings` rings of `radius` half
// fields of view around the last of the three dims; |S| falls as 1/distance, and sum |S|^2 = 1. Without a third dim, one ring.
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

// Sensitivities from the middle of k-space: images of the `width` middle modes along every dim, weighted with a Hann window,
// over the root of their sum of squares; 0 where that is below `least` of its maximum. They carry the phase of the image.
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

fn root_sum_of_squares(images, coil) = sqrt(sum(norm2(images), over = coil))

// One image of those of the coils: sum conj(S) I/sum |S|^2, 0 where there is no sensitivity (Roemer et al. 1990).
fn coil_combine(images, maps, coil) {
  let weight = sum(norm2(maps), over = coil)
  let image = sum(conj(maps) * images, over = coil)
  map q in image => if weight > 0 then image / weight else 0
}

// ---- ESPIRiT (Uecker et al. 2014) ----

// Sensitivities from the `width` middle modes along every dim, sum |S|^2 = 1: the patches of kernel^d modes of all coils are in a
// space of few dimensions, those whose singular values are above `threshold` times the largest. Projecting all patches multiplies
// images at every point by a matrix, whose eigenvector with the eigenvalue 1 is S. The phase of S is that relative to a virtual coil, the
// sum of coils with the most energy, because a single coil may have no signal at a point. The maps are 0 where the eigenvalue is below
// `crop`: there is no signal, or more than one image. data are in any unit, and of any size. `threshold` is above 0; in f32 singular values
// below 3e-4 of the largest are lost.
fn espirit_maps(data, coil, kernel: int = 6, width: int = 24, threshold = 0.02, crop = 0.9, iterations: int = 30) {
  let found = espirit(data, coil, kernel, width, threshold, iterations)
  map q in found.maps => if found.value < crop then 0 else found.maps
}

// {maps, value}: the maps everywhere, and the eigenvalues. `iterations` are those of the power method at every point.
fn espirit(data, coil, kernel: int = 6, width: int = 24, threshold = 0.02, iterations: int = 30) {
  require_patches(kernel, width, directions(data))
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

fn require_patches(kernel: int, width: int, over) {
  assert kernel >= 1 and kernel <= width, "espirit: kernel = {}, expected 1 to width = {} modes", kernel, width
  let small = total(for d in over => if cells(d) < width then 1 else 0)
  assert small == 0, "espirit: width = {} modes, but the image has fewer cells along a dim; expected at most as many",
         width
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

// The matrix over [v, coil] that makes cells(v) coils of all, with most of the data's energy: right singular vectors (Buehrer et al.
// 2007). It leaves noise white. data are in any unit, and of any size. Rows beyond the rank of the data are 0.
fn coil_compression[v](data, coil, iterations: int = 60) {
  let start = column_products(in_range(data), coil)
  let (last, rows) = loop s = {G = start, least = least_of_value(start)} for i in v => {
    let found = largest_vector(s.G, coil, iterations, s.least)
    {G = found.rest, least = found.least} stacking found.vector
  }
  rows
}

// Coils' data, images or maps after that.
fn compressed(matrix, f, coil) {
  let v = dims(matrix)[0]
  let (last, coils) = loop n = 0.0 for i in v => n stacking sum(matrix[v = i] * f, over = coil)
  coils
}

// The proximal operator of t times the sum of singular values: these are moved towards 0 by t (Cai, Candes & Shen 2010). For images
// over a dim of time, of low rank where all change alike (Otazo et al. 2015). f and t have one unit. Values below 1e-6
// times the largest, in f32 some 6e-4, are taken as 0.
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

// The encoding operator, as a record of functions: forward(x) = E x, adjoint(y) = E* y, normal(x) = E* E x, and `bound`, which
// |E|^2 does not exceed. maps are over (coil, image dims), mask over some or all of the transformed image dims.
fn sense(maps, mask, coil) = {
  forward = x => mask * centred_fft(maps * x, over = directions(x))
  adjoint = y => sum(conj(maps) * centred_ifft(mask * of_coils(y, coil)), over = coil)
  // The phases of the centre, and the factors of unitary transforms, cancel.
  normal = x =>
    sum(conj(maps) * ifft(mask^2 * fft((1 + 0i) * maps * x, over = directions(x)), over = directions(x)), over = coil)
  // It only sets the size of steps, where derivatives stop.
  bound = held(max(sum(norm2(maps), over = coil)) * max(mask^2))
}

// ---- encoding along any trajectory: the same record, of samples at the places k of `nufft` ----

// E x = the samples of S_c x. `weight` multiplies samples in the adjoint, so that solvers minimize |sqrt(weight) (E x - data)|^2:
// 1, or the density compensation, with which they need fewer iterations; and E* data is then already an image.
fn nufft_sense(maps, k, coil, weight = 1.0, tolerance = 1e-4) {
  require_inside(k, maps)
  let areas = weight + 0 * components(k, directions(maps))[0]
  let list = dims(maps)
  let blur = nufft_normal[directions(maps)](k, areas, tolerance)
  with_bound({
    forward = x => nufft(maps * x, k, tolerance)
    adjoint = y => sum(conj(maps) * nufft_adjoint[list](areas * y, k, tolerance), over = coil)
    normal = x => sum(conj(maps) * blur(maps * x), over = coil)
    bound = 0.0
  }, maps)
}

// The same in a field map in Hz, with the time of each sample (`nufft_off_resonance`).
fn off_resonance_sense(maps, k, coil, field, time, weight = 1.0, tolerance = 1e-4) {
  require_inside(k, maps)
  let areas = weight + 0 * components(k, directions(maps))[0]
  let list = dims(maps)
  fn forward(x) = nufft_off_resonance(maps * x, k, field, time, tolerance)
  fn adjoint(y) = sum(conj(maps) * nufft_off_resonance_adjoint[list](areas * y, k, field, time, tolerance), over = coil)
  with_bound({forward = x => forward(x), adjoint = y => adjoint(y), normal = x => adjoint(forward(x)), bound = 0.0},
             maps)
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

// The record with its bound: the largest eigenvalue of the normal operator, which 15 iterations find to some percent from below.
fn with_bound(e, maps) {
  let start = white_noise[directions(maps)](1) + 0i
  e with {bound = held(1.1 * power_iteration(e.normal, start, 15).value)}
}

// ---- reconstruction: from the encoding operator, a record like `sense`; E is that, and |.|^2 has its weights ----

// The x that minimizes |E x - data|^2/2 + weight |x|^2/2, by conjugate gradients on the normal equations.
fn cg_image(e, data, weight = 0.0, tolerance = 1e-6, iterations: int = 30) =
  cg(x => e.normal(x) + weight * x, e.adjoint(data), tolerance, iterations)

// The x that minimizes |E x - data|^2/2 + weight |details of W x|_1, by FISTA with restart (Lustig et al. 2007 for the problem).
// With `shifts` above 1 the grid of the coefficients moves from iteration to iteration and comes back after so many (Figueiredo & Nowak 2003):
// it shows less, and the result is not a minimum. Multiples of the golden ratio, rounded, spread its places evenly.
fn wavelet_image(e, data, weight, family = "db4", levels: int = 3, iterations: int = 60, tolerance = 0.0,
                 shifts: int = 1) {
  require_weight(weight)
  let b = e.adjoint(data)
  fn shrink(v, t, i) = if shifts == 1 then wavelet_shrink(v, t, family, levels)
                       else wavelet_shrink(v, t, family, levels, place = 1.618033988749895 * remainder(i, shifts))
  fista_in_turns(x => e.normal(x) - b, (v, t, i) => shrink(v, t * weight, i), b, reciprocal(e.bound), iterations,
                 tolerance, restart = shifts == 1).x
}

// The x that minimizes |E x - data|^2/2 + weight TV(x), TV being the isotropic total variation, by the method of Condat and Vu.
// sigma is the step of the dual variable; that of x follows from it. weight, from 0 on, has the unit of x.
fn tv_image(e, data, weight, iterations: int = 100, sigma = 0.04, tolerance = 0.0) {
  require_weight(weight)
  let b = e.adjoint(data)
  let tau = 1 / (e.bound / 2 + sigma * 4 total(for d in directions(b) => 1))
  condat_vu(x => e.normal(x) - b, (v, t) => v, (u, t) => into_ball(u, weight),
            x => differences(x), u => differences_adjoint(u), b, tau, sigma, iterations, tolerance).x
}

// The x that minimizes |E x - data|^2/2 + TGV(x), the total generalized variation of second order (Bredies, Kunisch & Pock 2010; Knoll
// et al. 2011 for MR): the least of weight sum |grad x - v| + ratio weight sum |sym grad v| over vector fields v. Where TV makes
// steps of a slope it keeps the slope. By the method of Condat and Vu in x and v.
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

// (x, v_1, ..., v_n) to the n components of grad x - v and the n^2 of the symmetrised gradient of v; the first takes differences to
// the next cell, the second to the one before.
fn generalised_slopes(u, over) {
  let list = for d in over => d
  let n = total(for d in over => 1)
  for i in 0 .. n + n * n => if i < n then shifted(u[0], list[i], 1) - u[0] - u[1 + i] else {
    let (a, b) = (floor(i / n) - 1, remainder(i, n))
    0.5 (u[1 + b] - shifted(u[1 + b], list[a], -1) + u[1 + a] - shifted(u[1 + a], list[b], -1))
  }
}

// The transpose. p's components count each pair of dims twice.
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

// The record of E = 1: `tv_image(denoising(), f, weight)` and its like make f less noisy.
fn denoising() = {forward = x => x, adjoint = y => y, normal = x => x, bound = 1.0}

// The first three from Cartesian data.
fn cg_sense(data, maps, mask, coil, weight = 0.0, tolerance = 1e-6, iterations: int = 30) =
  cg_image(sense(maps, mask, coil), data, weight, tolerance, iterations)

fn wavelet_sense(data, maps, mask, coil, weight, family = "db4", levels: int = 3, iterations: int = 60, tolerance = 0.0,
                 shifts: int = 1) =
  wavelet_image(sense(maps, mask, coil), data, weight, family, levels, iterations, tolerance, shifts)

fn tv_sense(data, maps, mask, coil, weight, iterations: int = 100, sigma = 0.04, tolerance = 0.0) =
  tv_image(sense(maps, mask, coil), data, weight, iterations, sigma, tolerance)

// ---- total variation ----

// A vector of f(x + h) - f(x) along each of `over`, periodic. Its norm is at most 4 for each dim, squared.
fn differences(f, over = directions(f)) = for d in over => shifted(f, d, 1) - f

// The transpose.
fn differences_adjoint(v, over = directions(v)) {
  let parts = as_vector(v, over)
  total(for d in over => shifted(parts[d], d, -1) - parts[d])
}

// The isotropic total variation sum sqrt(sum_d |f(x + h_d) - f(x)|^2 + epsilon^2) (Rudin, Osher & Fatemi 1992); epsilon makes it
// smooth for optimizers that take gradients.
fn total_variation(f, epsilon = 0.0, over = directions(f)) = sum(sqrt(magnitude(differences(f, over))^2 + epsilon^2))

// ---- quality, against a truth of the same kind and unit; errors are squared times a power of two that brings the truth into range ----

// The root mean square error over the root mean square of the truth.
fn nrmse(f, truth) {
  let r = range_root(truth)
  sqrt(sum(norm2_of(twice_times(r, f - truth))) / sum(norm2_of(twice_times(r, truth))))
}

// Peak signal-to-noise ratio in dB: 20 log10 of the peak over the root mean square error.
fn psnr(f, truth, peak = largest_size(truth)) {
  let r = range_root(truth)
  20 log(twice_times(r, peak) / sqrt(mean(norm2_of(twice_times(r, f - truth))))) / log(10)
}

fn largest_size(f) {
  let r = range_root(f)
  twice_times(1 / r, max(abs(twice_times(r, f))))
}

// Structural similarity (Wang et al. 2004): the mean over all cells at least 5 from the edges; Gaussian weights of standard
// deviation 1.5 cells in a window of 11, K1 = 0.01, K2 = 0.03. `range` is that of the values. Of real fields, mostly abs(x).
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

// k-space of ellipsoids over the three dims D, exact (Koay et al. 2007): the image of it is the phantom without what is beyond
// the modes of the grid. An ellipsoid is (value, a, b, c, x, y, z, angle): semi-axes and centre in half fields of view, turned by
// the angle around the third dim; values add where ellipsoids overlap.
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

// A head after Shepp & Logan (1974) in three dimensions (Kak & Slaney 1988, table 3.1 for its shapes) with the stronger contrasts
// of Toft (1996): values from 0 to 1.
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
