// RUN: %pmc %s --precision=f64 -o %t && %t --out %t.one --quiet --format=npy && %python %S/check_sorted_samples.py %t.one
// RUN: %t --out %t.threads --quiet --format=npy --threads=3 && %python %S/check_sorted_samples.py %t.threads
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=2,col=2 && %python %S/check_sorted_samples.py %t.ranks
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=3,col=1 && %python %S/check_sorted_samples.py %t.ranks
// So many samples that readings and paints with wide windows go through them in the order of cell blocks, as they do in a batch and over
// two dims of samples; a paint of some of them. Against sums.

use nufft

mesh gpus(row = 1, col = 1)
layout x -> row, y -> col, shot -> row
dim c = 2
dim x = 100, y = 90 over 240 mm
dim u = 20, v = 18, w = 16 over 1
dim shot = 70, r = 75

let kx = 30 * white_noise[shot, r](1)
let ky = 22 * white_noise[shot, r](2)
let kz = 4 * white_noise[shot, r](3)
let data = white_noise[shot, r](4) + 1i * white_noise[shot, r](5)
let coils = white_noise[c, shot, r](6) + 1i * white_noise[c, shot, r](7)
let plane = white_noise[x, y](8) + 1i * white_noise[x, y](9)
let images = white_noise[c, x, y](10) + 1i * white_noise[c, x, y](11)
let cube = white_noise[u, v, w](12) + 1i * white_noise[u, v, w](13)
let k2 = (kx, ky)
let k3 = (0.2 * kx, 0.25 * ky, kz)
output places = (kx, ky, kz)
output data
output coils
output plane
output images
output cube

output read_plane = conj(data) * nufft(plane, k2)
output read_images = nufft(images, k2)
output read_cube = nufft(cube, k3)
output painted_plane = nufft_adjoint[x, y](data, k2)
output painted_images = nufft_adjoint[c, x, y](coils, k2)
output painted_cube = nufft_adjoint[u, v, w](map q in data => if kz > 0 then data else 0, k3)
// Derivatives by places and values: paints and readings again.
output by_places = grad((a, b) => sum(norm2(nufft(plane, (a, b)) - data)), wrt = (a, b))(kx, ky)
