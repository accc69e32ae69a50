// Multigrid cycles for elliptic problems on periodic grids (Brandt 1977; Trottenberg, Oosterlee &
// Schüller 2001).
//
// A node of a coarser grid is every second node of the finer one, along each of `directions(f)`.
// Residuals go to the coarser grid by full weighting, and corrections come back by linear
// interpolation. The smoother is the Chebyshev polynomial of the operator over its diagonal that
// damps the upper part of the spectrum; a sweep evaluates the operator twice. All of it is linear
// in f, and derivatives go through it. Other dims than `directions(f)` are a batch.
//
// If the cells are longer along one direction, the degree of the polynomial is multiplied by 2, 4, …,
// which is about the ratio of the lengths. A cycle then costs as many times more, and reduces the
// residual as for equal cells. Directions with less than 4 cells are not halved.
//
// A problem is a record `{apply, diagonal, coarser, data, bound}`. apply(data, u) is A u.
// diagonal(data, u) is the diagonal of A on the grid of u. coarser(data) is the data of the next
// grid. No eigenvalue of A over its diagonal exceeds `bound`.
//
// Setup: dim x = 16, y = 16 over 1
//   let f = white_noise[x, y](1)
//   let p = poisson_problem()
//   fn cubic(v) = laplacian_difference(v) - v^3
//   fn cell(u, f) = u + (cubic(u) - f) / (4 / spacing(directions(u)[0])^2 + 3 * u^2)
//   let nonlinear = {apply = (data, u) => cubic(u), relax = (data, u, f) => cell(u, f),
//                    keep = (next, u) => next, coarser = data => data, data = 0}
//
// Internal: halvings coarser cycle corrected swept step chebyshev_weight coarsest most_cells
//   along_directions nonlinear_cycle nonlinear_coarsest nonlinear_sweeps visits_of counted
//   inverse_squares squares_of_cells stretch rounds round_at doubled_along doubled_as

use math, fields

// ---- solvers ----

// The solution φ of ∇²φ = f − mean(f), of mean 0.
// - f: real field, periodic; any unit
// - cycles: int, the number of cycles
// - laplacian: `"fd2"` or `"fd4"`, the central difference of order 2 or 4
// - levels: int, the number of coarser grids; −1: all grids that halve the cells, down to 2 or 3
// - sweeps: int, 1 to 3, the sweeps of the smoother before and after the coarser grid
// - shape: `"V"`, or `"W"`, which visits each coarser grid twice
// Value: field like f, in the unit of f times length².
// Example: poisson(f, 6)
fn poisson(f, cycles: int = 10, laplacian = "fd2", levels: int = -1, sweeps: int = 2, shape = "V") {
  let g = f - mean(f, over = directions(f))
  let u = solution(poisson_problem(laplacian), g, cycles, levels, sweeps, shape)
  u - mean(u, over = directions(f))
}

// The solution u of ∇·(a ∇u) − c u = f. The flux between two nodes takes the mean of a there. If c
// is 0 everywhere, the mean of f is subtracted and u has mean 0.
// - f: real field, periodic; any unit
// - a: field like f, above 0
// - c: number or field like f, at least 0
// - cycles: int, the number of cycles
// - levels: int, the number of coarser grids; −1: all grids that halve the cells, down to 2 or 3
// - sweeps: int, 1 to 3, the sweeps of the smoother before and after the coarser grid
// - shape: `"V"` or `"W"`
// Value: field like f.
// Example: elliptic(f, 2 + 0 * f, cycles = 6)
fn elliptic(f, a, c = 0, cycles: int = 10, levels: int = -1, sweeps: int = 2, shape = "V") {
  let all = (a, c + 0 / spacing(directions(a)[0])^2 * a)
  let isSingular = max(all[1]) == 0
  let g = f - (if isSingular then mean(f) else 0 * mean(f))
  let u = solution(elliptic_problem(all), g, cycles, levels, sweeps, shape)
  u - (if isSingular then mean(u) else 0 * mean(u))
}

// A force for the argument `force` of `nbody`: the gradient, by differences of order 4, of the
// potential of `poisson`.
// - cycles: int, the number of cycles
// - laplacian: `"fd2"` or `"fd4"`
// - levels: int, the number of coarser grids; −1: all grids that halve the cells, down to 2 or 3
// - sweeps: int, 1 to 3, the sweeps of the smoother before and after the coarser grid
// - shape: `"V"` or `"W"`
// Value: function (mesh, scale) => scale ∇φ, a vector of fields.
// Example: multigrid(cycles = 4)(f, 1)
fn multigrid(cycles: int = 6, laplacian = "fd2", levels: int = -1, sweeps: int = 2, shape = "V") = (mesh, scale) => {
  let phi = poisson(mesh, cycles, laplacian, levels, sweeps, shape)
  for d in directions(mesh) => scale * difference(phi, d)
}

