// The force of a particle mesh in bands of scales: one Fourier transform solves the coarsest grid,
// and transforms of blocks with halos solve the finer grids (Modi, Lanusse & Seljak 2021, section
// 3).
//
// A level takes from a grid of spacing h the waves that the next grid, of spacing 2h, does not
// represent. The transfer down and up again by B-splines of sixth order, with a Gaussian between,
// multiplies a wave by W = Π cos(k h/2)^12 exp(−(k h)²) for cubic cells. The rest, 1 − W, has a
// potential of short range, which is solved in blocks with a halo. Two errors remain: waves that
// the coarser grid takes for others (about 10⁻³ of them), and the potential beyond the halo.
//
// Setup: dim x = 32, y = 32, z = 32 over 100 Mpc/h
//   let f = white_noise[x, y, z](1)
//
// Internal: checked_halo whole_band fine_band short_range low_pass remaining gaussian longest_cell
//   in_blocks

use math, fields, multigrid

// A force for the argument `force` of `nbody`: the gradient, by differences of order 4, of the
// potential of `banded_potential`.
// - levels: int, at least 1, the number of grids
// - blocks: int, at least 1, the number of blocks along each direction, or one number for each
// - halo: int, the number of cells around a block on each side, or one number for each direction
// - laplacian: `"exact"` or `"fd2"`, as in `inverse_laplacian_kernel`
// Value: function (mesh, scale) => scale ∇φ, a vector of fields.
// Example: pyramid(levels = 2, blocks = (2, 2, 1))(f, 1)
fn pyramid(levels: int = 2, blocks = 2, halo = 8, laplacian = "exact") = (mesh, scale) => {
  let phi = banded_potential(mesh, levels, blocks, halo, laplacian)
  for d in directions(mesh) => scale * difference(phi, d)
}

// The potential φ with ∇²φ = f − mean(f) and mean 0, in bands of scales. `levels = 1` is
// `inverse_laplacian`.
// - f: real field, periodic
// - levels: int, at least 1, the number of grids; each has half as many cells along each direction
//   as the one before
// - blocks: int, at least 1, the number of blocks along each direction, or one number for each; it
//   divides the number of cells on each level but the coarsest
// - halo: int, the number of cells around a block on each side, or one number for each direction:
//   as long as 8 of the longest cells. Shorter halos are less exact, and must have the same length
//   in all directions that are cut; otherwise the program ends with an error
// - laplacian: `"exact"` or `"fd2"`, as in `inverse_laplacian_kernel`
// Value: field like f, in the unit of f times length².
// Example: banded_potential(f)
fn banded_potential(f, levels: int = 2, blocks = 2, halo = 8, laplacian = "exact") {
  let s = {levels = if levels >= 1 then levels
                    else error("a pyramid has 1 level or more, as many as are known when compiling"),
           blocks = blocks + for d in directions(f) => 0,
           halo = halo + for d in directions(f) => 0, laplacian = laplacian}
  let own = if levels == 1 then s else checked_halo(f, s)
  repeated(f => whole_band(f, own), (below, i) => f =>
    expanded(below(reduced(f))) + fine_band(f, own, levels - 2 - i), levels - 1)(f)
}

// s, if its halos reach as far as they should, to within a cell: over 8 of the longest cells; less far if one lower number is given for
// all directions, over so many of the longest cells, and if different ones are given, all as far as the one that reaches farthest.
fn checked_halo(f, s) {
  let list = directions(f)
  let n = total(for d in list => 1)
  let h = for d in list => spacing(d)
  let longest = repeated(h[0], (most, i) => max(most, h[i]), n)
  fn over_cut(change, first) = repeated(first, (x, i) => if s.blocks[i] == 1 then x else change(x, i), n)
  let fewest = over_cut((x, i) => min(x, s.halo[i]), 1000)
  let most = over_cut((x, i) => max(x, s.halo[i]), 0)
  let asked = min(8, if fewest == most then most else over_cut((x, i) => max(x, number(s.halo[i] * h[i], longest)), 0))
  fn least(more) = over_cut((x, i) => min(x, number((s.halo[i] + more) * h[i], longest)), 1000)
  let wanted = over_cut((x, i) => max(x, -floor(1e-6 - asked * number(longest, h[i]))), 0)
  assert least(1) > asked - 1e-6,
         "pyramid: along one direction the halo of a block reaches over {:.1f} of the longest cells, and it should over {:.1f}: {} cells along the direction of the shortest ones; give one number for each direction, halo = (8, 16, 8)",
         least(0), asked, wanted
  s
}

