// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.out --quiet --format=npy && %python %S/check_rank_values.py %t.out
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=2,col=2 && %python %S/check_rank_values.py %t.ranks
// Compressed coils and shrunken singular values against decompositions in NumPy, on one rank and on four; derivatives of these and of
// ESPIRiT's eigenvalues against differences, of a forward and a reverse kind.

use mri

mesh gpus(row = 1, col = 1)
layout x -> row, y -> col
dim c = 5, t = 4
dim v = 2
dim x = 12, y = 10 over 240 mm

let f = white_noise[x, y](1) + 1i * white_noise[x, y](2)
let maps = birdcage_maps[c, x, y](c)
let data = centred_fft(maps * f)
let matrix = coil_compression[v](data, c)
output data
output matrix
output less = compressed(matrix, data, c)
output images = maps * f
output less_images = compressed(matrix, maps * f, c)

let grown = map q in [t] => 1.0 + index(q, t)^2
let movie = white_noise[t, x, y](4) + 1i * (grown * white_noise[x, y](5))
output movie
output low = shrink_rank(movie, 10, t)
output none = shrink_rank(movie, 1000, t)
output all = shrink_rank(movie, 0, t)
let weight = white_noise[t, x, y](6)
output weights = weight
output real_low = shrink_rank(weight, 11, t)

fn check(name, f, data, direction) {
  let h = 1e-6
  let slope = inner(grad(f)(data), direction)
  let along = (f(data + h * direction) - f(data - h * direction)) / (2 * h)
  assert abs(slope / along - 1) < 1e-6, "derivatives of {} are {}, expected {}", name, slope, along
  let forward = jvp(f)(data, tangent = direction)[1]
  assert abs(forward / slope - 1) < 1e-10, "derivatives of {} are {} forwards and {} backwards", name, forward, slope
}
check(1, m => sum(weight * norm2(shrink_rank(m, 10, t))), movie, weight + 0.5i * weight^2)
let moved = centred_fft(maps * (1 + 0.3i) * f^2)
check(2, d => sum(norm2(compressed(coil_compression[v](d, c), d, c))), data, moved)
let bump = sum(norm2(maps), over = c) * real(f)
check(3, d => sum(bump * espirit(d, c, 2, 6, 0.2, 10).value), data, moved)
