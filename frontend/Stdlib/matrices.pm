// Small dense matrices, real or complex, of up to 16 rows: linear systems, eigenvalues and
// singular values.
//
// A matrix is a tuple of rows, `((a, b), (c, d))`, of numbers, of elements inside a map, or of
// fields. The compiler unrolls all operations, so that a map of matrices is a single loop.
// Derivatives do not pass through the iterations for eigenvectors. A final step of refinement
// squares their errors and gives them the derivatives of perturbation theory (Ogita & Aishima
// 2018).
//
// Setup: let A = ((2.0, 1.0), (1.0, 3.0))
//   let H = ((2 + 0i, 1i), (-1i, 3 + 0i))
//
// Internal: fitted few_rows solution_of inverse_of column_units row_units pure unit_of_all power_near
//   column_scales reduced_rows cleared cleared_column squared_size complex_frozen eigensystem pure_eigensystem partner
//   rotated rotation exchanged refined singular_system pure_singular_system column_product
//   columns_rotated singular_derivatives imaginary_part

use math

// ---- products ----

// The number of rows of a matrix, or of components of a vector.
// - A: matrix or vector
// Value: int, known at compile time.
// Example: rows(A)
fn rows(A) = total(for r in A => 1)
fn few_rows(A) = if rows(A) > 16 then error("a matrix has at most 16 rows and columns here") else rows(A)

// The adjoint of a matrix: rows and columns exchanged, and elements conjugated.
// - A: matrix
// Value: matrix.
// Example: conj_transposed(H)
fn conj_transposed(A) = for j in 0 .. rows(A[0]) => for i in 0 .. rows(A) => conj(A[i][j])

// The product A B.
// - A, B: matrices; A has as many columns as B has rows
// Value: matrix.
// Example: matrix_product(A, A)
fn matrix_product(A, B) =
  for i in 0 .. rows(A) => for j in 0 .. rows(B[0]) => total(for k in 0 .. rows(B) => A[i][k] * B[k][j])

// The product A v.
// - A: matrix
// - v: vector with as many components as A has columns
// Value: vector.
// Example: matrix_vector(A, (1.0, 2.0))
fn matrix_vector(A, v) = for i in 0 .. rows(A) => total(for k in 0 .. rows(v) => A[i][k] * v[k])

// ---- linear systems, by elimination with the largest pivot of each column (Gauss & Jordan) ----

// The x with A x = b, by elimination with the largest pivot of each column.
// - A: square matrix of at most 16 rows; rows and unknowns may have different units
// - b: vector
// Value: vector. It is not finite where A is singular.
// Example: solve(A, (1.0, 2.0))
fn solve(A, b) = elementwise(s => solution_of(s.A, s.b), {A = A, b = b})

fn solution_of(A, b) {
  let n = few_rows(A)
  let x = column_units(A, for i in 0 .. n => unit_of(b[i]))
  let scale = column_scales(A, n)
  let right = power_near(total(for i in 0 .. n => abs(pure(b[i]))))
  let M = reduced_rows(for i in 0 .. n => for j in 0 .. n + 1 =>
    if j < n then pure(A[i][j]) / scale[j] else pure(b[i]) / right, n)
  for i in 0 .. n => x[i] * (M[i][n] * (right / scale[i]))
}

// A⁻¹, by elimination with the largest pivot of each column.
// - A: square matrix of at most 16 rows
// Value: matrix. It is not finite where A is singular.
// Example: inverse_matrix(A)
fn inverse_matrix(A) = elementwise(A => inverse_of(A), A)

// The vector x that minimizes |A x − b|, such as the parameters of a fit at each element of a field.
// - A: matrix of full rank with at least as many rows as columns, of which there are at most 16;
//   columns may have different units
// - b: vector, in one unit
// Value: vector, in the unit of b over that of each column. It is not finite where columns depend on
//   each other. Relative errors are the rounding error times the condition number, if this is below
//   10⁷ (10³ in f32); columns are divided by their lengths first.
// Source: Björck (1987), the corrected seminormal equations
// Example: linear_least_squares(((1.0, 0.0), (1.0, 1.0), (1.0, 2.0)), (1.0, 2.0, 4.0))
fn linear_least_squares(A, b) = elementwise(s => fitted(s.A, s.b), {A = A, b = b})

