// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.out --quiet
// Gridding with the density compensation keeps the scale of an image: A* W A f has the projection 1 on a Gaussian f, in 1, 2 and 3 dims,
// for samples at modes, between modes, dense ones, radial lines and spirals. Sparse samples have the weight of a single sample. k of one
// direction is a field or a vector of one.

use nufft

const n = 16
dim x = n, y = n, z = n over 240 mm
dim i = n, j = n, dense = 3 * n
dim s = 30, r = 40, many = 320
dim half = 10
dim few = 3

fn scale[D](k) {
  let f = map q in [D] => exp(-(total(for d in D => (index(q, d) - n / 2)^2) / 8)) + 0i
  let w = density_compensation[D](k)
  real(sum(conj(f) * nufft_adjoint[D](w * nufft(f, k), k))) / sum(norm2(f))
}
fn check(found, bound) { assert abs(found - 1) < bound, "the scale of an image is {}, expected 1 to {}", found, bound }

let line = map q in [i] => index(q, i) - n / 2.0
check(scale[x](line), 2e-3)
check(scale[x](line + 0.3), 2e-3)
check(scale[x]((map q in [dense] => (index(q, dense) + 0.5) / 3.0 - n / 2)), 2e-3)
check(scale[x, y]((map q in [i, j] => index(q, i) - n / 2 + 0.5, map q in [i, j] => index(q, j) - n / 2 + 0.5)), 4e-3)
check(scale[x, y](radial[s, r](n)), 4e-3)
check(scale[x, y](radial[s, r](n, golden = true)), 4e-3)
check(scale[x, y](spiral[s, r](n, 2)), 4e-3)
check(scale[x, y](radial[half, r](n)), 0.02)
check(scale[x, y, z](kooshball[many, r](n)), 6e-3)
check(scale[x, y, z](stack_of_stars[i, s, r](n)), 6e-3)

let dense_line = map q in [dense] => (index(q, dense) + 0.5) / 3 - n / 2
let area = density_compensation[x](dense_line)
let inside = max(map q in area => if abs(dense_line) < n / 2 - 3 then abs(3 * area - 1) else 0)
assert inside < 0.01, "weights of dense samples on a line are wrong by {}", inside
let same = density_compensation[x](for d in 0 .. 1 => dense_line)
assert max(abs(same - area)) == 0, "a vector of one field"

let single = density_compensation[x](map q in [few] => 5.0 * (index(q, few) - 1))
assert max(single) - min(single) < 1e-3 and min(single) > 1 and max(single) < 1.8, "single samples weigh {} to {}",
       min(single), max(single)
let tight = density_compensation[x](line + 0.4, iterations = 30, tolerance = 1e-4)
assert max(abs(tight - 1)) < 3e-5, "with a smaller tolerance, weights at modes are wrong by {}", max(abs(tight - 1))