// ∂f/∂x_d by the central difference of order 4.
// - f: field, periodic along d
// - d: dim of f
// Value: field like f, in the unit of f over length.
// Example: difference(f, x)
fn difference(f, d) = central_difference(f, d, "fd4")

// The u with A u = f for a problem, after a number of cycles from 0.
// - p: problem, such as `poisson_problem()`
// - f: field
// - cycles: int, the number of cycles
// - levels: int, the number of coarser grids; −1: all grids that halve the cells, down to 2 or 3
// - sweeps: int, 1 to 3, the sweeps of the smoother before and after the coarser grid
// - shape: `"V"` or `"W"`
// Value: field like f, in the unit of f over that of A.
// Example: solution(p, f - mean(f), 6)
fn solution(p, f, cycles: int, levels: int = -1, sweeps: int = 2, shape = "V") =
  improved(p, 0 / p.diagonal(p.data, f) * f, f, cycles, levels, sweeps, shape)

// u after more cycles for A u = f.
// - p: problem, such as `poisson_problem()`
// - u: field, the approximation so far
// - f: field
// - cycles: int, the number of cycles
// - levels: int, the number of coarser grids; −1: all grids that halve the cells, down to 2 or 3
// - sweeps: int, 1 to 3, the sweeps of the smoother before and after the coarser grid
// - shape: `"V"` or `"W"`
// Value: field like u.
// Example: improved(p, poisson(f, 2), f - mean(f), 3)
fn improved(p, u, f, cycles: int, levels: int = -1, sweeps: int = 2, shape = "V") {
  let s = {sweeps = sweeps, visits = visits_of(shape)}
  let n = if levels == -1 then halvings(f) else levels
  loop u = u for i in 0 .. cycles => u + cycle(p, f - p.apply(p.data, u), s, n)
}

fn visits_of(shape) =
  if shape == "V" then 1 else if shape == "W" then 2 else error("the shape of a cycle is \"V\" or \"W\"")

// How often the cells along all directions can be halved, down to 2 or 3. Directions with less than 4 cells are not halved.
fn halvings(f) {
  let list = directions(f)
  let n = total(for d in list => 1)
  total(for l in 1 .. 10 => {
    let whole =
      total(for d in list => if cells(d) < 4 or remainder(cells(d), 2^l) == 0 and cells(d) >= 2^(l + 1) then 1 else 0)
    if whole == n and most_cells(f) >= 2^(l + 1) then 1 else 0
  })
}

// 1 for each direction with more than one cell, else 0: differences along one cell are 0.
fn counted(f) = for d in directions(f) => if cells(d) > 1 or most_cells(f) == 1 then 1 else 0

// The sum of 1/h² over these directions.
fn inverse_squares(f) {
  let list = directions(f)
  let n = counted(f)
  total(for i in 0 .. total(for d in list => 1) => n[i] / spacing(list[i])^2)
}

// The sum of h² over these directions.
fn squares_of_cells(f) {
  let list = directions(f)
  let n = counted(f)
  total(for i in 0 .. total(for d in list => 1) => n[i] * spacing(list[i])^2)
}

// The longest h times the root mean square of 1/h: 1 for equal cells. The eigenvalue of a wave along the longest cells is smaller by its
// square than with equal cells.
fn stretch(f) {
  let list = directions(f)
  let n = counted(f)
  let number_of = total(for i in 0 .. total(for d in list => 1) => n[i])
  let longest = repeated(0 * spacing(list[0]), (h, i) => max(h, n[i] * spacing(list[i])), total(for d in list => 1))
  longest * sqrt(inverse_squares(f) / number_of)
}

// The rounds of the smoother, a power of 2: the degree of a Chebyshev polynomial grows as the root of the range of eigenvalues.
fn rounds(f) {
  let ratio = stretch(f)
  loop m = 1 while 1.5 * m < ratio => 2 * m
}

// Round i in the order of Lebedev & Finogenov, which is stable: (0), (0, 1), (0, 3, 1, 2), … for m = 1, 2, 4, …
fn round_at(i, m) {
  let (k, n, rest) = loop (k, n, rest) = (0, 1, i) while n < m => {
    let isUpper = 2 * rest >= m
    (if isUpper then 2 * n - 1 - k else k, 2 * n, 2 * (if isUpper then rest - div(m, 2) else rest))
  }
  k
}

// ---- problems ----

// The problem of Poisson's equation.
// - laplacian: `"fd2"` or `"fd4"`
// Value: record, a problem.
// Example: poisson_problem("fd4").bound
fn poisson_problem(laplacian = "fd2") = {
  apply = (data, u) => laplacian_difference(u, laplacian),
  diagonal = (data, u) => (if laplacian == "fd2" then -2 else -5 / 2) * inverse_squares(u),
  coarser = data => data,
  data = 0,
  bound = if laplacian == "fd2" then 2 else 32 / 15
}