fn fitted(A, b) {
  let n = rows(A[0])
  let scale = column_scales(A, n)
  let lengths = for j in 0 .. n => sqrt(total(for r in A => squared_size(r[j] / scale[j])))
  let Q = for r in A => for j in 0 .. n => r[j] / scale[j] / lengths[j]
  let adjoint = conj_transposed(Q)
  let N = inverse_of(matrix_product(adjoint, Q))
  fn step(r) = matrix_vector(N, matrix_vector(adjoint, r))
  fn better(x) = x + step(b - matrix_vector(Q, x))
  let x = better(better(step(b)))
  for j in 0 .. n => x[j] / lengths[j] / scale[j]
}

fn inverse_of(A) {
  let n = few_rows(A)
  let x = column_units(A, row_units(A, for j in 0 .. n => 1 / unit_of(A[0][j])))
  let y = row_units(A, x)
  let scale = column_scales(A, n)
  let M = reduced_rows(for i in 0 .. n => for j in 0 .. 2 n =>
    if j < n then pure(A[i][j]) / scale[j] else if j == n + i then 1.0 else 0.0, n)
  for i in 0 .. n => for j in 0 .. n => x[i] * (M[i][n + j] / scale[i]) / y[j]
}

// 1 in the unit of each x_j for y = A x, where y_i has the unit of y[i], and the other way round. A zero has any unit: the others decide.
fn column_units(A, y) = for j in 0 .. rows(A) => total(for i in 0 .. rows(A) => y[i] / unit_of(A[i][j])) / rows(A)
fn row_units(A, x) = for r in A => total(for j in 0 .. rows(x) => x[j] * unit_of(r[j])) / rows(x)

fn pure(a) = a / unit_of(a)

// 1 in the unit that all elements have.
fn unit_of_all(A) = total(for r in A => total(for a in r => unit_of(a))) / (rows(A) * rows(A[0]))

// A power of 2 near x ≥ 0, with derivatives of 0; 1 for x = 0. Squares of numbers that are divided by it stay in the range of f32.
fn power_near(x) {
  let limit = if epsilon(x) < 1e-10 then 1000 else 120
  pow(2.0, min(max(floor(log(if x > 0 then x else 1.0) / log(2)), -limit), limit))
}
fn column_scales(A, n: int) = for j in 0 .. n => power_near(total(for r in A => abs(pure(r[j]))))

// The rows of (A, B) as those of (1, A^-1 B).
fn reduced_rows(M, n: int) {
  let M1 = cleared(cleared(cleared(cleared(M, 0, n), 1, n), 2, n), 3, n)
  let M2 = cleared(cleared(cleared(cleared(M1, 4, n), 5, n), 6, n), 7, n)
  let M3 = cleared(cleared(cleared(cleared(M2, 8, n), 9, n), 10, n), 11, n)
  cleared(cleared(cleared(cleared(M3, 12, n), 13, n), 14, n), 15, n)
}

// Column k made that of the identity.
fn cleared(M, k: int, n: int) = if k >= n then M else cleared_column(M, k, n)
fn cleared_column(M, k: int, n: int) {
  let wide = rows(M[0])
  let sizes = for i in 0 .. n => if i < k then 0.0 else abs(M[i][k])
  let is_pivot = for i in 0 .. n => if i < k then false else
                                      total(for j in k .. n => if j == i then 0
                                                               else if (if j < i then sizes[i] > sizes[j]
                                                                        else sizes[i] >= sizes[j]) then 0
                                                               else 1) == 0
  let pivot = for j in 0 .. wide => if j < k then 0.0 else total(for i in k .. n => if is_pivot[i] then M[i][j] else 0)
  for i in 0 .. n => {
    let factor = if i == k then 1 / pivot[k]
                 else (if i > k then (if is_pivot[i] then M[k][k] else M[i][k]) else M[i][k]) / pivot[k]
    for j in 0 .. wide =>
      if j < k then M[i][j] else if i == k then factor * pivot[j] else
        (if i > k then (if is_pivot[i] then M[k][j] else M[i][j]) else M[i][j]) - factor * pivot[j]
  }
}

