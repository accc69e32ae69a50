// Dense matrices whose rows and columns are dims of a field, real or complex: linear systems,
// factorizations, eigenvalues and singular values, by LAPACK.
//
// All other dims of a field are a batch. Rows and columns are whole on each rank.
//
// A field has one unit. Therefore a matrix whose columns or rows have different units is a tuple of
// fields, one for each column (`lstsq_columns`, `solve_columns`) or row (`solve_rows`).
//
// Setup: dim i = 6, j = 6, n = 9, k = 6, batch = 3
//   let noise = white_noise[batch, i, j](1)
//   let A = map q in noise => noise + (if index(q, i) == index(q, j) then 9 else 0)
//   let b = white_noise[batch, i](2)
//   dim p = 2
//   let times = map q in [i] => (index(q, i) - 2) * 1 s
//
// Internal: column_sizes scaled_fields parts_over

use fields, math

// The product of two matrices: the sum of products over a dim that both have. The other dims of A
// and B are those of the product. Dims that both have, except `over`, are a batch.
// - A, B: fields, real or complex; any unit
// - over: the dim, or several
// Value: field over all other dims, in the unit of A times that of B.
// Cost: a matrix product of BLAS, if it is large.
// Example: matmul(A, white_noise[j, n](3), over = j)
fn matmul(A, B, over) = sum(A * B, over = over)

// The solution x of A x = b for matrices with the rows i and the columns j, by LU factorization.
// - A: field over i, j and the dims of a batch; real or complex; any unit
// - b: field over i. It may have the dims of the batch. Its other dims are more right-hand sides.
// - i: dim of the rows
// - j: dim of the columns, with as many cells as i
// Value: field over the batch, j, and the other dims of b, in the unit of b over that of A. It is
//   not a number (NaN) where A is singular or not finite.
// Cost: 2/3 n³ operations for each matrix.
// Example: solve_over(A, b, i, j)
fn solve_over(A, b, i, j) = lapack("solve", A, i, j, b = b)

// The solution x of L x = b for lower triangular matrices, such as those of `cholesky`. Elements
// above the diagonal are not read.
// - L: field over i, j and the dims of a batch; real or complex; any unit
// - b: field over i, as for `solve_over`
// - i: dim of the rows
// - j: dim of the columns, with as many cells as i
// Value: as of `solve_over`.
// Cost: n² operations for each matrix and right-hand side.
// Example: solve_lower(A, b, i, j)
fn solve_lower(L, b, i, j) = lapack("solve_lower", L, i, j, b = b)

// The Cholesky factor of positive definite matrices: the lower triangular L with L L* = (A + A*)/2.
// - A: field over i, j and the dims of a batch; real or complex; any unit
// - i: dim of the rows
// - j: dim of the columns, with as many cells as i
// Value: field over the batch, i and j, in the root of the unit of A. It is NaN where the matrix is
//   not positive definite or not finite.
// Cost: 1/3 n³ operations for each matrix.
// Example: cholesky(A, i, j)
fn cholesky(A, i, j) = lapack("cholesky", A, i, j)

// The logarithm of the determinant of matrices, log |det A|.
// - A: field over i, j and the dims of a batch; real or complex, without unit
// - i: dim of the rows
// - j: dim of the columns, with as many cells as i
// Value: real field over the batch, or a number if there is none; −∞ where A is singular.
// Cost: 2/3 n³ operations for each matrix.
// Example: logdet(A, i, j)
fn logdet(A, i, j) = mean(lapack("log_det", A, i, j), over = j)

// The sign and the logarithm of the determinant of real matrices: det A = sign · exp(logdet).
// - A: real field over i, j and the dims of a batch, without unit
// - i: dim of the rows
// - j: dim of the columns, with as many cells as i
// Value: record of `sign`, which is 1, −1, or 0 where A is singular, and `logdet`, as of `logdet`:
//   real fields over the batch, or numbers if there is none. The sign has the derivative 0.
// Cost: 4/3 n³ operations for each matrix.
// Example: slogdet(A, i, j).sign
fn slogdet(A, i, j) = {sign = mean(lapack("det_sign", A, i, j), over = j), logdet = logdet(A, i, j)}

