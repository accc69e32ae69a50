// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.out --quiet
// RUN: %t --out %t.few --quiet --format=npy --rounds=3 && %t --out %t.ranks --quiet --format=npy --rounds=3 --mesh row=2 --transport=threads --threads=1
// RUN: %python %S/../../sampling/check_flows.py %t.few %t.ranks
// RUN: not %t --out %t.bad --quiet --weight=0 2>&1 | FileCheck %s --check-prefix=WEIGHT
// WEIGHT: error: plug_and_play: weight = 0, expected one above 0
// Plug-and-play with denoisers whose fixed points are known: a threshold, whose fixed point is a sparse image, and a linear filter. Derivatives
// agree with differences. A denoiser may be a network of nn.

use mri, solvers, fields, nn

param weight = 0.6
param rounds: int = 200
mesh ranks(row = 1)
layout x -> row
dim c = 3, part = 2, out = 2
dim x = 12, y = 10 over 240 mm

let maps = birdcage_maps[c, x, y](c)
let mask = uniform_mask[y](2, centre = 4)
let e = sense(maps, mask, c)
let truth = white_noise[x, y](1) + 1i * white_noise[x, y](2)
let data = e.forward(truth)

// Where the image is not 0, E*(E v - data) + level v/|v| = 0; elsewhere its size is at most level.
let level = 0.5
let sparse = plug_and_play(e, data, v => soft_threshold(v, level / weight), weight, iterations = 400, solves = 25,
                           tolerance = 1e-12)
let slope = e.normal(sparse) - e.adjoint(data)
let off = map q in sparse => {
  let size = sqrt(norm2(sparse))
  if size > 0 then sqrt(norm2(slope + level / size * sparse)) else max(sqrt(norm2(slope)) - level, 0)
}
assert max(off) < 1e-6 or rounds < 9, "the sparse image misses the conditions of a minimum by {}", max(off)
let zeros_of = sum(map q in sparse => if norm2(sparse) == 0 then 1.0 else 0.0)
assert zeros_of > 10 and zeros_of < 110 or rounds < 9, "{} of 120 cells are 0, expected some", zeros_of

// v = a (x + u) is the proximal operator of weight (1/a - 1)/2 |v|^2: conjugate gradients with this ridge.
let shrunk = plug_and_play(e, data, v => 0.7 * v, weight, iterations = rounds, solves = 12, tolerance = 1e-12)
let ridge = cg_image(e, data, weight * (1 / 0.7 - 1), 1e-13, 200)
assert nrmse(shrunk, ridge) < 1e-8 or rounds < 9, "with a linear denoiser, the image is off by {}", nrmse(shrunk, ridge)

fn loss(d) = sum(norm2(plug_and_play(e, d, v => v / sqrt(1 + norm2(v)), weight, 3, 12, 1e-13)))
let (h, direction) = (1e-5, e.forward(truth^2))
let by_grad = inner(grad(loss)(data), direction)
let along = (loss(data + h * direction) - loss(data - h * direction)) / (2 * h)
assert abs(by_grad / along - 1) < 1e-6, "derivatives are {}, expected {}", by_grad, along

// A network of the real and the imaginary part, which subtracts a fraction of the value of a convolution.
let layer = conv_start[part, out](3, (x, y))
fn denoise(v) {
  let parts = map q in [part, x, y] => if index(q, part) == 0 then real(v) else imag(v)
  let noise = 0.1 * conv(parts, layer, part, (x, y))
  v - (noise[out = 0] + 1i * noise[out = 1])
}
let network = plug_and_play(e, data, v => denoise(v), weight, iterations = 8)
print "{:.3f} {:.3f}", nrmse(network, truth), nrmse(sparse, truth)
output network
output sparse
output shrunk