fn squared_size(c) = real(c * conj(c))

// ---- eigenvalues ----

// The eigenvalues and eigenvectors of a symmetric real matrix, by Jacobi rotations. Eigenvectors
// have derivatives where their eigenvalue is single.
// - A: symmetric real matrix of at most 16 rows
// Value: record `{values, vectors}`. Values are ascending. The eigenvectors are the columns of
//   `vectors`, with any sign.
// Example: eigh(A).values
fn eigh(A) = elementwise(A => eigensystem(A, frozen), A)

// The eigenvalues and eigenvectors of a Hermitian matrix, by Jacobi rotations. Eigenvectors have
// derivatives where their eigenvalue is single.
// - A: complex matrix of at most 16 rows that is its own adjoint
// Value: record `{values, vectors}`. Values are ascending. The eigenvectors are the columns of
//   `vectors`, with any phase.
// Example: complex_eigh(H).values
fn complex_eigh(A) = elementwise(A => eigensystem(A, c => complex_frozen(c)), A)

// x, rounded down to a multiple of 2⁻⁵², with derivatives of 0. It also works inside a map.
// - x: real number or element, without unit
// Value: number.
// Example: frozen(0.3)
fn frozen(x) = floor(x * 4503599627370496) / 4503599627370496
fn complex_frozen(c) = frozen(real(c)) + 1i * frozen(imag(c))

fn eigensystem(A, frozen_number) {
  let u = unit_of_all(A)
  let scale = power_near(total(for r in A => total(for a in r => abs(pure(a)))))
  let found = pure_eigensystem(for r in A => for a in r => pure(a) / scale, frozen_number)
  {values = u * (scale * found.values), vectors = found.vectors}
}

fn pure_eigensystem(A, frozen_number) {
  let n = few_rows(A)
  let one = for i in 0 .. n => for j in 0 .. n => (if i == j then 1.0 else 0.0) + 0 * A[i][j]
  let (D, V) = loop (D, V) = (A, one) for i in 0 .. 5 * (n + 1) => {
    let (D1, V1) = rotated(D, V, 0)
    rotated(D1, V1, 1)
  }
  let start = for i in 0 .. n => real(D[i][i])
  let (l, W) = loop (l, W) = (start, V) for i in 0 .. n => {
    let (l1, W1) = exchanged(l, W, 0)
    exchanged(l1, W1, 1)
  }
  refined(A, for i in 0 .. n => for j in 0 .. n => frozen_number(W[i][j]))
}

// The index that i is paired with, from `first` on, or i.
fn partner(i: int, first: int, n: int) {
  let other = if remainder(i - first, 2) == 0 then i + 1 else i - 1
  if other < first or other >= n or i < first then i else other
}

// Rotations of Jacobi in all pairs, which change places then: so every two indices meet in turn.
fn rotated(D, V, first: int) {
  let n = rows(D)
  let turns = for j in 0 .. n => {
    let m = partner(j, first, n)
    if m == j then (1.0, 0.0)
    else if m > j then { let (c, s) = rotation(D[j][j], D[m][m], D[j][m]); (c, -conj(s)) }
    else rotation(D[m][m], D[j][j], D[m][j])
  }
  let right = for i in 0 .. n => for j in 0 .. n => turns[j][0] * D[i][j] + turns[j][1] * D[i][partner(j, first, n)]
  let both =
    for i in 0 .. n => for j in 0 .. n => turns[i][0] * right[i][j] + conj(turns[i][1]) * right[partner(i, first, n)][j]
  let turned = for i in 0 .. n => for j in 0 .. n => turns[j][0] * V[i][j] + turns[j][1] * V[i][partner(j, first, n)]
  (for i in 0 .. n => for j in 0 .. n => both[partner(i, first, n)][partner(j, first, n)],
   for i in 0 .. n => for j in 0 .. n => turned[i][partner(j, first, n)])
}

