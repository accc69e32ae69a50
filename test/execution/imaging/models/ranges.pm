// RUN: %pmc %s -O0 --precision=f32 -o %t && %t --out %t.one --quiet --format=npy && %python %S/check_ranges.py %t.one
// RUN: %t --s=1e-22 --out %t.small --quiet --format=npy && %python %S/check_ranges.py %t.small
// RUN: %t --s=1e21 --out %t.large --quiet --format=npy && %python %S/check_ranges.py %t.large
// RUN: not %t --s=1e21 --wrong=1e300 --out %t.wrong --quiet 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: conjugate gradients: the residual |b - A x| is not finite after 0 iterations
// Data with a unit, and of a size whose squares are beyond f32: what the library makes of them is what NumPy makes of numbers around 1.

use solvers, wavelets, mri, nufft

param s = 1.0
param wrong = 0.0
dim c = 4, t = 5, v = 3, sample = 20
dim x = 16, y = 12 over 100 mm

let unit_of = s * 1 T
let f = unit_of * white_noise[x, y](1)
let z = unit_of * (white_noise[x, y](2) + 1i * white_noise[x, y](3))
let w = 1 + white_noise[x, y](4)^2
output data (f, z, w) = (f / unit_of + 0i, z / unit_of, w + 0i)

// Coils.
let disk = map q in [x, y] => if (index(q, x) - 7)^2 + (index(q, y) - 6)^2 < 30 then 1 + 0.1 * index(q, x) + 0i else 0i
let k = unit_of * (centred_fft(birdcage_maps[c, x, y](c) * disk) + k_noise[c, x, y](0.001, 7))
output kspace = k / unit_of
let found = espirit(k, c, 3, 10, 0.037, 200)
output maps = found.maps
output value = found.value
output low = low_resolution_maps(k, c, 8, 0.2)
output mask = measured(map q in k => if index(q, x) == 2 then 0 else k, c)
output matrix = coil_compression[v](k, c)

// Frames of rank 2.
let frames = map q in [t, x, y] => (1 + index(q, t)) * z + (if index(q, t) == 3 then f else 0)
output frames_data = frames / unit_of
output shrunk = shrink_rank(frames, 9 * unit_of, t) / unit_of
let alike = map q in [t, x, y] => unit_of * (1 + 0i + 0 * index(q, t))
output alike_shrunk = shrink_rank(alike, unit_of, t) / unit_of
output alike_matrix = coil_compression[v](alike, t)

// Solvers.
output solved = cg(u => w * u, z, 1e-6) / unit_of
let counted = conjugate_gradients(u => w * u, (f, f * w), (f, 0 * f), 1e-5)
output solved_pair (a, b) = (counted.x[0] / unit_of, counted.x[1] / unit_of)
let p = power_iteration(u => 1e25 * (w * u), z, 6)
output vector = p.vector
let lasso = fista(u => w * u - z, (u, r) => soft_threshold(u, 0.5 * r * unit_of), 0 * z, 1 / max(w), 400, 1e-6)
output sparse = lasso.x / unit_of
output counts (a, b, c, d) = (counted.count, p.value / 1e25, counted.residual / unit_of, lasso.count)

// Thresholds, with an r that is 0 in places, of fields, in maps and of numbers.
let r = unit_of * max(white_noise[x, y](5), 0)
output radius = r / unit_of
output thresholds = soft_threshold(z, r) / unit_of
output in_map = (map q in z => soft_threshold(z, r)) / unit_of
output groups (a, b, c, d) =
  (group_soft_threshold((f, z + 0 * f), 0.7 * unit_of)[1] / unit_of, group_soft_threshold((z, z), r)[0] / unit_of,
   into_ball((z, 2 * z), r)[1] / unit_of, soft_threshold(z, 0 * unit_of) / unit_of)
output one = number(soft_threshold(-3 * unit_of, 1 * unit_of), unit_of)
output waves = wavelet_shrink(z, 0.4 * unit_of, "db2", 1) / unit_of
output smooth (a, b, c) =
  (tv_image(denoising(), f, 0.2 * unit_of, 30) / unit_of, tv_image(denoising(), f, 0 * unit_of) / unit_of,
   tgv_image(denoising(), f, 0 * unit_of) / unit_of)

// Qualities.
let near = f + 0.1 * unit_of * w
output quality (a, b, c, d) = (nrmse(near, f), psnr(near, f), ssim(near, f), psnr(z + 0.1 * unit_of, z))

// Samples.
let at = (6 * sin(white_noise[sample](8)), 5 * sin(white_noise[sample](9)))
output places (a, b) = at
let samples = nufft(z, at)
output samples = samples / unit_of
output painted = nufft_adjoint[x, y](samples, at) / unit_of
output normal = nufft_normal[x, y](at, 1 + 0 * at[0])(z) / unit_of

if wrong > 0 { print "{}", max(abs(cg(u => 2 * u, map q in f => if index(q, x) == 3 then wrong * wrong * f else f))) }