// The eigenvalues and eigenvectors of symmetric or Hermitian matrices (A + A*)/2. The signs of
// eigenvectors, and the phases of complex ones, are those of LAPACK. Derivatives count vectors of
// equal eigenvalues as fixed with respect to each other.
// - A: field over i, j and the dims of a batch; real or complex; any unit
// - i: dim of the rows
// - j: dim of the columns, with as many cells as i
// Value: record of `values`, a real field over the batch and j in ascending order and in the unit
//   of A, and `vectors`, a field over the batch, i and j: column j is the vector of value j.
// Cost: about 9 n³ operations for each matrix.
// Example: eigh_over(A, i, j).values
fn eigh_over(A, i, j) {
  let (values, vectors) = lapack("eigh", A, i, j)
  {values = values, vectors = vectors}
}

// The singular values A = u diag(values) v* of matrices, in descending order. Derivatives count
// columns of u and v with equal values as fixed with respect to each other. Columns with the value 0
// have no derivatives.
// - A: field over i, j and the dims of a batch; real or complex; any unit
// - i: dim of the rows
// - j: dim of the columns
// - k: dim of the singular values, with as many cells as the shorter one of i and j
// Value: record of `u` over the batch, i and k, `values`, real and in the unit of A, over the batch
//   and k, and `v` over the batch, j and k.
// Cost: about 9 m n min(m, n) operations for each matrix.
// Example: svd_over(A, i, j, k).values
fn svd_over(A, i, j, k) {
  let (u, values, v) = lapack("svd", A, i, j, kept = k)
  {u = u, values = values, v = v}
}

// The x with the least |A x − b|, and of these the one with the least |x|, by singular values.
// Derivatives are those of matrices of full rank.
// - A: field over i, j and the dims of a batch; real or complex; any unit
// - b: field over i, as for `solve_over`
// - i: dim of the rows
// - j: dim of the columns
// Value: as of `solve_over`. Singular values below the largest one times the rounding error and the
//   larger number of rows or columns count as 0.
// Cost: about 9 m n min(m, n) operations for each matrix.
// Example: lstsq(A, b, i, j)
fn lstsq(A, b, i, j) = lapack("least_squares", A, i, j, b = b)

// ---- columns or rows with different units ----

// The coefficients x of the columns c that minimize |x₀ c₀ + x₁ c₁ + … − b|, such as those of a line
// or a polynomial through data: `lstsq` of a matrix whose columns may have different units.
// - columns: tuple of as many fields as j has cells, over i and the dims of a batch; each with any
//   unit. Data with errors: divide the columns and b by the errors first
// - b: field over i, as for `lstsq`; any unit
// - i: dim of the rows
// - j: dim with as many cells as there are columns
// Value: tuple with a coefficient for each column, in the unit of b over that of the column.
//   Coefficients are fields over the batch and the other dims of b, or numbers if there are no such
//   dims. Columns are divided by their mean size first, so that the result does not depend on their
//   units. If columns depend on each other, the coefficients of these scaled columns have the least
//   sum of squares.
// Cost: as of `lstsq`.
// Example: lstsq_columns((1 + 0 * times / (1 s), times), 3 mm * b, i, p)
fn lstsq_columns(columns, b, i, j) {
  let sizes = column_sizes(columns, i)
  parts_over(sizes, lstsq(scaled_fields(columns, sizes, j), b, i, j), j)
}

// The coefficients x with x₀ c₀ + x₁ c₁ + … = b: `solve_over` of a matrix whose columns may have
// different units.
// - columns: tuple of as many fields as i has cells, over i and the dims of a batch; each with any
//   unit
// - b: field over i, as for `solve_over`; any unit
// - i: dim of the rows
// - j: dim with as many cells as i
// Value: as of `lstsq_columns`. It is not a number (NaN) where the matrix is singular.
// Cost: as of `solve_over`.
// Example: let c = slice(A, batch = 0)
//   solve_columns((for n in 0 .. 6 => c[j = n] * 1 km), slice(b, batch = 0) * 1 s, i, j)
fn solve_columns(columns, b, i, j) {
  let sizes = column_sizes(columns, i)
  parts_over(sizes, solve_over(scaled_fields(columns, sizes, j), b, i, j), j)
}

