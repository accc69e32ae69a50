// Fields in real space and in Fourier space: Gaussian random fields, derivatives, filters, parts
// of fields, bins and cumulative sums.
//
// Transforms are f_k = 1/N Σ f(x) exp(−i k x) and f(x) = Σ f_k exp(i k x), where N is the number
// of cells. Functions with the name `*_kernel` are factors in Fourier space. Call them in the body
// of `map k in fk`.
//
// The argument `over` of functions of whole fields contains the dims along which a field extends
// in space. The other dims count a batch, and each element of the batch is processed separately.
//
// Setup: dim x = 32, y = 32, z = 32 over 100 Mpc/h
//   let f = white_noise[x, y, z](1)
//   let fk = fft(f)
//
// Internal: fd4 fd6 is_difference as_vector readout_beyond paint_beyond positions_of edge_dim piece_with_edges
//   with_edges within_edges within_edge concatenated count_of_parts dims_of_parts start_of_part
//   cumsum_along cumsum_by_doubling

use math

// ---- kernels ----

// The wave vector: the components of k along the transformed dims, without those of a batch.
// - k: the variable of a map over the modes of a transform
// Value: vector in 1/length.
// Example: map k in fk => norm2(wave(k)) * fk
fn wave(k) = for d in directions(k) => k[d]

// k̃ of the derivative i k̃ along the dim d, for h the spacing of d.
//
// Kernels: `"exact"` is k, and 0 at the Nyquist frequency, where the derivative of a real field
// has no real value. `"fd2"` is sin(kh)/h, `"fd4"` is (8 sin kh − sin 2kh)/6h as in FastPM, and
// `"fd6"` is (45 sin kh − 9 sin 2kh + sin 3kh)/30h. These are central differences of order 2, 4
// and 6.
// - k: the variable of a map over the modes of a transform
// - d: a transformed dim
// - kernel: `"exact"`, `"fd2"`, `"fd4"` or `"fd6"`
// Value: number in 1/length.
// Example: map k in fk => 1i * gradient_kernel(k, x) * fk
fn gradient_kernel(k, d, kernel = "exact") =
  if kernel == "fd4" then fd4(k[d] * spacing(d)) / spacing(d)
  else if kernel == "exact" then (if 2 abs(index(k, d)) == cells(d) then 0 else k[d])
  else if kernel == "fd2" then sin(k[d] * spacing(d)) / spacing(d)
  else if kernel == "fd6" then fd6(k[d] * spacing(d)) / spacing(d)
  else error("kernel is \"fd2\", \"fd4\", \"fd6\" or \"exact\"")

fn fd4(w) = (8 sin(w) - sin(2 w)) / 6
fn fd6(w) = (45 sin(w) - 9 sin(2 w) + sin(3 w)) / 30

// Whether the derivatives are finite differences, which need no transforms.
fn is_difference(kernel) = kernel == "fd2" or kernel == "fd4" or kernel == "fd6"

// ∂f/∂x_d along the dim d by a central difference of order 2, 4 or 6. The values are those of
// `gradient` with the same kernel.
// - f: field, real or complex, periodic along d
// - d: dim of f
// - kernel: `"fd2"`, `"fd4"` or `"fd6"`
// Value: field like f, in the unit of f over length.
// Cost: reads 1, 2 or 3 neighbors on each side; no transform.
// Example: central_difference(f, x)
fn central_difference(f, d, kernel = "fd4") =
  if kernel == "fd2" then 1 / (2 spacing(d)) * (f[d + 1] - f[d - 1])
  else if kernel == "fd4" then 1 / (12 spacing(d)) * (8 (f[d + 1] - f[d - 1]) - (f[d + 2] - f[d - 2]))
  else if kernel == "fd6" then
    1 / (60 spacing(d)) * (45 (f[d + 1] - f[d - 1]) - 9 (f[d + 2] - f[d - 2]) + (f[d + 3] - f[d - 3]))
  else error("kernel is \"fd2\", \"fd4\" or \"fd6\"")

// −1 over the Laplacian, and 0 for the mean: 1/k² for `"exact"`, and 1/Σ(2 sin(kh/2)/h)² for
// `"fd2"`, the finite difference of second order.
// - k: the variable of a map over the modes of a transform
// - laplacian: `"exact"` or `"fd2"`
// Value: number in length².
// Example: map k in fk => inverse_laplacian_kernel(k) * fk
fn inverse_laplacian_kernel(k, laplacian = "exact") {
  let k2 = if laplacian == "exact" then norm2(wave(k))
           else if laplacian == "fd2" then
             total(for d in directions(k) => (2 sin(0.5 k[d] * spacing(d)) / spacing(d))^2)
           else error("laplacian is \"exact\" or \"fd2\"")
  if k2 == 0 then 0 else 1 / k2
}

