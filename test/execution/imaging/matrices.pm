// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.out --quiet --format=npy && %python %S/check_matrices.py %t.out
// RUN: %t --out %t.out --quiet --format=npy --mesh row=3,col=2 && %python %S/check_matrices.py %t.out
// A matrix at every cell: linear systems, eigenvalues and singular values of several sizes against NumPy, and derivatives against differences.

use matrices

mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
dim x = 6, y = 5 over 1

fn entry(i, j) = white_noise[x, y](1 + 7 * i + 53 * j)
fn square(n) = for i in 0 .. n => for j in 0 .. n => entry(i, j)
fn symmetric(n) = for i in 0 .. n => for j in 0 .. n => entry(i, j) + entry(j, i)
fn complex_square(n) = for i in 0 .. n => for j in 0 .. n => entry(i, j) + 1i * entry(i + 20, j)
fn hermitian(n) =
  for i in 0 .. n => for j in 0 .. n => entry(i, j) + entry(j, i) + 1i * (entry(i + 20, j) - entry(j + 20, i))

// In a map, where `0 * q` makes nothing of it but elements.
fn at_cells(M, work) = map q in [x, y] => work(M)

let (A3, A7) = (square(3), square(7))
let b7 = for i in 0 .. 7 => entry(i, 9)
output solved = at_cells(A7, M => solve(M, b7))
let C4 = complex_square(4)
output solved_complex = at_cells(C4, M => solve(M, for i in 0 .. 4 => b7[i]))
output inverted = at_cells(A3, M => for i in 0 .. 9 => inverse_matrix(M)[floor(i / 3)][i - 3 floor(i / 3)])
// Elimination needs its pivots.
let swap = ((0.0, 1.0, 0.0), (0.0, 0.0, 2.0), (3.0, 0.0, 0.0))
let swapped = solve(swap, (1.0, 4.0, 9.0))
assert abs(swapped[0] - 3) + abs(swapped[1] - 1) + abs(swapped[2] - 2) < 1e-15

let (S2, S5) = (symmetric(2), symmetric(5))
fn flat(system, n: int) =
  for i in 0 .. n + n * n => if i < n then system.values[i] else system.vectors[floor(i / n) - 1][i - n * floor(i / n)]
output eigen2 = at_cells(S2, M => flat(eigh(M), 2))
output eigen5 = at_cells(S5, M => flat(eigh(M), 5))
let H4 = hermitian(4)
output eigen_complex = at_cells(H4, M => for i in 0 .. 20 => 0i + flat(complex_eigh(M), 4)[i])
let T = for i in 0 .. 5 => for j in 0 .. 3 => entry(i, j)
output fitted = at_cells(T, M => linear_least_squares(M, for i in 0 .. 5 => b7[i]))
output singular = at_cells(T,
                           M => {
                             let s = svd(M)
                             for i in 0 .. 3 + 15 + 9 => if i < 3 then s.values[i]
                                                         else if i < 18 then s.u[floor(i / 3) - 1][i - 3 floor(i / 3)]
                                                         else s.v[floor(i / 3) - 6][i - 3 floor(i / 3)]
                           })
// Values from 1 to 1e-13, and a matrix whose rank is less than its columns.
fn orthogonal(M) = svd(M).u
let graded = at_cells(T,
                      M => {
                        let (U, V) = (orthogonal(M), svd(for i in 0 .. 3 => for j in 0 .. 3 => M[i][j]).v)
                        for i in 0 .. 15 => total(for k in 0 .. 3 => U[floor(i / 3)][k] *
                          (if k == 0 then 1.0 else if k == 1 then 1e-6 else 1e-13) * V[i - 3 floor(i / 3)][k])
                      })
output grades = graded
output small_values = map q in [x, y] => svd(for i in 0 .. 5 => for j in 0 .. 3 => graded[3 i + j]).values
let flat_rank = svd(((1.0, 2.0), (2.0, 4.0), (0.0, 0.0)))
assert abs(flat_rank.values[0] - 5) < 1e-14 and flat_rank.values[1] < 1e-15, "{} {}", flat_rank.values[0],
       flat_rank.values[1]
let nothing = svd(((0.0, 0.0), (0.0, 0.0)))
assert nothing.values[0] == 0 and nothing.u[0][0] == 0
let C3 = for i in 0 .. 4 => for j in 0 .. 3 => entry(i, j) + 1i * entry(i + 20, j)
output complex_singular = at_cells(C3,
                                   M => {
                                     let s = complex_svd(M)
                                     for i in 0 .. 3 + 12 + 9 => if i < 3 then s.values[i] + 0i
                                                                 else if i < 15 then
                                                                   s.u[floor(i / 3) - 1][i - 3 floor(i / 3)]
                                                                 else s.v[floor(i / 3) - 5][i - 3 floor(i / 3)]
                                   })
let same = eigh(((2.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 2.0)))
assert abs(same.values[0] - 2) + abs(same.values[2] - 2) +
       abs(same.vectors[0][0]^2 + same.vectors[0][1]^2 + same.vectors[0][2]^2 - 1) < 1e-14

// Derivatives, of fields that make the matrices; of vectors what does not depend on their signs.
fn of_solve(f) = sum(total(at_cells(A3,
                                    M => solve(for i in 0 .. 3 => for j in 0 .. 3 => M[i][j] + f * (i + 1) / (j + 1),
                                               (f, 1.0, f^2)))))
fn of_values(f) = sum(total(at_cells(S5,
                                     M => {
                                       let s = eigh(for i in 0 .. 5 =>
                                         for j in 0 .. 5 => M[i][j] + f * f * (if i == j then i else 0.3)).values
                                       for i in 0 .. 5 => sin(i * s[i])
                                     })))
