// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.out --quiet --format=npy && %python %S/check_wavelet_values.py %t.out
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=2,col=2 && %python %S/check_wavelet_values.py %t.ranks
// Wavelet coefficients against NumPy, in two and three dims, of batches, on one rank and on four.

use wavelets, solvers

mesh gpus(row = 1, col = 1)
layout x -> row, y -> col
dim c = 2
dim x = 16, y = 8, z = 24 over 1

let f = white_noise[x, y, z](1) + 1i * white_noise[x, y, z](2)
let batch = white_noise[x, c, y](3)
let other = white_noise[x, y, z](4)

output data = f
output batches = batch
output db4 = wavelet(f)
output batch_db2 = wavelet(batch, "db2", 2)
output along_x = wavelet(f, "db3", 4, over = (x))
let long = wavelet(f, "db8", 1, over = (x, z))
let symmetric = wavelet(f, "sym8", 2, over = (x, z))
output long (a, b, c, d) =
  (wavelet(f, "db5", 2, over = (x, z)), wavelet(f, "db6", 1, over = (x, z)), wavelet(f, "db7", 2, over = (x, z)), long)
output symmetric (a, b) = (wavelet(f, "sym4", 2, over = (x, z)), symmetric)
param two = 2
output placed = wavelet(f, "db2", 2, place = two)
let there = wavelet(f, "db3", 2, place = two + 1)
assert sum(norm2(inverse_wavelet(there, "db3", 2, place = 3) - f)) < 1e-26 * sum(norm2(f)) and
       abs(sum(norm2(there)) / sum(norm2(f)) - 1) < 1e-13, "moved"
output spun = cycle_spin(f, u => wavelet_shrink(u, 0.7, "haar", 2), 3)
output moved = rolled(f, -3, over = (y, z))
let parts = starlet(f, 3)
output star (a, b, c, d) = (parts[0], parts[1], parts[2], parts[3])

fn size(u) = sqrt(sum(norm2_of(u)))
fn check(u, c, back) {
  assert size(back - u) < 1e-14 * size(u), "the inverse is off by {}", size(back - u) / size(u)
  assert abs(size(c) / size(u) - 1) < 1e-14, "the transform is not orthogonal"
}
check(f, db4, inverse_wavelet(db4))
check(batch, batch_db2, inverse_wavelet(batch_db2, "db2", 2))
check(f, along_x, inverse_wavelet(along_x, "db3", 4, over = (x)))
check(f, long, inverse_wavelet(long, "db8", 1, over = (x, z)))
check(f, symmetric, inverse_wavelet(symmetric, "sym8", 2, over = (x, z)))
let star_dot =
  inner(starlet(other, 2)[1], other^3) / inner(other, starlet_adjoint((0 * other, other^3, 0 * other), 2)) - 1
assert abs(star_dot) < 1e-13, "the transpose of starlet is off by {}", star_dot
assert size(total(parts) - f) < 1e-14 * size(f), "the starlet does not add up"
fn energy(u) = sum(wavelet_shrink(u, 0.7, "haar", 2)^4)
let slope = grad(energy)(other)
let h = 1e-5
let along = (energy(other + h * other^2) - energy(other - h * other^2)) / (2 * h)
assert abs(inner(slope, other^2) / along - 1) < 1e-7, "the gradient is off by {}", inner(slope, other^2) / along - 1
