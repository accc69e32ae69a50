// Fields in real and Fourier space: random fields, derivatives, smoothing.
//
// Convention: f_k = 1/N^3 sum f(x) exp(-ikx), f(x) = sum f_k exp(ikx). Functions named *_kernel are factors in Fourier
// space, for the body of a `map k in fk`.
//
// `over`: the dims in which a field extends in space, by default its `directions`. Other dims count a batch: each of it
// is treated alone.

use math

// ---- kernels ----

// The wave vector: k along the transformed dims, without those of a batch.
fn wave(k) = for d in directions(k) => k[d]

// The wave number that stands for d/dx_d = i k~.
//   "fd2"     k~ = sin(k h)/h, the central difference of second order (h: spacing)
//   "fd4"     k~ = (8 sin(k h) - sin(2 k h))/(6 h), that of fourth order, as in FastPM
//   "fd6"     k~ = (45 sin(k h) - 9 sin(2 k h) + sin(3 k h))/(30 h), that of sixth order
//   "exact"   k~ = k, but 0 at the Nyquist frequency, where the derivative of a real field has no real value
fn gradient_kernel(k, d, kernel = "exact") =
  if kernel == "fd4" then fd4(k[d] * spacing(d)) / spacing(d)
  else if kernel == "exact" then (if 2 abs(index(k, d)) == cells(d) then 0 else k[d])
  else if kernel == "fd2" then sin(k[d] * spacing(d)) / spacing(d)
  else if kernel == "fd6" then fd6(k[d] * spacing(d)) / spacing(d)
  else error("kernel is \"fd2\", \"fd4\", \"fd6\" or \"exact\"")

fn fd4(w) = (8 sin(w) - sin(2 w)) / 6
fn fd6(w) = (45 sin(w) - 9 sin(2 w) + sin(3 w)) / 30

// df/dx_d by the central difference whose Fourier transform is i k~ of `gradient_kernel(k, d, kernel)`.
fn central_difference(f, d, kernel = "fd4") =
  if kernel == "fd2" then 1 / (2 spacing(d)) * (f[d + 1] - f[d - 1])
  else if kernel == "fd4" then 1 / (12 spacing(d)) * (8 (f[d + 1] - f[d - 1]) - (f[d + 2] - f[d - 2]))
  else if kernel == "fd6" then
    1 / (60 spacing(d)) * (45 (f[d + 1] - f[d - 1]) - 9 (f[d + 2] - f[d - 2]) + (f[d + 3] - f[d - 3]))
  else error("kernel is \"fd2\", \"fd4\" or \"fd6\"")

// -1 over the Laplacian, 0 for the mean.
//   "exact"   1/k^2
//   "fd2"     1/sum_d (2 sin(k_d h/2)/h)^2, the finite difference of second order
fn inverse_laplacian_kernel(k, laplacian = "exact") {
  let k2 = if laplacian == "exact" then norm2(wave(k))
           else if laplacian == "fd2" then
             total(for d in directions(k) => (2 sin(0.5 k[d] * spacing(d)) / spacing(d))^2)
           else error("laplacian is \"exact\" or \"fd2\"")
  if k2 == 0 then 0 else 1 / k2
}

// The Fourier transform of the window that `paint` uses, without aliases: prod_d sinc(k_d h/2)^p, p = 1, 2, 3, 4 for
// "ngp", "cic", "tsc", "pcs" (Hockney & Eastwood 1988; Jing 2005, eq. 18).
fn window_kernel(k, window = "cic") {
  let p = if window == "ngp" then 1 else if window == "cic" then 2 else if window == "tsc" then 3
          else if window == "pcs" then 4 else error("window is \"ngp\", \"cic\", \"tsc\" or \"pcs\"")
  product(for d in directions(k) => sinc(0.5 k[d] * spacing(d)))^p
}

// ---- whole fields ----

// A Gaussian random field of spectrum P: k -> P(k), periodic, of mean 0, made of unit white noise w:
// delta_k = w_k sqrt(N^3 P(k)/L^3). The same seed gives the same field on every machine.
fn gaussian_field[D](P, seed, over = directions(D)) = colour(white_noise[D](seed), P, over)

// The Gaussian field of spectrum P whose unit white noise is w.
fn colour(w, P, over = directions(w)) {
  let h = for d in over => spacing(d)
  let cell = product(h)
  let wk = fft(w, over = over)
  ifft(map k in wk => {
    let k2 = norm2(wave(k))
    let safe = if k2 == 0 then 1 / h[0]^2 else k2
    (if k2 == 0 then 0 else sqrt(P(sqrt(safe)) / cell)) * wk
  })
}

// grad f: a vector field. kernel: see gradient_kernel.
fn gradient(f, kernel = "exact", over = directions(f)) {
  let fk = fft(f, over = over)
  for d in over => ifft(map k in fk => 1i * gradient_kernel(k, d, kernel) * fk)
}

// div v. In one direction v may be a field.
fn divergence(v, kernel = "exact", over = directions(v)) {
  let parts = as_vector(v, over)
  total(for d in over => {
    let vk = fft(parts[d], over = over)
    ifft(map k in vk => 1i * gradient_kernel(k, d, kernel) * vk)
  })
}

