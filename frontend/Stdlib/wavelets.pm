// Orthogonal and undecimated wavelet transforms of periodic fields, real or complex, and functions
// that remove noise with them.
//
// The transforms are along the dims `over`; other dims are a batch. The orthogonal transforms keep
// every coefficient in place: after one level along a dim, a cell with an even index has an
// approximation (the low pass), and the odd one after it has the detail (the high pass). The next
// level works on the cells whose indices are multiples of 2 in all dims, and so on (Mallat 1989).
// Therefore coefficients are a field over the dims of f, and the approximation of the last level
// is at the cells whose indices are all multiples of 2^levels.
//
// Families are `"haar"` and `"db2"` to `"db8"` with 1 to 8 vanishing moments (Daubechies 1988),
// and `"sym4"` and `"sym8"`, the least asymmetric ones (Daubechies 1992, table 6.3).
//
// Setup: dim x = 32, y = 32 over 1
//   let f = white_noise[x, y](1)
//   let c = wavelet(f)
//   let parts = starlet(f)
//
// Internal: wavelet_filter high_pass transposed_tap whole_cells along_each grid_index along_dims
//   starlet_kernel smoothing_kernel

use math, fields, solvers

// The low pass of a family: Daubechies (1988): "haar", "db2" to "db8" with 1 to 8 vanishing moments, and the least asymmetric ones
// (Daubechies 1992, table 6.3) "sym4" and "sym8". Those from db5 on were factored with 60 digits.
fn wavelet_filter(family) =
  if family == "haar" then (sqrt(0.5), sqrt(0.5))
  else if family == "db2" then {
    let r = sqrt(3)
    (1 + r, 3 + r, 3 - r, 1 - r) * (1 / (4 sqrt(2)))
  } else if family == "db3" then {
    let r = sqrt(10)
    let s = sqrt(5 + 2 r)
    (1 + r + s, 5 + r + 3 * s, 10 - 2 r + 2 * s, 10 - 2 r - 2 * s, 5 + r - 3 * s, 1 + r - s) * (1 / (16 sqrt(2)))
  } else if family == "db4" then
    (0.23037781330889650, 0.71484657055291565, 0.63088076792985890, -0.02798376941685985,
     -0.18703481171909309, 0.03084138183556076, 0.03288301166688520, -0.01059740178506903)
  else if family == "db5" then
    (0.16010239797419293, 0.60382926979718965, 0.72430852843777294, 0.13842814590132074, -0.24229488706638203,
     -0.032244869584638375, 0.077571493840045719, -0.0062414902127982744, -0.012580751999081999,
     0.0033357252854737712)
  else if family == "db6" then
    (0.11154074335010947, 0.49462389039845306, 0.75113390802109536, 0.31525035170919763, -0.22626469396543983,
     -0.12976686756726194, 0.097501605587323043, 0.027522865530305727, -0.03158203931748603, 0.00055384220116149613,
     0.0047772575109455108, -0.0010773010853084796)
  else if family == "db7" then
    (0.077852054085009184, 0.39653931948191729, 0.72913209084623509, 0.46978228740519312, -0.14390600392856498,
     -0.22403618499387498, 0.071309219266830259, 0.080612609151083078, -0.038029936935014413, -0.016574541630666881,
     0.01255099855609984, 0.00042957797292136651, -0.0018016407040474908, 0.00035371379997452024)
  else if family == "db8" then
    (0.054415842243104008, 0.31287159091429995, 0.67563073629728976, 0.58535468365420673, -0.015829105256349306,
     -0.28401554296154691, 0.00047248457391328279, 0.12874742662047847, -0.017369301001807547, -0.044088253930794755,
     0.013981027917398282, 0.0087460940474057766, -0.0048703529934515741, -0.00039174037337694705,
     0.00067544940645056933, -0.00011747678412476953)
  else if family == "sym4" then
    (0.032223100604051466, -0.012603967262031304, -0.099219543576633526, 0.29785779560530606, 0.8037387518051321,
     0.49761866763277501, -0.029635527646002493, -0.075765714789502212)
  else if family == "sym8" then
    (0.0018899503327676891, -0.00030292051472413309, -0.014952258337062199, 0.0038087520138944896,
     0.04913717967373029, -0.027219029917103486, -0.051945838107881802, 0.36444189483617895, 0.777185751699628,
     0.48135965125905339, -0.061273359067811076, -0.14329423835127267, 0.0076074873249766086, 0.031695087811525989,
     -0.00054213233180001072, -0.0033824159510050028)
  else error("a family of wavelets is \"haar\", \"db2\" to \"db8\", \"sym4\" or \"sym8\"")