// (c, s) with |c|^2 + |s|^2 = 1 that makes ((a, g), (g*, b)) diagonal; s has the phase of g.
fn rotation(a, b, g) {
  let size = abs(g)
  let slope = real(b - a) / (2 max(size, 1e-30))
  let t = if size < 1e-30 then 0 else (if slope < 0 then -1 else 1) / (abs(slope) + sqrt(1 + slope^2))
  let c = 1 / sqrt(1 + t^2)
  (c, t * c / max(size, 1e-30) * g)
}

// Neighboring values, and their columns, in order.
fn exchanged(l, V, first: int) {
  let n = rows(l)
  let moves = for i in 0 .. n => {
    let m = partner(i, first, n)
    if m == i then false else if m > i then l[i] > l[m] else l[m] > l[i]
  }
  (for i in 0 .. n => if moves[i] then l[partner(i, first, n)] else l[i],
   for i in 0 .. rows(V) => for j in 0 .. n => if moves[j] then V[i][partner(j, first, n)] else V[i][j])
}

fn refined(A, V) {
  let n = rows(A)
  let B = matrix_product(conj_transposed(V), matrix_product(A, V))
  let S = matrix_product(conj_transposed(V), V)
  let l = for i in 0 .. n => real(B[i][i]) / real(S[i][i])
  let change = for i in 0 .. n => for j in 0 .. n => if i == j then 0.5 (1 - S[i][i]) else {
    let gap = l[j] - l[i]
    let apart = abs(gap) > 1e-10 * (abs(l[i]) + abs(l[j]))
    if apart then (B[i][j] - l[j] * S[i][j]) / (if apart then gap else 1.0) else -0.5 * S[i][j]
  }
  {values = l,
   vectors = for i in 0 .. n => for j in 0 .. n => V[i][j] + total(for k in 0 .. n => V[i][k] * change[k][j])}
}

// ---- singular values ----

// The singular values A = u diag(values) v* of a real matrix, by rotations of columns. Columns of
// u and v have derivatives where their value is single and not 0.
// - A: real matrix with at least as many rows as columns, at most 16
// Value: record `{u, values, v}`. Values are descending, and exact up to rounding of the largest
//   one. Columns of u whose value is 0 are 0.
// Source: Hestenes (1958); Ogita & Aishima (2020) for the derivatives
// Example: svd(A).values
fn svd(A) = elementwise(A => singular_system(A, frozen), A)

// The singular values A = u diag(values) v* of a complex matrix, as `svd`.
// - A: complex matrix with at least as many rows as columns, at most 16
// Value: record `{u, values, v}`. Values are descending, and exact up to rounding of the largest
//   one. Columns of u whose value is 0 are 0.
// Source: Hestenes (1958); Ogita & Aishima (2020) for the derivatives
// Example: complex_svd(H).values
fn complex_svd(A) = elementwise(A => singular_system(A, c => complex_frozen(c)), A)

// Rotations of columns until all are orthogonal (Hestenes 1958), without A* A, in which small values are lost.
fn singular_system(A, frozen_number) {
  let unit = unit_of_all(A)
  let scale = power_near(total(for r in A => total(for a in r => abs(pure(a)))))
  let found = pure_singular_system(for r in A => for a in r => pure(a) / scale, frozen_number)
  {u = found.u, values = unit * (scale * found.values), v = found.v}
}

