// RUN: %pmc %s -o %t && %t --out %t.out --quiet
// RUN: %if mpi && !asan && !tsan %{ mpirun --oversubscribe --allow-run-as-root -n 2 %t --threads=1 --mesh row=2 --out %t.out --quiet < /dev/null %}
// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet
// Results for small matrices scale with the elements, whose squares are outside the range of f32. So do derivatives.

use matrices, linalg

dim x = 4
mesh ranks(row = 1)
layout x -> row

let f = map q in [x] => 1 + 0.1 * index(q, x)

// The fixed values are those of the matrix ((2, 1), (1, 3)): (5 -+ sqrt(5))/2.
let I = ((2e-47 kg*m^2, 1e-47 kg*m^2), (1e-47 kg*m^2, 3e-47 kg*m^2))
let e = eigh(I).values
assert abs(e[0] / (1e-47 kg*m^2) - 1.381966011250105) < 1e-14 and
       abs(e[1] / (1e-47 kg*m^2) - 3.618033988749895) < 1e-14,
       "inertia {} {}", e[0] / (1e-47 kg*m^2), e[1] / (1e-47 kg*m^2)
let none = eigh(((0 kg, 0 kg), (0 kg, 0 kg)))
assert none.values[0] == 0 kg and none.values[1] == 0 kg and none.vectors[0][0]^2 + none.vectors[1][0]^2 == 1,
       "zero matrix"
let nothing = svd(((0 kg, 0 kg), (0 kg, 0 kg)))
assert nothing.values[0] == 0 kg and nothing.values[1] == 0 kg and nothing.v[0][0]^2 + nothing.v[1][0]^2 == 1,
       "zero matrix"

fn require(name, found, expected, s) {
  let off = max(abs(found - expected))
  assert off < 2e-5, "{} at {}: the error is {}", name, s, off
  0
}

fn all_of(s) {
  let a = s * f
  let sym = map q in a => eigh(((2 * a, a), (a, 3 * a))).values
  let l1 = require("eigh", sym[0] / s, 1.381966011250105 * f, s)
  let l2 = require("eigh", sym[1] / s, 3.618033988749895 * f, s)
  let herm = map q in a => complex_eigh(((2 * a + 0i, 1i * a), (-1i * a, 3 * a + 0i)))
  let h = require("complex_eigh", herm.values[0] / s, 1.381966011250105 * f, s)
  let hv = require("complex_eigh", norm2(herm.vectors[0][0]), 0.7236067977499789 + 0 * f, s)
  let w = map q in a => svd(((2 * a, a), (a, 3 * a), (0 * a, 0 * a))).values
  let v1 = require("svd", w[0] / s, 3.618033988749895 * f, s)
  let v2 = require("svd", w[1] / s, 1.381966011250105 * f, s)
  // x = (1, 2, 3), with a zero at the first pivot, and rows of different sizes.
  let r = map q in a => solve(((0 * a, a, a), (f, 0 * f, f), (a, a, 0 * a)), (5 * a, 4 * f, 3 * a))
  let s1 = for i in 0 .. 3 => require("solve", r[i], i + 1 + 0 * f, s)
  let m = map q in a => inverse_matrix(((0 * a, 2 * a), (a, a)))
  let m1 = require("inverse_matrix", s * (m[0][0] * f), -0.5 + 0 * f, s)
  let m2 = require("inverse_matrix", s * (m[0][1] * f), 1 + 0 * f, s)
  // The normal equations are 6 p0 + 2 p1 = 7 and 2 p0 + 11 p1 = 3: p = (71, 4)/62.
  let p = map q in a => linear_least_squares(((a, 3 * a), (2 * a, -a), (a, a)), (a, 2 * a, 2 * a))
  let p1 = require("linear_least_squares", p[0], 1.1451612903225807 + 0 * f, s)
  let p2 = require("linear_least_squares", p[1], 0.06451612903225806 + 0 * f, s)
  // Derivatives do not depend on the scale: d l0/da of ((a, s), (s, 3 s)) at a = 2 s is v0[0]^2.
  let d = grad(u => sum(map q in u => eigh(((2 * u, s * f), (s * f, 3 * s * f))).values[0]))(a)
  let d1 = require("gradient of eigh", d, 2 * 0.7236067977499789 + 0 * f, s)
  let t = grad(u => sum(map q in u => solve(((u, 0 * u), (0 * u, s * f)), (2 * s * f, s * f))[0] * s))(a)
  let t1 = require("gradient of solve", t * f, -2 + 0 * f, s)
  0
}
let done = for s in (1.0, 1e-25, 1e25) => all_of(s)

// Eigenvectors of a small block beside a large value.
let block = map q in f => eigh(((f, 0 * f, 0 * f), (0 * f, 0 * f, 3e-23 * f), (0 * f, 3e-23 * f, 0 * f)))
let b0 = require("value of a block", 1e23 * block.values[0], -3 * f, 1)
let b1 = require("vector of a block", block.vectors[1][0]^2, 0.5 + 0 * f, 1)

// Correlation coefficients of columns that are multiples of each other.
dim batch = 4, i = 2, j = 2
let data = map q in [batch, i] => 1e-25 kg * (if index(q, i) == 0 then index(q, batch) else -3 * index(q, batch))
let c = covariance(data, batch, i, j, normalized = true)
assert abs(c[i = 0, j = 1] + 1) < 1e-5 and abs(c[i = 1, j = 1] - 1) < 1e-5, "correlation {} {}", c[i = 0, j = 1],
       c[i = 1, j = 1]
let flat = covariance(0 * data, batch, i, j, normalized = true)
assert max(abs(flat)) == 0, "correlation of equal members {}", max(abs(flat))