// The high pass that belongs to a low pass: g_k = (-1)^k h_(n-1-k).
fn high_pass(h) {
  let n = total(for c in h => 1)
  for k in 0 .. n => (if floor(k / 2) == k / 2 then 1 else -1) * h[n - 1 - k]
}

// The wavelet coefficients W f. W is orthogonal: Σ|W f|² = Σ|f|².
// - f: field, real or complex, periodic
// - family: `"haar"`, `"db2"` to `"db8"`, `"sym4"` or `"sym8"`
// - levels: int; 2^levels divides the number of cells of each dim of `over`, otherwise it is an
//   error at compile time
// - over: dims of the transform; the other dims count a batch
// - place: number; moves the grid of the coefficients back by `place` cells along the first dim, 3
//   · place along the second, and so on, rounded down. It may be known only at run time
// Value: field like f.
// Source: Mallat (1989); Daubechies (1992)
// Example: wavelet(f, family = "haar", levels = 2)
fn wavelet(f, family = "db4", levels: int = 3, over = directions(f), place = 0) {
  let h = wavelet_filter(family)
  let g = high_pass(h)
  let n = total(for c in h => 1)
  // At 2m stands sum_k h_k f(2m + k - n/2 + 1), at 2m + 1 the same with g_k: filters stand around the cell.
  let even = for j in 0 .. n + 1 => if j == 0 then 0.0 else h[j - 1]
  let odd = for j in 0 .. n + 1 => if j == n then 0.0 else g[j]
  repeated(whole_cells(f, levels, over), (f, l) => along_each(f, even, odd, -n / 2, 2^l, over, place), levels)
}

// The field W⁻¹ c of wavelet coefficients.
// - c: field of coefficients, real or complex
// - family: as for `wavelet`
// - levels: int, as for `wavelet`
// - over: dims of the transform; the other dims count a batch
// - place: number, as for `wavelet`
// Value: field like c.
// Source: Mallat (1989); Daubechies (1992)
// Example: inverse_wavelet(c)
fn inverse_wavelet(c, family = "db4", levels: int = 3, over = directions(c), place = 0) {
  let h = wavelet_filter(family)
  let g = high_pass(h)
  let n = total(for c in h => 1)
  // The transpose: what went from i to 2m now comes from there, to an even or odd i.
  let even = for j in 0 .. n + 1 => transposed_tap(h, g, n - 1 - j, remainder(n / 2 - 1, 2))
  let odd = for j in 0 .. n + 1 => transposed_tap(h, g, n - 1 - j, remainder(n / 2, 2))
  repeated(whole_cells(c, levels, over), (f, l) => along_each(f, even, odd, -n / 2, 2^(levels - 1 - l), over, place),
           levels)
}

// h_k, k being `back`, where k + parity is even, else g_(k+1), and 0 where there is no such tap.
fn transposed_tap(h, g, back, parity) {
  let n = total(for c in h => 1)
  if remainder(back + parity, 2) == 0 then (if back < 0 then 0.0 else h[back])
  else if back + 1 >= n then 0.0 else g[back + 1]
}

fn whole_cells(f, levels, over) =
  if levels < 0 then error("a wavelet transform has 0 or more levels")
  else if total(for d in over => remainder(cells(d), 2^levels)) == 0 then f
  else error("a wavelet transform requires a multiple of 2^levels cells along every dim")

// One level along each of `over`: on the cells whose indices are multiples of s, f(i) becomes sum_j taps_j f(i + (first + j) s),
// with other taps for even i/s than for odd.
fn along_each(f, even, odd, first, s, over, place = 0) = along_dims(f, over, (f, e) => map q in f => {
  let is_even = remainder(grid_index(q, e, over, place) / s, 2) == 0
  let off = total(for d in over => remainder(grid_index(q, d, over, place), s))
  let sum =
    total(for j in 0 .. total(for c in even => 1) => (if is_even then even[j] else odd[j]) * f[e + (first + j) * s])
  if off == 0 then sum else f
})

// In a map: the index along d as the coefficients' grid counts it.
fn grid_index(q, d, over, place) {
  let list = for o in over => o
  index(q, d) + floor(place * total(for j in 0 .. total(for o in over => 1) => if list[j] == d then 2 * j + 1 else 0))
}

// f after `change(f, d)` along each dim d of a list.
fn along_dims(f, over, change) {
  let list = for d in over => d
  repeated(f, (g, i) => change(g, list[i]), total(for d in over => 1))
}

// ---- denoising ----

