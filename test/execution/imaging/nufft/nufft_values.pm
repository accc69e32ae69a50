// RUN: %pmc %s -O0 --precision=f64 -D tolerance=1e-2 -o %t && %t --out %t.out --quiet --format=npy && %python %S/check_nufft_values.py %t.out 1e-2
// RUN: %pmc %s -O0 --precision=f64 -D tolerance=1e-6 -o %t && %t --out %t.out --quiet --format=npy && %python %S/check_nufft_values.py %t.out 1e-6
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=2,col=2 && %python %S/check_nufft_values.py %t.ranks 1e-6
// RUN: %pmc %s -O0 --precision=f64 -D tolerance=1e-12 -o %t && %t --out %t.out --quiet --format=npy && %python %S/check_nufft_values.py %t.out 1e-12
// RUN: %pmc %s -O0 --precision=f64 -D tolerance=1e-9 -o %t && %t --out %t.out --quiet --format=npy && %python %S/check_nufft_values.py %t.out 1e-9
// RUN: %pmc %s -O0 -D tolerance=1e-6 -o %t && %t --out %t.out --quiet --format=npy && %python %S/check_nufft_values.py %t.out 1e-6
// Non-uniform transforms in one, two and three dims, of odd and even lengths, and of a batch, against their sums, and against finufft
// where it is installed; adjoints by dot products.

use nufft

const tolerance = 1e-6
mesh gpus(row = 1, col = 1)
layout x -> row, y -> col, j -> row
dim c = 2
dim t = 46 over 3
dim x = 18, y = 15 over 240 mm
dim u = 10, v = 8, w = 9 over 1
dim j = 150

fn noise(seed) = white_noise[j](seed)
let k = (14 * noise(1), 9 * noise(2), 5 * noise(3))
let data = noise(4) + 1i * noise(5)
let batch_data = white_noise[c, j](6) + 1i * white_noise[c, j](7)
let line = white_noise[t](8) + 1i * white_noise[t](9)
let plane = white_noise[x, y](10) + 1i * white_noise[x, y](11)
let cube = white_noise[u, v, w](12) + 1i * white_noise[u, v, w](13)
let batch = white_noise[c, x, y](14) + 1i * white_noise[c, x, y](15)
output places = k
output data
output batch_data
output line
output plane
output cube
output batch

let line2 = nufft(line, (k[0]), tolerance)
let plane2 = nufft(plane, (k[0], k[1]), tolerance)
let cube2 = nufft(cube, k, tolerance)
let batch2 = nufft(batch, (k[0], k[1]), tolerance)
let line1 = nufft_adjoint[t](data, (k[0]), tolerance)
let plane1 = nufft_adjoint[x, y](data, (k[0], k[1]), tolerance)
let cube1 = nufft_adjoint[u, v, w](data, k, tolerance)
let batch1 = nufft_adjoint[c, x, y](batch_data, (k[0], k[1]), tolerance)
output line2
output plane2
output cube2
output batch2
output line1
output plane1
output cube1
output batch1

// Both sides of <A f, d> = <f, A* d>.
output line_dots = (inner(line2, data), inner(line, line1))
output plane_dots = (inner(plane2, data), inner(plane, plane1))
output cube_dots = (inner(cube2, data), inner(cube, cube1))
output batch_dots = (inner(batch2, batch_data), inner(batch, batch1))