// ∇²u by the central difference of order 2 or 4.
// - u: field, periodic
// - laplacian: `"fd2"` or `"fd4"`
// Value: field like u, in the unit of u over length².
// Example: laplacian_difference(f)
fn laplacian_difference(u, laplacian = "fd2") = total(for d in directions(u) =>
  (if laplacian == "fd2" then u[d + 1] + u[d - 1] - 2 u
   else if laplacian == "fd4" then 4 / 3 * (u[d + 1] + u[d - 1]) - 1 / 12 * (u[d + 2] + u[d - 2]) - 5 / 2 * u
   else error("laplacian is \"fd2\" or \"fd4\"")) / spacing(d)^2)

// The problem of `elliptic`.
// - data: tuple (a, c) of fields; a is above 0, c is at least 0 in the unit of a over length²
// Value: record, a problem.
// Example: elliptic_problem((1 + 0 * f, 0 * f)).bound
fn elliptic_problem(data) = {
  apply = (data, u) => total(for d in directions(u) => {
    let a = data[0]
    ((a[d + 1] + a) * (u[d + 1] - u) + (a[d - 1] + a) * (u[d - 1] - u)) / (2 spacing(d)^2)
  }) - data[1] * u,
  diagonal = (data, u) => {
    let (a, list, n) = (data[0], directions(u), counted(u))
    total(for i in 0 .. total(for d in list => 1) => {
      let d = list[i]
      -n[i] * (a[d + 1] + 2 a + a[d - 1]) / (2 spacing(d)^2)
    }) - data[1]
  }
  coarser = data => (halved(data[0]), halved(data[1])),
  data = data,
  bound = 2
}

fn coarser(p) = {apply = p.apply, diagonal = p.diagonal, coarser = p.coarser, data = p.coarser(p.data), bound = p.bound}

// ---- a cycle ----

// Nearly A^-1 f, with n coarser grids. It is self-adjoint if A is.
fn cycle(p, f, s, n) = repeated(coarsest, (below, i) => (p, f, s) => corrected(p, f, s, below), n)(p, f, s)

fn corrected(p, f, s, below) {
  let n = 2 * s.sweeps
  let m = rounds(f)
  let first = chebyshev_weight(p, n, 0, m) / p.diagonal(p.data, f) * f
  let start = swept(p, first, f, n, 1, m, 0)
  let u = loop u = start for j in 1 .. m => swept(p, u, f, n, 0, m, round_at(j, m))
  let r = halved(f - p.apply(p.data, u))
  let q = coarser(p)
  let e = if s.visits == 1 then below(q, r, s)
          else loop e = below(q, r, s) for i in 1 .. s.visits => e + below(q, r - q.apply(q.data, e), s)
  let better = loop v = u + doubled_as(e, u) for j in 1 .. m => swept(p, v, f, n, 0, m, round_at(j, m))
  swept(p, better, f, n, 0, m, 0)
}

// Steps `from` .. n of round j of the smoother, which has m rounds. Each round has roots from the whole spectrum.
fn swept(p, u, f, n, from, m, j) {
  let a = if from == 0 then step(p, u, f, n, j, m) else u
  let b = step(p, a, f, n, j + m, m)
  let c = if n > 2 then step(p, step(p, b, f, n, j + 2 * m, m), f, n, j + 3 * m, m) else b
  if n > 4 then step(p, step(p, c, f, n, j + 4 * m, m), f, n, j + 5 * m, m) else c
}

fn step(p, u, f, n, k, m) = u + chebyshev_weight(p, n, k, m) / p.diagonal(p.data, u) * (f - p.apply(p.data, u))

// One over the k-th root of the polynomial of degree n m on [bound/part, bound]. Waves that the coarser grid has, but not exactly, are left
// to higher degrees: with two sweeps 12 is faster than 8 for both Laplacians.
fn chebyshev_weight(p, n, k, m) {
  let part = (if n > 2 then 12 else 8) * m^2
  2 * part / (p.bound * (part + 1 + (part - 1) * cos(pi * (2 k + 1) / (2 n * m))))
}

// On the coarsest grid, with m cells at most along a dim: the Chebyshev iteration over all its modes but the mean (Saad 2003,
// algorithm 12.1).
fn coarsest(p, f, s) {
  let most = most_cells(f)
  let lowest = 0.7 * p.bound * (if most > 1 then sin(pi / most)^2 else 1) / (squares_of_cells(f) * inverse_squares(f))
  let (theta, delta) = (0.5 * (p.bound + lowest), 0.5 * (p.bound - lowest))
  let diagonal = p.diagonal(p.data, f)
  let start = 1 / (theta * diagonal) * f
  (loop (u, d, rho) = (start, start, delta / theta) for i in 0 .. 4 * most * rounds(f) => {
    let next = 1 / (2 * theta / delta - rho)
    let e = next * rho * d + 2 * next / delta / diagonal * (f - p.apply(p.data, u))
    (u + e, e, next)
  })[0]
}

