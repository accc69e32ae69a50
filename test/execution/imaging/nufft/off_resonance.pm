// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.out --quiet --format=npy && %python %S/check_off_resonance.py %t.out
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=2,col=2 && %python %S/check_off_resonance.py %t.ranks
// RUN: not %t --quiet --out %t.bad --strongest=1e5 2>&1 | FileCheck %s
// CHECK: off-resonance: {{18[0-9][0-9]}} turns of phase during the samples are too many
// Samples in a field map, encoding along a trajectory and images by it against sums in NumPy, on one rank and on four; adjoints by dot
// products, derivatives by field, time, maps and weight against differences.

use mri, nufft, solvers

param strongest: f64 Hz = 120 Hz
mesh gpus(row = 1, col = 1)
layout x -> row, s -> row, c -> col
dim c = 2
dim x = 12, y = 9 over 240 mm
dim s = 9, r = 16
dim p = 14

let f = white_noise[x, y](1) + 1i * white_noise[x, y](2)
let maps = birdcage_maps[c, x, y](c)
let k = radial[s, r](9, golden = true)
let field = map q in [x, y] => strongest * cos(2 pi * q[x] / length(x)) + 40 Hz
let time = map q in [s, r] => 1 ms + 9 ms * index(q, r) / 16 + 0.1 ms * index(q, s)
let even = map q in [r] => 2 ms * (index(q, r) - 5)
let w = white_noise[s, r](3)^2
let data = white_noise[c, s, r](4) + 1i * white_noise[c, s, r](5)
output image = f
output sensitivities = maps
output places (u, v) = (k[0], k[1])
output hertz = field
output seconds (a, b) = (time, time * 0 + even)
output weights = w
output samples = data
output ball = kooshball[p, r](12)

let seen = nufft_off_resonance(maps * f, k, field, time, 1e-9)
let seen_even = nufft_off_resonance(f, k, field, even, 1e-4)
let back = nufft_off_resonance_adjoint[c, x, y](data, k, field, time, 1e-9)
output seen
output seen_even
output back
// A field that is the same everywhere, and samples at one time, need one segment.
output still = nufft_off_resonance(f, k, 0 * field + 70 Hz, time, 1e-9)
output at_once = nufft_off_resonance(f, k, field, 0 * time + 4 ms, 1e-9)
assert time_segments(0 * field + 70 Hz, time, 1e-9).count == 1 and
       time_segments(field, 0 * time + 4 ms, 1e-9).count == 1, "more than one"
assert abs(inner(back, maps * f) / inner(data, seen) - 1) < 1e-13, "adjoint: {} and {}", inner(back, maps * f),
       inner(data, seen)

let e = nufft_sense(maps, k, c, w, 1e-10)
let o = off_resonance_sense(maps, k, c, field, time, w, 1e-7)
output plain_normal = e.normal(f)
output field_normal = o.normal(f)
output plain_cg = cg_image(e, data, 2, 1e-11, 40)
output field_cg = cg_image(o, data, 2, 1e-11, 40)
output bounds = (e.bound, o.bound)
output wavelet_found = wavelet_image(e, data, 0.3, "haar", 0, 4)
output tv_found = tv_image(o, data, 0.3, 4)
let unweighted = nufft_sense(maps, k, c, tolerance = 1e-10)
assert abs(inner(unweighted.forward(f), data) / inner(f, unweighted.adjoint(data)) - 1) < 1e-13, "the adjoint of SENSE"

fn error_of(h, t, m, u) = sum(norm2(cg_image(off_resonance_sense(m, k, c, h, t, w, 1e-3), data, u, 1e-10, 30)))
let by = grad(error_of, wrt = (h, t, m, u))(field, time, maps, 2)
let step = 1e-5
let (h1, t1, m1) = (field^2 * 1 ms, time * white_noise[s, r](6), maps * (0.3 + 0.2i))
let along = (error_of(field + step * h1, time + step * t1, maps + step * m1, 2 + step)
             - error_of(field - step * h1, time - step * t1, maps - step * m1, 2 - step)) / (2 * step)
let found = inner(by[0], h1) + inner(by[1], t1) + inner(by[2], m1) + by[3]
assert abs(found / along - 1) < 1e-5, "derivatives are {}, expected {}", found, along