// The Fourier transform of a window of `paint`, without aliases: Π sinc(kh/2)^p over the
// transformed dims, with p = 1, 2, 3 and 4 for `"ngp"`, `"cic"`, `"tsc"` and `"pcs"`.
// - k: the variable of a map over the modes of a transform
// - window: `"ngp"`, `"cic"`, `"tsc"` or `"pcs"`
// Value: number without unit.
// Source: Hockney & Eastwood (1988); Jing (2005), eq. 18
// Example: map k in fk => fk / window_kernel(k)
fn window_kernel(k, window = "cic") {
  let p = if window == "ngp" then 1 else if window == "cic" then 2 else if window == "tsc" then 3
          else if window == "pcs" then 4 else error("window is \"ngp\", \"cic\", \"tsc\" or \"pcs\"")
  product(for d in directions(k) => sinc(0.5 k[d] * spacing(d)))^p
}

// ---- whole fields ----

// A periodic Gaussian random field with the spectrum P and mean 0: δ_k = w_k √(N P(k)/V), where w
// is unit white noise of this seed, N the number of cells and V the volume. The same seed gives
// the same field on every machine.
// - P: function k => P(k); k is in 1/length, P in length to the power of the number of dims
// - seed: u64
// - over: dims of D along which the field extends; the other dims count a batch
// Value: real field over the dims in brackets, without unit.
// Cost: two transforms.
// Example: gaussian_field[x, y, z](k => 1e4 (Mpc/h)^3 / (1 + (k * 9 Mpc/h)^4), 1)
fn gaussian_field[D](P, seed, over = directions(D)) = colour(white_noise[D](seed), P, over)

// The Gaussian field with the spectrum P that is made from given white noise: δ_k = w_k √(N
// P(k)/V).
// - w: real field, unit white noise
// - P: function k => P(k); k is in 1/length, P in length to the power of the number of dims
// - over: dims of w along which the field extends; the other dims count a batch
// Value: field like w.
// Cost: two transforms.
// Example: colour(f, k => 1e4 (Mpc/h)^3 / (1 + (k * 9 Mpc/h)^4))
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

// The vector field ∇f, by transforms or by finite differences.
// - f: field, real or complex, periodic
// - kernel: `"exact"`, `"fd2"`, `"fd4"` or `"fd6"`, as in `gradient_kernel`
// - over: dims of the derivatives; the other dims count a batch
// Value: vector with a field for each dim of `over`, in the unit of f over length.
// Cost: `"exact"` takes one transform for f, and one for each dim; the others read neighbors.
// Example: gradient(f)
fn gradient(f, kernel = "exact", over = directions(f)) =
  if is_difference(kernel) then for d in over => central_difference(f, d, kernel)
  else {
    let fk = fft(f, over = over)
    for d in over => ifft(map k in fk => 1i * gradient_kernel(k, d, kernel) * fk)
  }

// ∇·v, by transforms or by finite differences.
// - v: vector with a field for each dim of `over`; also a field with one dim that has a length
// - kernel: `"exact"`, `"fd2"`, `"fd4"` or `"fd6"`, as in `gradient_kernel`
// - over: dims of the derivatives; the other dims count a batch
// Value: field in the unit of v over length.
// Cost: `"exact"` takes two transforms for each dim; the others read neighbors.
// Example: divergence(gradient(f))
fn divergence(v, kernel = "exact", over = directions(v)) {
  let parts = as_vector(v, over)
  total(for d in over => if is_difference(kernel) then central_difference(parts[d], d, kernel) else {
    let vk = fft(parts[d], over = over)
    ifft(map k in vk => 1i * gradient_kernel(k, d, kernel) * vk)
  })
}

// The components of v along the dims `over`. A field in one direction needs no parentheses to be a vector.
fn as_vector(v, over) =
  if total(for d in over => 1) == 1 and total(for d in directions(v) => 1) == 1 then (for d in over => 1.0) * v
  else for d in over => v[d]

// The potential φ with ∇²φ = f − mean(f) and mean 0.
// - f: field, real or complex, periodic
// - laplacian: `"exact"` or `"fd2"`, as in `inverse_laplacian_kernel`
// - over: dims of the Laplacian; the other dims count a batch
// Value: field like f, in the unit of f times length².
// Cost: two transforms.
// Example: inverse_laplacian(f)
fn inverse_laplacian(f, laplacian = "exact", over = directions(f)) {
  let fk = fft(f, over = over)
  ifft(map k in fk => -inverse_laplacian_kernel(k, laplacian) * fk)
}