// The unknowns x with Σ_j r_j x_j = b for each row r of a tuple: `solve_over` of a matrix whose rows
// may have different units. If the columns have different units, too, use `solve` of the module
// `matrices`.
// - rows: tuple of as many fields as j has cells, over j and the dims of a batch; each with any unit
// - b: tuple of as many numbers or fields over the batch, each in the unit of its row times that of x
// - i: dim with as many cells as j
// - j: dim of the unknowns
// Value: field over the batch and j, in the unit of b over that of the row, which all rows share. It
//   is not a number (NaN) where the matrix is singular.
// Cost: as of `solve_over`.
// Example: let r = slice(A, batch = 0)
//   solve_rows((for n in 0 .. 6 => r[i = n] * 1 km), (for n in 0 .. 6 => n * 1 km), i, j)
fn solve_rows(rows, b, i, j) {
  let sizes = column_sizes(rows, j)
  let n = total(for r in rows => 1)
  solve_over(scaled_fields(rows, sizes, i), field_of((for k in 0 .. n => b[k] / sizes[k]), i), i, j)
}

// The covariance of a batch of statistics, such as spectra of many simulations: C_ij = Σ_b (f_bi −
// f̄_i) (f_bj − f̄_j)*/(n − 1), where f̄ is the mean over the n members of the batch.
// - f: field over the batch, i and any other dims; real or complex; any unit
// - over: dim of the batch, with at least two cells
// - i: dim of the rows
// - j: dim of the columns, with as many cells as i
// - normalized: bool; true gives correlation coefficients C_ij/√(C_ii C_jj), which are 0 where a
//   variance is 0
// Value: field over i, j and the other dims, in the unit of f squared; without unit if `normalized`.
// Source: the unbiased estimator, as in `numpy.cov`
// Cost: as of `matmul`.
// Example: covariance(white_noise[batch, i](3), batch, i, j, normalized = true)
fn covariance(f, over, i, j, normalized: bool = false) {
  if normalized then {
    // Deviations are divided by their mean size first, because squares leave the range of f32 early.
    let d = f - mean(f, over = over)
    let inverse = elementwise(u => {
      let size = u / unit_of(u)
      (if size > 0 then 1 / fixed(size) else 0) / unit_of(u)
    }, mean(abs(d), over = over))
    let g = d * inverse
    let deviation = sqrt(real(sum(abs(g)^2, over = over)) / (cells(over) - 1))
    let scale = elementwise(u => if u > 0 then 1 / u else 0, deviation)
    cross_covariance(g, g[i = j], over) * scale * scale[i = j]
  } else cross_covariance(f, f[i = j], over)
}

// The covariance of two batches of statistics: C_ij = Σ_b (f_bi − f̄_i) (g_bj − ḡ_j)*/(n − 1).
// - f, g: fields over the batch and different other dims; real or complex; any units. Other dims that
//   both have are a batch of covariances.
// - over: dim of the batch, with at least two cells
// Value: field over the other dims of f and g, in the unit of f times that of g.
// Cost: as of `matmul`.
// Example: cross_covariance(A, white_noise[batch, p](3), batch)
fn cross_covariance(f, g, over) {
  assert cells(over) > 1, "cross_covariance: the batch has {} members, expected at least 2", cells(over)
  matmul(f - mean(f, over = over), conj(g - mean(g, over = over)), over = over) / (cells(over) - 1)
}

// The mean sizes of fields along d. If a mean size is 0, it is replaced by 1 in its unit.
fn column_sizes(columns, d) = for c in columns => {
  let size = mean(abs(c), over = d)
  elementwise(u => if u == 0 * u then unit_of(u) else u, size)
}
fn scaled_fields(columns, sizes, d) {
  let n = total(for c in columns => 1)
  field_of((for k in 0 .. n => columns[k] / sizes[k]), d)
}
fn parts_over(sizes, x, d) {
  let n = total(for s in sizes => 1)
  for k in 0 .. n => x[d = k] / sizes[k]
}