fn of_vectors(f) = sum(total(at_cells(S2,
                                      M => {
                                        let s = eigh(for i in 0 .. 2 =>
                                          for j in 0 .. 2 => M[i][j] + f * (i + 1) * (j + 1)).vectors
                                        (s[0][0] * s[1][0], s[0][1]^3 * s[1][1])
                                      })))
fn of_complex(f) = sum(total(at_cells(H4,
                                      M => {
                                        let s = complex_eigh(for i in 0 .. 4 =>
                                          for j in 0 .. 4 => M[i][j] + f * (if i == j then i else 0.2))
                                        for i in 0 .. 4 => s.values[i]^2 + norm2(s.vectors[1][i]) * i
                                      })))
fn of_svd(f) = sum(total(at_cells(T,
                                  M => {
                                    let s = svd(for i in 0 .. 5 => for j in 0 .. 3 => M[i][j] + f * (i + j))
                                    for i in 0 .. 3 => s.values[i]^3 + s.u[0][i] * s.v[1][i]
                                  })))
fn of_complex_svd(f) = sum(total(at_cells(C3,
                                          M => {
                                            let s = complex_svd(for i in 0 .. 4 =>
                                              for j in 0 .. 3 => M[i][j] + f * (i + 1i * j))
                                            for i in 0 .. 3 =>
                                              s.values[i]^2 + real(s.u[1][i] * conj(s.v[2][i])) * (i + 1)
                                          })))
let f = 0.3 * white_noise[x, y](77)
let v = white_noise[x, y](78)
check(of_solve)
check(of_values)
check(of_vectors)
check(of_complex)
check(of_svd)
check(of_complex_svd)
fn check(cost) {
  let h = 1e-6
  let difference = (cost(f + h * v) - cost(f - h * v)) / (2 * h)
  let back = inner(grad(cost)(f), v)
  let forth = jvp(cost)(f, tangent = v)[1]
  assert abs(back / difference - 1) < 1e-5, "{}: {} and {}", back / difference, back, difference
  assert abs(forth / back - 1) < 1e-9, "{} and {}", forth, back
}

output entries = map q in [x, y] => for i in 0 .. 49 => A7[floor(i / 7)][i - 7 floor(i / 7)]
output more = map q in [x, y] => for i in 0 .. 16 => C4[floor(i / 4)][i - 4 floor(i / 4)]
output hermitians = map q in [x, y] => for i in 0 .. 16 => H4[floor(i / 4)][i - 4 floor(i / 4)]
output tall = map q in [x, y] => for i in 0 .. 15 => T[floor(i / 3)][i - 3 floor(i / 3)]
output symmetrics = map q in [x, y] => for i in 0 .. 25 => S5[floor(i / 5)][i - 5 floor(i / 5)]
output right = b7

// Matrices of fields are those of their elements.
let (m, o) = (1 + entry(1, 1)^2, white_noise[x](5))
let of_fields = ((m, 1.0, 0.2 * o), (1.0, 3 + o^2, 0.0), (0.2 * o, 0.0, 2.0))
fn check_same(name, a, b) { assert max(abs(a - b)) == 0, "{} of fields", name }
let (solved_fields, solved_elements) = (solve(of_fields, (m, o, 1.0)), map q in [x, y] => solve(of_fields, (m, o, 1.0)))
check_same("solve", solved_fields[0], solved_elements[0])
check_same("solve", solved_fields[2], solved_elements[2])
check_same("inverse_matrix", inverse_matrix(of_fields)[1][2], map q in [x, y] => inverse_matrix(of_fields)[1][2])
check_same("eigh", eigh(of_fields).vectors[2][1], map q in [x, y] => eigh(of_fields).vectors[2][1])
check_same("svd", svd(of_fields).values[1], map q in [x, y] => svd(of_fields).values[1])
check_same("derivatives", grad(f => sum(solve(((f, 1.0), (1.0, 3.0)), (1.0, f))[1]))(m),
           grad(f => sum(map q in [x, y] => solve(((f, 1.0), (1.0, 3.0)), (1.0, f))[1]))(m))

// Rows and columns in several units; a zero has any.
let mixed = ((2.0 K, 1 km), (3 s, 0.0))
let of_units = solve(mixed, (5 K, 7 s))
let inverse_units = inverse_matrix(mixed)
fn near(a, b) = abs(a - b) < 1e-14
assert near(of_units[0], 7 / 3) and near(number(of_units[1], 1 K/km), 1 / 3), "solve with units: {} {}", of_units[0],
       of_units[1]
assert near(number(inverse_units[0][1], 1 / (1 s)), 1 / 3) and near(number(inverse_units[1][0], 1 / (1 km)), 1) and
       near(number(inverse_units[1][1], 1 K / (1 km * 1 s)), -2 / 3), "inverse with units"
let of_lengths = eigh(((2 km, 1 km), (1 km, 2 km)))
assert near(number(of_lengths.values[1], 1 km), 3) and near(of_lengths.vectors[0][1]^2, 0.5) and
       near(number(svd(((2 km, 1 km), (1 km, 2 km))).values[0], 1 km), 3), "eigenvalues with units"
let in_map = map q in [x, y] => number(solve(((m * 1 km, 1 km), (0.0, 2 K)), (1 km, 4 K))[0], 1)
assert max(abs(in_map * m + 1)) < 1e-13, "units in a map"
let line = linear_least_squares(((1.0, 0 s), (1.0, 1 s), (1.0, 2 s)), (1 km, 2 km, 4 km))
assert near(number(line[0], 1 km), 5 / 6) and near(number(line[1], 1 km/s), 1.5), "least squares with units"