// f, convolved with a Gaussian of standard deviation R: f_k exp(−k²R²/2).
// - f: field, real or complex, periodic; any unit
// - R: number in the unit of length of the dims, the standard deviation
// - over: dims along which f is smoothed; the other dims count a batch
// Value: field like f.
// Cost: two transforms.
// Example: smooth(f, 5 Mpc/h)
fn smooth(f, R, over = directions(f)) {
  let cells_of_R = number(R, (for d in over => spacing(d))[0])  // R has the unit of the dims
  let fk = fft(f, over = over)
  ifft(map k in fk => exp(-norm2(wave(k)) * R^2 / 2) * fk)
}

// A painted field, divided by the Fourier transform of its window. Noise near the Nyquist
// frequency grows by up to (π/2)^(p · number of dims), with p as in `window_kernel`.
// - f: field, real or complex, periodic; any unit
// - window: `"ngp"`, `"cic"`, `"tsc"` or `"pcs"`, the window of `paint`
// - over: dims of the mesh; the other dims count a batch
// Value: field like f.
// Cost: two transforms.
// Example: compensate(f, window = "tsc")
fn compensate(f, window = "cic", over = directions(f)) {
  let fk = fft(f, over = over)
  ifft(map k in fk => fk / window_kernel(k, window))
}

// f at the cell that is n cells further along the dim d: f(x + n h), where h is the spacing.
// `shifted(f, d, -n)` is its transpose and its inverse.
// - f: field or vector of fields, real or complex, periodic along d
// - d: dim of f
// - n: int, known at compile time
// Value: like f, without rounding.
// Example: shifted(f, x, 2)
fn shifted(f, d, n) = f[d + n]

// n cells of f along d, from the cell `from` on.
// - f: field
// - d: dim of f
// - from: int, the first cell; it may be known only at run time
// - n: int, the number of cells, known at compile time
// Value: field with the dim `piece(d, n)` in place of d.
// Example: part(f, z, 4, 8)
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

// The fields of a tuple, one after the other along a dim.
// - parts: tuple of fields over the same other dims
// - over: the dim that the parts share, or a dim for each part
// - to: the dim of the result in its place
// Value: field. Its dim `to` has as many cells as all parts together; otherwise the program ends
//   with an error.
// Example: concat((f, f), x)
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

// The components of a vector as a field over the dim d: component i is in cell i. This makes a
// field of a list, or a stack of fields.
// - v: vector of numbers or fields
// - d: dim with as many cells as v has components; otherwise the program ends with an error
// Value: field over d and the dims of the components.
// Example: dim c = 2
//   field_of((1.5, 2.5), c)
fn field_of(v, d) {
  assert cells(d) == total(for c in v => 1), "field_of: the vector does not have the {} cells of the dim as components",
         cells(d)
  v[map q in [d] => int(index(q, d))]
}

// f with n more cells at both ends of d.
// - f: field
// - d: dim of f
// - n: int, known at compile time
// - edge: what the new cells contain, as for neighbors: `"zero"`, `"periodic"`, `"clamp"`,
//   `"reflect"` or others
// Value: field with the dim `piece(d, cells(d) + 2 n)` in place of d.
// Example: padded(f, z, 4)
fn padded(f, d, n: int, edge = "zero") = f[d = piece(d, cells(d) + 2 * n) - n, edge = edge]

// f with the dim d split in two dims: `coarsen(d, n)` for the block, and `piece(d, n + 2 halo)`
// for the cell in the block.
// - f: field
// - d: dim of f
// - n: int, the number of cells of a block; it divides the number of cells of d
// - halo: int, the number of cells that are added to both ends of a block from its neighbors
// - edge: what is beyond the ends of d, as for neighbors
// Value: field with two dims in place of d.
// Example: blocks(f, x, 8, halo = 2)
fn blocks(f, d, n: int, halo: int = 0, edge = "periodic") =
  f[d = n * coarsen(d, n) + piece(d, n + 2 * halo) - halo, edge = edge]

// Blocks without a halo, joined along d. This is the inverse of `blocks`.
// - parts: field, as `blocks` makes it with a halo of 0
// - like: field with the dims of the result
// - d: dim of `like`
// - n: int, the number of cells of a block
// Value: field like `like`, with the values of `parts`.
// Example: joined(blocks(f, x, 8), f, x, 8)
fn joined(parts, like, d, n: int) = vjp(f => blocks(f, d, n))(like, cotangent = parts)[1]