// The largest number of cells along a direction.
fn most_cells(f) {
  let n = for d in directions(f) => cells(d)
  let k = total(for c in n => 1)
  max(n[0], max(if k > 1 then n[1] else 1, if k > 2 then n[2] else 1))
}

// ---- nonlinear problems ----

// The solution u of a nonlinear problem N(u) = f, by cycles of the full approximation scheme (FAS)
// from a first approximation. The coarser grid solves N(û) = N(Ru) + R(f − N(u)) for û, where R is
// `halved`. `doubled` interpolates the correction û − Ru to the finer grid.
//
// A nonlinear problem is a record `{apply, relax, keep, coarser, data}`. apply(data, u) is N(u).
// relax(data, u, f) is the field that solves the equation of each cell, exactly or nearly, if the
// other cells keep their values. A sweep replaces first the cells with an even sum of indices, then
// the others. keep(next, u) moves next, which is u + the correction, back into the domain of N.
// coarser(data) is the data of the next grid.
// - p: nonlinear problem
// - u: field, the approximation so far
// - f: field
// - cycles: int, the number of cycles
// - levels: int, the number of coarser grids; −1: all grids that halve the cells, down to 2 or 3
// - sweeps: int, the sweeps before and after the coarser grid
// - shape: `"V"`, or `"W"`, which visits each coarser grid twice
// Value: field like u. Derivatives pass back through the cycles.
// Source: Brandt (1977); Trottenberg, Oosterlee & Schüller (2001), section 5.3
// Cost: a sweep evaluates `relax` twice.
// Example: nonlinear_solution(nonlinear, 0 * f, 30 * f, 6)
fn nonlinear_solution(p, u, f, cycles: int, levels: int = -1, sweeps: int = 2, shape = "V") {
  let s = {sweeps = sweeps, visits = visits_of(shape)}
  let n = if levels == -1 then halvings(f) else levels
  let one = repeated(nonlinear_coarsest, (below, i) => (p, u, f, s) => nonlinear_cycle(p, u, f, s, below), n)
  loop u = u for i in 0 .. cycles => one(p, u, f, s)
}

fn nonlinear_cycle(p, u, f, s, below) {
  let a = nonlinear_sweeps(p, u, f, s.sweeps)
  let q = p with {data = p.coarser(p.data)}
  let start = halved(a)
  let right = q.apply(q.data, start) + halved(f - p.apply(p.data, a))
  let e = if s.visits == 1 then below(q, start, right, s)
          else loop e = below(q, start, right, s) for i in 1 .. s.visits => below(q, e, right, s)
  nonlinear_sweeps(p, p.keep(a + doubled_as(e - start, a), a), f, s.sweeps)
}

fn nonlinear_sweeps(p, u, f, count: int) = loop u = u for i in 0 .. 2 * count => {
  let next = p.relax(p.data, u, f)
  map q in u => if mod(int(total(for d in directions(u) => index(q, d)) + i), 2) == 0 then next else u
}

fn nonlinear_coarsest(p, u, f, s) = nonlinear_sweeps(p, u, f, 4 * most_cells(f))

// ---- between grids ----

// f at every second node, averaged with the weights (1 2 1)/4 along each direction. A direction with an
// odd number of cells, or less than 4, does not change.
// - f: field, periodic
// Value: field over the coarser dims.
// Example: halved(f)
fn halved(f) = along_directions(f, (g, d) =>
  if cells(d) < 4 or remainder(cells(d), 2) == 1 then g
  else 0.5 * coarsen(g, 2, over = d) + 0.25 * (coarsen(g[d + 1], 2, over = d) + coarsen(g[d - 1], 2, over = d)))

// f on twice as many cells along each direction, linear between its nodes. This is the transpose
// of `halved`, times 2 for each direction.
// - f: field, periodic
// Value: field over the finer dims.
// Example: doubled(halved(f))
fn doubled(f) = along_directions(f, doubled_along)

fn doubled_along(g, d) {
  let fine = refine(g, 2, over = d)
  0.5 * (fine + fine[d + 1])
}

// f on the grid of u, where `halved(u)` is on the grid of f.
fn doubled_as(f, u) {
  let (list, fine) = (directions(f), directions(u))
  repeated(f, (g, i) => if cells(list[i]) < cells(fine[i]) then doubled_along(g, list[i]) else g,
           total(for d in list => 1))
}

fn along_directions(f, change) {
  let list = directions(f)
  repeated(f, (g, i) => change(g, list[i]), total(for d in list => 1))
}