// v, or a vector of v alone where v is a field in one direction, which needs no parentheses to be a vector.
fn as_vector(v, over) =
  if total(for d in over => 1) == 1 and total(for d in directions(v) => 1) == 1 then (for d in over => 1.0) * v else v

// The solution phi of laplacian phi = f - mean(f), of mean 0.
fn inverse_laplacian(f, laplacian = "exact", over = directions(f)) {
  let fk = fft(f, over = over)
  ifft(map k in fk => -inverse_laplacian_kernel(k, laplacian) * fk)
}

// f folded with a Gaussian of standard deviation R: exp(-k^2 R^2/2).
fn smooth(f, R, over = directions(f)) {
  let cells_of_R = number(R, (for d in over => spacing(d))[0])  // R has the unit of the dims
  let fk = fft(f, over = over)
  ifft(map k in fk => exp(-norm2(wave(k)) * R^2 / 2) * fk)
}

// A painted field with the window divided out. Noise near the Nyquist frequency grows by up to (pi/2)^(3p).
fn compensate(f, window = "cic", over = directions(f)) {
  let fk = fft(f, over = over)
  ifft(map k in fk => fk / window_kernel(k, window))
}

// f, a field or a vector of fields, real or complex, at the node n cells further along the dim d, periodic: f(x + n h). It is exact, and so is what it is moved
// back by: shifted(f, d, -n) is its transpose and its inverse.
fn shifted(f, d, n) = f[d + n]

// n cells of f along d, from one on that may be known when the program runs only.
fn part(f, d, from, n: int) = f[d = piece(d, n) + from]

// Paints and readouts with an edge, which the compiler calls: `over` are the dims that positions are along, `reach` is more than half of
// the cells of a window. The field gets 2 reach cells more at both ends, and positions do not leave them.
fn readout_beyond(f, pos, window, selected: bool, where, over, reach: int, edge) {
  let wide = with_edges(f, over, reach, edge)
  let at = within_edges(pos, over, reach, edge)
  if selected then readout_at(wide, at, window = window, where = where) else readout_at(wide, at, window = window)
}
fn paint_beyond[D](pos, weight, window, selected: bool, where, over, reach: int, edge) {
  let at = within_edges(pos, over, reach, edge)
  let mesh = for d in D => edge_dim(d, over, reach)
  let painted =
    if selected then paint_at[mesh](at, window = window, weight = weight, where = where)
    else paint_at[mesh](at, window = window, weight = weight)
  vjp(f => with_edges(f, over, reach, edge))(zeros[D], cotangent = painted)[1]
}
fn positions_of(disp, axes) = for i in 0 .. count_of_parts(axes) => map q in disp[i] => q[axes[i]] + disp[i]
fn edge_dim(d, over, reach: int) =
  if total(for e in over => if d == e then 1 else 0) > 0 then piece_with_edges(d, reach) else d
fn piece_with_edges(d, reach: int) = piece(d, cells(d) + 4 * reach)
fn with_edges(f, over, reach: int, edge) =
  repeated(f, (g, i) => padded(g, over[i], 2 * reach, edge), count_of_parts(over))
fn within_edges(pos, over, reach: int, edge) {
  let wide = for d in over => piece_with_edges(d, reach)
  for e in wide => {
    let i = total(for j in 0 .. count_of_parts(over) => if wide[j] == e then j else 0)
    within_edge(pos[i], over[i], reach, edge)
  }
}
fn within_edge(p, d, reach: int, edge) {
  let h = spacing(d)
  let last = (cells(d) - 1) * h
  let inside =
    if edge == "reflect" then {
      let rest = p - 2 last * floor(p / (2 last))
      min(rest, 2 last - rest)
    } else min(max(p, -reach * h), last + reach * h)
  inside + 2 reach * h
}

// Fields one behind the other along a dim: a dim that they share, or one for each. The result has the dim `to` in its place.
fn concat(parts, over, to = concatenated(parts, over)) {
  let n = count_of_parts(parts)
  assert cells(to) == total(for d in dims_of_parts(over, n) => cells(d)),
         "concat: the parts do not have the {} cells of the result", cells(to)
  total(for i in 0 .. n => {
    let d = dims_of_parts(over, n)[i]
    parts[i][d = to - start_of_part(over, n, i), edge = "zero"]
  })
}
fn concatenated(parts, over) {
  let list = dims_of_parts(over, count_of_parts(parts))
  piece(list[0], total(for d in list => cells(d)))
}
fn count_of_parts(parts) = total(for f in parts => 1)
fn dims_of_parts(over, n: int) {
  let list = for d in over => d
  for i in 0 .. n => if total(for d in list => 1) == 1 then list[0] else list[i]
}
fn start_of_part(over, n: int, i: int) =
  if i == 0 then 0 else total(for j in 0 .. i => cells(dims_of_parts(over, n)[j]))

// The components of a vector of numbers or fields as a field that has the dim d, too: component i is in cell i.
fn field_of(v, d) {
  assert cells(d) == total(for c in v => 1), "field_of: the vector does not have the {} cells of the dim as components",
         cells(d)
  v[map q in [d] => int(index(q, d))]
}