// The sums of f over the elements up to and including each element, along a dim, or along several
// dims one after the other (prefix sums).
//
// Pairs of elements are summed, then pairs of these sums, as long as at least 64 sums remain and
// their number is even. The rest is summed over 1, 2, 4, … elements. Therefore the result has the
// same bits on every mesh of ranks.
// - f: field or vector of fields, real or complex
// - over: dim, or dims in parentheses
// Value: like f.
// Cost: about two readings of f, and a message of the size of a slice for each halving. The
//   rounding error grows with the logarithm of the number of cells.
// Example: cumsum(f, over = z)
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

// The index i of the bin where edge i ≤ x < edge i + 1, for `bins`. Below all edges it is −1. From
// the last of n edges on it is n − 1.
// - x: number, or an element in the body of `bins` or `map`
// - edges: vector of increasing numbers in the unit of x, such as a param that is a list
// Value: number.
// Cost: compares x with every edge.
// Example: map q in f => bin_between(f, (-1, 0, 1))
fn bin_between(x, edges) = total(for e in edges => if x >= e then 1 else 0) - 1

// The index i of the bin where from + i · width ≤ x < from + (i + 1) · width, for `bins`. It is
// exact for an x at an edge, because x is compared with the edges as they are computed.
// - x: number, or an element in the body of `bins` or `map`
// - from: number in the unit of x, the first edge
// - width: number in the unit of x, above 0
// Value: number, a whole one.
// Example: map q in f => bin_of(f, -2, 0.5)
fn bin_of(x, from, width) {
  let i = floor((x - from) / width)
  if x < from + i * width then i - 1 else if x >= from + (i + 1) * width then i + 1 else i
}

// The index i of the bin where edge i ≤ x < edge i + 1, for edges in a field, by bisection. Below
// all edges it is −1. From the last of n edges on it is n − 1.
// - x: number, or an element in the body of `bins` or `map`
// - edges: field of increasing numbers over one dim, in the unit of x
// Value: number.
// Cost: log₂ n comparisons.
// Example: dim e = 9
//   let edges = map q in [e] => index(q, e) - 4
//   map q in f => bin_along(f, edges)
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

// The sums of a field of counts before each element, row by row with the last dim fastest, and the
// sum of all elements. `collect` uses it.
// - f: field of numbers
// Value: tuple (field like f, number).
// Cost: for each dim, a reduction and a cumulative sum.
// Example: counts_before(f)[1]
fn counts_before(f) {
  let list = for d in dims(f) => d
  let n = total(for d in list => 1)
  let s = repeated({rest = f, before = 0}, (s, i) => {
    let d = list[n - 1 - i]
    {rest = sum(s.rest, over = d), before = s.before + cumsum(s.rest, over = d)[d - 1, edge = "zero"]}
  }, n)
  (s.before, s.rest)
}

// Σⱼ tapsⱼ f(x + (j − r) s h) along each dim, for 2r + 1 taps, where h is the spacing.
// - f: field, real or complex, periodic
// - taps: vector of an odd number of numbers, symmetric about the middle one; other taps end the
//   program with an error
// - s: int, the distance of the taps in cells
// - over: dims along which f is convolved; the other dims count a batch
// Value: field like f.
// Cost: two transforms.
// Example: convolved(f, (0.25, 0.5, 0.25))
fn convolved(f, taps, s = 1, over = directions(f)) {
  let n = total(for c in taps => 1)
  let turned = for j in 0 .. n => abs(taps[j] - taps[n - 1 - j])
  let sizes = for c in taps => abs(c)
  assert remainder(n, 2) == 1 and total(turned) <= 1e-9 * total(sizes),
         "convolved: requires an odd number of taps, symmetric about the middle one"
  let fk = fft(f, over = over)
  ifft(map k in fk => taps_kernel(k, taps, s) * fk, over = over)
}

// The Fourier transform of the taps of `convolved`: Π Σⱼ tapsⱼ cos(2π m (j − r) s/N) over the
// transformed dims, for the mode number m and N cells.
// - k: the variable of a map over the modes of a transform
// - taps: vector of an odd number of numbers, symmetric about the middle one
// - s: int, the distance of the taps in cells
// Value: number without unit.
// Example: map k in fk => taps_kernel(k, (0.25, 0.5, 0.25)) * fk
fn taps_kernel(k, taps, s = 1) {
  let r = (total(for c in taps => 1) - 1) / 2
  product(for d in directions(k) =>
    total(for j in 0 .. 2 * r + 1 => taps[j] * cos(2 pi * index(k, d) * (j - r) * s / cells(d))))
}
