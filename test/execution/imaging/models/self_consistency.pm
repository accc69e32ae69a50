// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.one --quiet --format=npy && %python %S/check_self_consistency.py %t.one
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=2,col=2 --transport=threads --threads=1 && %python %S/check_self_consistency.py %t.ranks
// RUN: %t --out %t.three --quiet --format=npy --mesh row=3 --transport=threads --threads=1 && %python %S/check_self_consistency.py %t.three
// RUN: %pmc %s -O0 -D single=1 -o %t.f32 && %t.f32 --out %t.single --quiet --format=npy && %python %S/check_self_consistency.py %t.single single
// SPIRiT, with wavelets, SAKE, and the joint estimation of image and coils in three dimensions and along a trajectory, against NumPy; derivatives
// against differences.

use mri, parallel_imaging, nufft

const single = 0
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
dim c = 2, spoke = 12, along = 8
dim x = 12, y = 16 over 240 mm
dim u = 6, v = 5, w = 4 over 200 mm

let truth = map q in [x, y] => {
  let r = sqrt((index(q, x) - 6)^2 + (index(q, y) - 8)^2)
  exp(-r^2 / 20) * (1 + 0.5i * cos(index(q, x)))
}
let maps = birdcage_maps[c, x, y](c)
let full = centred_fft(maps * truth) + k_noise[c, x, y](0.01, 3)
let mask = random_mask[x, y](1.8, centre = 6, seed = 4)
let data = mask * full
output full
output mask
output filled = spirit(data, mask, c, kernel = 3, width = 6, weight = 0.05, tolerance = 1e-12, iterations = 7)
output scaled =
  1e-9 * spirit(1e9 * data, mask, c, kernel = 3, width = 6, weight = 0.05, tolerance = 1e-12, iterations = 7)
let g = spirit_operator(data, mask, c, kernel = 3, width = 6, weight = 0.05)
output residual = g.residual(maps * truth)
output transposed = g.adjoint(maps * truth)
output images = maps * truth
output sparse = sparse_spirit(data, mask, c, 0.02, kernel = 3, width = 6, weight = 0.05, family = "haar", levels = 2,
                              iterations = 4)
output completed = sake(data, mask, c, rank = 5, kernel = 3, iterations = 3)

let cube = 1 + 0.3 * white_noise[u, v, w](6) + 0i
let cube_mask = uniform_mask[v](2, centre = 2)
let cube_data = cube_mask * centred_fft(birdcage_maps[c, u, v, w](c) * cube)
output cube_data
output cube_mask
let joint = nlinv(cube_data, cube_mask, c, steps = 3, start_weight = 0.7, tolerance = 1e-12, iterations = 8)
output cube_image = joint.image

let k = (map q in [spoke, along] => 5.5 * sin(3.1 * index(q, spoke) + index(q, along)),
         map q in [spoke, along] => 7.5 * sin(1.7 * index(q, spoke) - 0.4 * index(q, along)))
let samples = nufft(maps * truth, k, if single == 1 then 1e-5 else 1e-11)
fn along_k(samples, n: int) =
  nufft_nlinv[c, x, y](samples, k, c, accuracy = if single == 1 then 1e-5 else 1e-11, steps = n, start_weight = 0.9,
                       reduction = 0.4, stiffness = 100, power = 16, tolerance = 1e-12, iterations = 6)
output samples
output places (kx, ky) = k
output joint_image = along_k(samples, 2).image
output joint_maps = along_k(samples, 2).maps

// A head from half of its lines: nearly as good as all lines, and far better than zeros for the others.
dim coil = 6
dim a = 32, b = 32, e = 8 over 240 mm
let head = centred_ifft(ellipsoids_kspace[a, b, e](head_phantom()))[e = 4]
let lines = centred_fft(birdcage_maps[coil, a, b](coil) * head) + k_noise[coil, a, b](0.001, 7)
let half = uniform_mask[b](2, centre = 12)
fn error_of(k) = nrmse(root_sum_of_squares(centred_ifft(k), coil), abs(head))
let (self, zero) = (error_of(spirit(half * lines, half, coil, width = 12)), error_of(half * lines))
assert self < 0.025 and zero > 0.2, "the error of SPIRiT is {}, with zeros {}, expected 2 % and 30 %", self, zero
let third = random_mask[a, b](2.5, centre = 6, power = 0.5)
let (low, empty) = (error_of(sake(third * lines, third, coil, rank = 18, kernel = 5, iterations = 40)),
                    error_of(third * lines))
assert low < 0.5 * empty, "the error of SAKE is {}, with zeros {}, expected less than half", low, empty

// On a small grid, the default stiffness of the sensitivities gives a better fit than 220, the stiffness for 256 cells.
fn joint_error(stiffness) =
  nrmse(abs(nlinv(half * lines, half, coil, steps = 9, stiffness = stiffness).image), abs(head))
let stiff = joint_error(220)
let soft = nrmse(abs(nlinv(half * lines, half, coil, steps = 9).image), abs(head))
assert soft < 0.6 * stiff, "the error of NLINV with fewer cells is {}, and {} with less stiffness, expected less",
       stiff,
       soft

fn check(name, f, data, direction, bound = 1e-6) {
  let h = 1e-5
  let slope = inner(grad(f)(data), direction)
  let along = (f(data + h * direction) - f(data - h * direction)) / (2 * h)
  assert abs(slope / along - 1) < bound, "derivatives of {} are {}, expected {}", name, slope, along
}
if single == 0 {
  let turned = mask * centred_fft(maps * (1 + 0.3i) * truth^2)
  check("spirit", d => sum(norm2(spirit(d, mask, c, 3, 6, 0.05, 0, 4))), data, turned)
  check("sparse_spirit", d => sum(norm2(sparse_spirit(d, mask, c, 0.02, 3, 6, 0.05, "haar", 2, 2))), data, turned)
  check("sake", d => sum(norm2(sake(d, mask, c, 5, 3, 2))), data, turned)
  check("nufft_nlinv", d => sum(norm2(along_k(d, 1).image)), samples, samples^2)
}