fn pure_singular_system(A, frozen_number) {
  let m = few_rows(A)
  let n = if rows(A[0]) > m then error("singular values are those of a matrix with at least as many rows as columns")
          else rows(A[0])
  let size = sqrt(total(for r in A => total(for a in r => squared_size(a))))
  let start = for i in 0 .. m + n => for j in 0 .. n =>
    if i < m then A[i][j] / max(size, 1e-30) else (if i - m == j then 1.0 else 0.0) + 0 * A[0][0]
  let M = loop M = start for i in 0 .. 5 * (n + 1) => columns_rotated(columns_rotated(M, m, 0), m, 1)
  // Descending: ascending in minus the squares.
  let squares = for j in 0 .. n => -real(column_product(M, m, j, j))
  let (l, W) = loop (l, W) = (squares, M) for i in 0 .. n => {
    let (l1, W1) = exchanged(l, W, 0)
    exchanged(l1, W1, 1)
  }
  let u = for i in 0 .. m =>
    for j in 0 .. n => frozen_number(if l[j] < 0 then W[i][j] / max(sqrt(max(-l[j], 0)), 1e-30) else 0 * W[i][j])
  let v = for i in 0 .. n => for j in 0 .. n => frozen_number(W[m + i][j])
  singular_derivatives(A, u, v, frozen_number)
}

// Columns i and j of the first m rows.
fn column_product(M, m: int, i: int, j: int) = total(for k in 0 .. m => conj(M[k][i]) * M[k][j])

// Columns of the first m rows made orthogonal in pairs, which change places then.
fn columns_rotated(M, m: int, first: int) {
  let n = rows(M[0])
  fn turn(i, j) =
    rotation(real(column_product(M, m, i, i)), real(column_product(M, m, j, j)), column_product(M, m, i, j))
  let turns = for j in 0 .. n => {
    let p = partner(j, first, n)
    if p == j then (1.0, 0.0) else if p > j then { let (c, s) = turn(j, p); (c, -conj(s)) } else turn(p, j)
  }
  let turned =
    for i in 0 .. rows(M) => for j in 0 .. n => turns[j][0] * M[i][j] + turns[j][1] * M[i][partner(j, first, n)]
  for i in 0 .. rows(M) => for j in 0 .. n => turned[i][partner(j, first, n)]
}

// These u and v, which depend on nothing, with the derivatives of those of A: the step that squares what they are wrong by (Ogita & Aishima 2020),
// of which only derivatives are taken.
fn singular_derivatives(A, u, v, frozen_number) {
  let (m, n) = (rows(A), rows(A[0]))
  let image = matrix_product(A, v)
  let T = matrix_product(conj_transposed(u), image)
  let R = matrix_product(conj_transposed(u), u)
  let S = matrix_product(conj_transposed(v), v)
  let values = for i in 0 .. n => max(2 * real(T[i][i]) / max(real(R[i][i]) + real(S[i][i]), 1), 0)
  fn change(i, j, of_u) =
    if i == j then
      (if of_u then 0.5 (1 - R[i][i]) + imaginary_part(T[i][i]) / max(values[i], 1e-30) else 0.5 (1 - S[i][i]))
    else {
      let gap = values[j] - values[i]
      let sum = values[j] + values[i]
      let apart = abs(gap) > 1e-10 * sum
      let a = T[i][j] - values[j] * R[i][j]
      let b = conj(T[j][i]) - values[j] * S[i][j]
      let top = if of_u then values[j] * a + values[i] * b else values[i] * a + values[j] * b
      if apart then top / (if apart then gap * sum else 1.0) else -0.5 * (if of_u then R[i][j] else S[i][j])
    }
  fn with_slope(old, new) = old + new - frozen_number(new)
  {
    u = for i in 0 .. m => for j in 0 .. n => {
      let inside = total(for k in 0 .. n => u[i][k] * change(k, j, true))
      let outside = if m == n then inside
                    else inside + (image[i][j] - total(for k in 0 .. n => u[i][k] * T[k][j])) / max(values[j], 1e-30)
      with_slope(u[i][j], if values[j] > 0 then outside else 0 * outside)
    }
    values = values
    v = for i in 0 .. n =>
      for j in 0 .. n => with_slope(v[i][j], total(for k in 0 .. n => v[i][k] * change(k, j, false)))
  }
}

// Of a complex number the imaginary part times i; of a real one 0.
fn imaginary_part(c) = 0.5 (c - conj(c))