// f with n cells more at both ends of d: edge says what is there, as for neighbors.
fn padded(f, d, n: int, edge = "zero") = f[d = piece(d, cells(d) + 2 * n) - n, edge = edge]

// f with d split in two, the block and the cell in it, and with `halo` cells around each block that it has from its neighbors; and what
// such blocks without a halo are of the field `like`, put together.
fn blocks(f, d, n: int, halo: int = 0, edge = "periodic") =
  f[d = n * coarsen(d, n) + piece(d, n + 2 * halo) - halo, edge = edge]
fn joined(parts, like, d, n: int) = vjp(f => blocks(f, d, n))(like, cotangent = parts)[1]

// The sums of f, a field or a vector of fields, over all cells up to each along `over`, its own included: a dim, or several one
// after the other. Sums of pairs are summed in this way, too, as long as there are 64 of them or more, so that it takes some two
// readings of f, and a message of the size of a slice each time that the cells are halved; rounding errors grow with the logarithm
// of the cells. What is left, at most 127 sums or an odd number, is summed over 1, 2, 4, ... cells.
fn cumsum(f, over) {
  let list = for d in over => d
  repeated(f, (g, i) => cumsum_along(g, list[i]), total(for d in over => 1))
}

fn cumsum_along(f, d) {
  let levels = total(for k in 1 .. 31 => if remainder(cells(d), 2^k) == 0 and cells(d) / 2^k >= 64 then 1 else 0)
  repeated(g => cumsum_by_doubling(g, coarsen(d, 2^levels)), (below, i) => g => {
    let here = coarsen(d, 2^(levels - 1 - i))
    let pairs = coarsen(g, 2, over = here) + coarsen(g[here + 1], 2, over = here)
    let before = refine(below(pairs)[coarsen(here, 2) - 1, edge = "zero"], 2, over = coarsen(here, 2))
    let left = g[here - 1, edge = "zero"]
    map q in g => before + (if remainder(index(q, here), 2) == 1 then left + g else g)
  }, levels)(f)
}

fn cumsum_by_doubling(f, d) =
  repeated(f, (g, k) => g + g[d - 2^k, edge = "zero"], total(for k in 0 .. 31 => if 2^k < cells(d) then 1 else 0))

// For `bins`: the number of the bin of x between edges that rise: 0 where it is not below edge 0 and below edge 1, and so on; -1 below all, and
// one less than there are edges from the last one on. The edges are numbers in a vector, such as a list; or a field over one dim, in which
// x is sought by halving.
fn bin_between(x, edges) = total(for e in edges => if x >= e then 1 else 0) - 1

// The number i of the bin of x between equally spaced edges: from + i width <= x < from + (i + 1) width, with both ends as they are
// computed, where (x - from)/width may be rounded up to i + 1 or down.
fn bin_of(x, from, width) {
  let i = floor((x - from) / width)
  if x < from + i * width then i - 1 else if x >= from + (i + 1) * width then i + 1 else i
}

fn bin_along(x, edges) {
  let line = dims(edges)[0]
  let n = cells(line)
  let levels = total(for k in 0 .. 31 => if 2^k <= n then 1 else 0)
  repeated(0, (below, i) => {
    let more = below + 2^(levels - 1 - i)
    let last = if i == 0 then edges[line = more - 1] else edges[line = min(more, n) - 1, edge = "clamp"]
    if more <= n and x >= last then more else below
  }, levels) - 1
}

// Of a field of counts: (the sum of all cells before each, row by row with the last dim fastest; the sum of all). For `collect`.
fn counts_before(f) {
  let list = for d in dims(f) => d
  let n = total(for d in list => 1)
  let s = repeated({rest = f, before = 0}, (s, i) => {
    let d = list[n - 1 - i]
    {rest = sum(s.rest, over = d), before = s.before + cumsum(s.rest, over = d)[d - 1, edge = "zero"]}
  }, n)
  (s.before, s.rest)
}

// f folded along each of `over` with an odd number 2r + 1 of taps that are the same forwards and backwards, s cells apart,
// periodic: sum_j taps_j f(x + (j - r) s h).
fn convolved(f, taps, s = 1, over = directions(f)) {
  let n = total(for c in taps => 1)
  let turned = for j in 0 .. n => abs(taps[j] - taps[n - 1 - j])
  let sizes = for c in taps => abs(c)
  assert remainder(n, 2) == 1 and total(turned) <= 1e-9 * total(sizes),
         "convolved: requires an odd number of taps, symmetric about the middle one"
  let fk = fft(f, over = over)
  ifft(map k in fk => taps_kernel(k, taps, s) * fk, over = over)
}

// In a map: the transform of these taps along every transformed dim, prod_d sum_j taps_j cos(2 pi m_d (j - r) s/N_d).
fn taps_kernel(k, taps, s = 1) {
  let r = (total(for c in taps => 1) - 1) / 2
  product(for d in directions(k) =>
    total(for j in 0 .. 2 * r + 1 => taps[j] * cos(2 pi * index(k, d) * (j - r) * s / cells(d))))
}