// ---- bands ----

// The potential of what the levels before leave, on the coarsest grid. A finer level, of spacing h, has added -2.5 h^2 mean(f), as
// blocks have means: all that is taken back, so that the mean of the potential is 0.
fn whole_band(f, s) {
  let over = directions(f)
  let fk = fft(f, over = over)
  ifft(map k in fk => {
    let kernel = if norm2(wave(k)) == 0 then -2.5 / 3 * (1 - 4^(1 - s.levels)) * longest_cell(k)^2
                 else inverse_laplacian_kernel(k, s.laplacian)
    -remaining(k, s.levels - 1) * kernel * fk
  })
}

// The potential of what the next level does not have.
fn fine_band(f, s, level) {
  let list = directions(f)
  let n = total(for d in list => 1)
  let sizes = for i in 0 .. n =>
    if s.blocks[i] < 1 or s.halo[i] < 0 or s.blocks[i] != floor(s.blocks[i]) or s.halo[i] != floor(s.halo[i])
    then error("a pyramid has 1 block or more along each direction, and a halo of 0 cells or more, whole numbers known when compiling")
    else if remainder(cells(list[i]), s.blocks[i]) == 0 then cells(list[i]) / s.blocks[i]
    else error("the cells of a direction, on each level but the coarsest, are a multiple of its blocks, which are known when compiling")
  let over = for i in 0 .. n => if s.blocks[i] == 1 then list[i] else piece(list[i], sizes[i] + 2 * s.halo[i])
  let solve = repeated(g => short_range(g, s, level, over), (work, i) => g =>
    if s.blocks[i] == 1 then work(g) else in_blocks(g, list[i], sizes[i], s.halo[i], work), n)
  solve(f)
}

fn short_range(g, s, level, over) {
  let gk = fft(g, over = over)
  ifft(map k in gk => {
    let k2 = norm2(wave(k))
    let kernel =
      if k2 == 0 then 2.5 * longest_cell(k)^2 else (1 - low_pass(k)) * inverse_laplacian_kernel(k, s.laplacian)
    -remaining(k, level) * kernel * gk
  })
}

// In a map: W. Factors of one coordinate each, which are computed once along it.
fn low_pass(k) = product(for d in directions(k) => cos(0.5 k[d] * spacing(d))^12 * exp(-gaussian(k, d)))

// In a map: what the Gaussians of so many levels leave of a wave, of the field on the grid behind them.
fn remaining(k, levels) = product(for d in directions(k) => exp(-(1 - 4^(-levels)) / 3 * gaussian(k, d)))

// In a map: (k_d h)^2. Of cells of different lengths as much more that W is the same in all directions for small k, where it is
// 1 - 2.5 (k h)^2 of the longest h: else its potential would reach far.
fn gaussian(k, d) = k[d]^2 * (2.5 * longest_cell(k)^2 - 1.5 * spacing(d)^2)

fn longest_cell(k) {
  let h = for d in directions(k) => spacing(d)
  repeated(h[0], (most, i) => max(most, h[i]), total(for d in directions(k) => 1))
}

// ---- blocks ----

// What `work` makes of blocks of so many cells along d, each with a halo, without it, put together.
fn in_blocks(f, d, size, halo, work) {
  let (inner, wide) = (piece(d, size), piece(d, size + 2 * halo))
  let done = work(f[d = size * coarsen(d, size) + wide - halo, edge = "periodic"])
  vjp(f => f[d = size * coarsen(d, size) + inner])(f, cotangent = done[wide = inner + halo])[1]
}

// ---- between grids ----

// f at every second node, averaged with the weights (1 6 15 20 15 6 1)/64 along each direction.
// - f: field, periodic
// Value: field over the coarser dims.
// Example: reduced(f)
fn reduced(f) = along_directions(f, (g, d) => {
  fn pair(j) = coarsen(g[d + j], 2, over = d) + coarsen(g[d - j], 2, over = d)
  (20 * coarsen(g, 2, over = d) + 15 * pair(1) + 6 * pair(2) + pair(3)) / 64
})

// f on twice as many cells along each direction. This is the transpose of `reduced`, times 2 for
// each direction.
// - f: field, periodic
// Value: field over the finer dims.
// Example: expanded(reduced(f))
fn expanded(f) = along_directions(f, (g, d) => {
  let fine = refine(g, 2, over = d)
  fn pair(j) = fine[d - j] + fine[d + j + 1]
  (10 * pair(0) + 5 * pair(1) + pair(2)) / 32
})