// The coefficients c, with their details soft-thresholded by t. The approximations stay.
// - c: field of coefficients, real or complex
// - t: number in the unit of c, at least 0
// - levels: int, as for `wavelet`
// - over: dims of the transform; the other dims count a batch
// - place: number, as for `wavelet`
// Value: field like c.
// Example: shrink_details(c, 0.5)
fn shrink_details(c, t, levels: int = 3, over = directions(c), place = 0) = map q in c => {
  let off = total(for d in over => remainder(grid_index(q, d, over, place), 2^levels))
  if off == 0 then c else soft_threshold(c, t)
}

// The proximal operator of t Σ|details of W f|: W⁻¹ of the coefficients W f, with their details
// soft-thresholded by t.
// - f: field, real or complex, periodic
// - t: number in the unit of f, at least 0
// - family: as for `wavelet`
// - levels: int, as for `wavelet`
// - over: dims of the transform; the other dims count a batch
// - place: number, as for `wavelet`
// Value: field like f.
// Source: Donoho (1995)
// Example: wavelet_shrink(f, 0.5)
fn wavelet_shrink(f, t, family = "db4", levels: int = 3, over = directions(f), place = 0) =
  inverse_wavelet(shrink_details(wavelet(f, family, levels, over, place), t, levels, over, place), family, levels, over,
                  place)

// f at n cells further along every dim: f(x + n h).
// - f: field, real or complex, periodic
// - n: int, known at compile time
// - over: dims along which f is moved
// Value: field like f.
// Example: rolled(f, 2)
fn rolled(f, n, over = directions(f)) = along_dims(f, over, (g, d) => g[d + n])

// The mean of denoise(f) over several positions of f relative to the grid of coefficients, moved
// by 0, 1, … cells along every dim. It removes most of the artifacts that depend on the position
// of this grid.
// - f: field, real or complex, periodic
// - denoise: function of a field like f
// - shifts: int, at least 1, the number of positions
// - over: dims along which f is moved
// Value: field like f.
// Source: Coifman & Donoho (1995)
// Cost: one call of `denoise` for each position.
// Example: cycle_spin(f, g => wavelet_shrink(g, 0.5))
fn cycle_spin(f, denoise, shifts: int = 4, over = directions(f)) {
  assert shifts >= 1, "cycle_spin: {} shifts of the grid, expected at least 1", shifts
  // From the last place to the first, each sum moved back by one cell before the next is added.
  let far = loop g = f for n in 1 .. shifts => rolled(g, 1, over)
  let (sum, last) = loop (sum, g) = (0 * f, far) for n in 0 .. shifts =>
    (rolled(sum, -1, over) + denoise(g), rolled(g, -1, over))
  1 / shifts * sum
}

// ---- starlet ----

// The isotropic undecimated wavelet transform with the cubic B-spline (à trous). f is the sum of
// the parts: `total(starlet(f))`.
//
// The last part is f, smoothed `levels` times with the weights (1 4 6 4 1)/16 along every dim,
// with 2^j − 1 cells between the taps in step j. Part j is what this step removes.
// - f: field, real or complex, periodic
// - levels: int, at most 7
// - over: dims of the transform; the other dims count a batch
// Value: tuple of levels + 1 fields like f.
// Source: Starck & Murtagh (2006); Starck et al. (2007)
// Cost: levels + 2 transforms.
// Example: starlet(f, levels = 2)[0]
fn starlet(f, levels: int = 3, over = directions(f)) {
  let fk = fft(f, over = over)
  for j in 0 .. levels + 1 => ifft(map k in fk => starlet_kernel(k, j, levels) * fk, over = over)
}

// The transpose of `starlet`: the gradient of Σⱼ inner(starlet(f)ⱼ, wⱼ) with respect to f.
// - w: tuple of levels + 1 fields
// - levels: int, as for `starlet`
// - over: dims of the transform; the other dims count a batch
// Value: field like a part of w.
// Example: starlet_adjoint(parts)
fn starlet_adjoint(w, levels: int = 3, over = directions(w)) = total(for j in 0 .. levels + 1 => {
  let wk = fft(w[j], over = over)
  ifft(map k in wk => starlet_kernel(k, j, levels) * wk, over = over)
})

// In a map: the transform of the j-th part; for j = levels, of the smooth one.
fn starlet_kernel(k, j, levels) = if levels > 7 then error("a starlet has at most 7 levels") else
                                    (if j < levels then smoothing_kernel(k, j) - smoothing_kernel(k, j + 1)
                                     else smoothing_kernel(k, j))

// In a map: that of the first l smoothings.
fn smoothing_kernel(k, l) = product(for i in 0 .. l + 1 =>
  if i == 0 then 1.0 else taps_kernel(k, (1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16), 2^(i - 1)))
