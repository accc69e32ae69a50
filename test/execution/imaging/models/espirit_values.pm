// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.out --quiet --format=npy && %python %S/check_espirit_values.py %t.out
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=2,col=2 && %python %S/check_espirit_values.py %t.ranks
// Sensitivities by ESPIRiT against singular value decompositions in NumPy, in two and three dims, on one rank and on four; and
// against those that made the data.

use mri

mesh gpus(row = 1, col = 1)
layout x -> row, y -> col, u -> row, c -> col
dim c = 4, d = 3
dim x = 20, y = 17, u = 24, v = 22 over 240 mm
dim p = 10, q = 8, r = 9 over 240 mm

let head = ((1.0, 0.8, 0.7, 0.9, 0.05, 0.0, 0.0, 0.3), (-0.5, 0.3, 0.4, 0.5, 0.1, 0.1, 0.0, 0.0))
let volume = centred_ifft(ellipsoids_kspace[p, q, r](head))
let data3 = centred_fft(birdcage_maps[d, p, q, r](d) * volume) + 0.01 * k_noise[d, p, q, r](1, 5)
let found3 = espirit(data3, d, 2, 6, 0.05, 40)
output data3
output maps3 = found3.maps
output value3 = found3.value

let plane = map q in [x, y] =>
  if (q[x] / 90 mm - 4 / 3)^2 + (q[y] / 100 mm - 1.2)^2 < 1 then 1 + 0.5 cos(q[x] / 20 mm) + 0i else 0i
let data = centred_fft(birdcage_maps[d, x, y](d) * plane) + 0.001 * k_noise[d, x, y](1, 7)
let found = espirit(data, d, 3, 10, 0.033, 200)
output data
output maps = found.maps
output value = found.value
output cropped = espirit_maps(data, d, 3, 10, 0.033, 0.95, 200)

// A small threshold.
let fine_data = centred_fft(birdcage_maps[d, x, y](d) * plane) + 0.0002 * k_noise[d, x, y](1, 9)
output fine_data
output fine_value = espirit(fine_data, d, 3, 10, 0.00077, 2000).value

// A larger plane: the maps are those of the coils, where there is signal.
let disk = map q in [u, v] => if (q[u] / 120 mm - 1)^2 + (q[v] / 120 mm - 1)^2 < 0.6 then 1 + 0i else 0i
let truth = birdcage_maps[c, u, v](c)
let wide = espirit(centred_fft(truth * disk), c, 5, 20, 0.01)
let phase = sum(conj(truth) * wide.maps, over = c)
let off = sqrt(sum(norm2(wide.maps - truth * phase / abs(phase)), over = c))
let inside = map q in disk => if abs(disk) > 0 then 1.0 else 0.0
assert min(map q in disk => if inside > 0 then wide.value else 1.0) > 0.99 and min(wide.value) < 0.8, "eigenvalues"
assert max(inside * off) < 0.05, "maps are off by {}", max(inside * off)
