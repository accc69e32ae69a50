// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.one --quiet --format=npy && %python %S/check_alternating_coils.py %t.one
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=2,col=2 --transport=threads --threads=1 && %python %S/check_alternating_coils.py %t.ranks
// RUN: %pmc %s -O0 -D single=1 -o %t.f32 && %t.f32 --out %t.single --quiet --format=npy && %python %S/check_alternating_coils.py %t.single single
// Sensitivities by alternating least squares, with modes and along a trajectory, and nlinv along a trajectory in three dimensions, against NumPy;
// the error of an image with these sensitivities; derivatives against differences.

use mri, parallel_imaging, nufft

const single = 0
const accurate = if single == 1 then 1e-5 else 1e-11
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
dim c = 3, spoke = 12, along = 10
dim x = 16, y = 18 over 240 mm
dim u = 6, v = 5, w = 4 over 200 mm

let truth = map q in [x, y] => {
  let r = sqrt((index(q, x) - 8)^2 + (index(q, y) - 9)^2)
  exp(-r^2 / 20) * (1 + 0.5i * cos(index(q, x)))
}
let maps = birdcage_maps[c, x, y](c)
let mask = random_mask[x, y](1.5, centre = 3, seed = 4)
let data = mask * (centred_fft(maps * truth) + k_noise[c, x, y](0.001, 3))
output data
output mask
// On 11² cells, and on as many cells as the image has.
output middle_coils = jsense_maps(data, mask, c, kernel = 3, width = 8, steps = 3, iterations = 4, tolerance = 0)
output scaled_coils = jsense_maps(1e-9 * data, mask, c, kernel = 3, width = 8, steps = 3, iterations = 4, tolerance = 0)
output wide_coils = jsense_maps(data, mask, c, kernel = 4, width = 14, steps = 2, iterations = 6, tolerance = 0.1)

// Some of the places are outside of the middle.
let k = (map q in [spoke, along] => 5.5 * sin(3.1 * index(q, spoke) + index(q, along)),
         map q in [spoke, along] => 6.5 * sin(1.7 * index(q, spoke) - 0.4 * index(q, along)))
let samples = nufft(maps * truth, k, accurate)
output samples
output places (kx, ky) = k
fn along_k(samples, n: int) =
  nufft_jsense_maps[c, x, y](samples, k, c, accuracy = accurate, kernel = 2, width = 8, steps = n, iterations = 3,
                             tolerance = 0.01)
output sampled_coils = along_k(samples, 2)

let k3 = (map q in [spoke, along] => 2.9 * sin(3.1 * index(q, spoke) + index(q, along)),
          map q in [spoke, along] => 2.4 * sin(1.7 * index(q, spoke) - 0.4 * index(q, along)),
          map q in [spoke, along] => 1.9 * cos(0.7 * index(q, spoke) + 2 * index(q, along)))
let cube = 1 + 0.3 * white_noise[u, v, w](6) + 0i
let cube_samples = nufft(birdcage_maps[c, u, v, w](c) * cube, k3, accurate)
output cube_samples
output cube_places (ku, kv, kw) = k3
let joint = nufft_nlinv[c, u, v, w](cube_samples, k3, c, accuracy = accurate, steps = 3, start_weight = 0.7,
                                    tolerance = 1e-12, iterations = 5)
output cube_image = joint.image
output cube_maps = joint.maps

// The image of a head is nearly as good as with the true sensitivities.
dim coil = 6
dim a = 32, b = 32, e = 8 over 240 mm
let head = centred_ifft(ellipsoids_kspace[a, b, e](head_phantom()))[e = 4]
let true_maps = birdcage_maps[coil, a, b](coil)
let half = random_mask[a, b](2, power = 1, centre = 8)
let measured_half = half * (centred_fft(true_maps * head) + k_noise[coil, a, b](0.001, 7))
fn error_of(m) = nrmse(abs(cg_sense(measured_half, m, half, coil, 0.001, 0, 30)), abs(head))
let (found, best) = (error_of(jsense_maps(measured_half, half, coil)), error_of(true_maps))
assert found < 1.25 * best, "the error with jsense_maps is {}, with the true sensitivities {}", found, best

fn check(name, f, data, direction, bound = 1e-5) {
  let h = 1e-5
  let slope = inner(grad(f)(data), direction)
  let along = (f(data + h * direction) - f(data - h * direction)) / (2 * h)
  assert abs(slope / along - 1) < bound, "derivatives of {} are {}, expected {}", name, slope, along
}
if single == 0 {
  let turned = mask * centred_fft(maps * (1 + 0.3i) * truth^2)
  check("jsense_maps", d => real(sum(jsense_maps(d, mask, c, 3, 8, 2, 3, 0)^2 * maps)), data, turned)
  check("nufft_jsense_maps", d => real(sum(along_k(d, 1)^2 * maps)), samples, samples^2)
}
