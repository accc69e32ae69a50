// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.out --quiet --format=npy && %python %S/check_mri_values.py %t.out
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=2,col=2 && %python %S/check_mri_values.py %t.ranks
// The library `mri` against NumPy, on one rank and on four: transforms, masks, coils, qualities, phantoms, and reconstructions
// replayed; adjoints by dot products, and gradients by coil maps and weights against differences.

use mri, solvers

mesh gpus(row = 1, col = 1)
layout c -> row, x -> col
dim c = 4
dim x = 16, y = 12 over 240 mm
dim u = 9, v = 7 over 20 mm
dim p = 16, q = 10, r = 12 over 0.2 m
dim d = 6

let f = white_noise[x, y](1) + 1i * white_noise[x, y](2)
let odd = white_noise[u, v](3) + 0i
let stored = white_noise[c, x, y](4) + 1i * white_noise[c, x, y](5)
output image = f
output odd_image = odd
output stored_data = stored
output k_image = centred_fft(f)
output k_odd = centred_fft(odd)
output in_modes = to_modes(stored)

output uniform = uniform_mask[x, y](3, centre = 4)
output caipi = caipi_mask[x, y]((2, 3), 1)
let mask = random_mask[x, y](3, power = 2, centre = 4, seed = 9)
output random = mask
output draws = white_noise[x, y](9)

let maps = birdcage_maps[c, x, y](c)
output sensitivities = maps
output rings = birdcage_maps[d, p, q, r](d, radius = 1.2, rings = 2)
output estimated = low_resolution_maps(centred_fft(maps * f), c, width = 10, least = 0.3)
output combined = coil_combine(stored, 2 * maps, c)

let real_one = white_noise[p, q, r](6)
let real_two = real_one + 0.5 * white_noise[p, q, r](7)
let wide = white_noise[p, r](8)
let wide2 = wide + 0.3 * white_noise[p, r](9)
output volumes (a, b) = (real_one, real_two)
output planes (a, b) = (wide, wide2)
output quality = (nrmse(real_two, real_one), psnr(real_two, real_one), psnr(f, f + 0.1, 2), ssim(wide2, wide),
                  total_variation(f), total_variation(f, 0.3))
output phantom = ellipsoids_kspace[p, q, r](head_phantom())

let e = sense(maps, mask, c)
let noise = k_noise[c, x, y](0.05, 11)
output noise_k = noise
let data = e.forward(f) + mask * noise
output measured = data
output cg_image = cg_sense(data, maps, mask, c, 0.02, 0, 7)
output wavelet_image = wavelet_sense(data, maps, mask, c, 0.05, "db2", 2, 8, shifts = 1)
output tv_image = tv_sense(data, maps, mask, c, 0.05, 8)

fn dot_test(a, b) = abs(a / b - 1)
let k = white_noise[c, x, y](12) + 1i * white_noise[c, x, y](13)
let kc = centred_fft(k)
let back = centred_ifft(centred_fft(f))
assert sum(norm2(back - f)) < 1e-28 * sum(norm2(f)), "the inverse transform is off"
assert dot_test(inner(kc, e.forward(f)), inner(e.adjoint(kc), f)) < 1e-13, "SENSE: {}",
       dot_test(inner(kc, e.forward(f)), inner(e.adjoint(kc), f))
assert sum(norm2(e.normal(f) - e.adjoint(e.forward(f)))) < 1e-28 * sum(norm2(f)), "the normal operator is not E* E"
let (g1, g2) = (f^2, e.adjoint(kc))
let spread = differences_adjoint(for t in (x, y) => if t == x then g1 else g2)
let slopes = differences(f)
assert dot_test(inner(g1, slopes[0]) + inner(g2, slopes[1]), inner(spread, f)) < 1e-13, "differences"

fn error_of(s, w) = sum(norm2(cg_sense(data, s, mask, c, w, 1e-12, 60) - f))
fn error_tv(s, w) = sum(norm2(tv_sense(data, s, mask, c, w, 4) - f))
fn check(name, f) {
  let h = 1e-5
  let along = maps * 1i * real(k)  // so that the bound, and with it the steps, does not change
  let (by_maps, by_weight) = grad(f, wrt = (s, w))(maps, 0.1)
  let truth = (f(maps + h * along, 0.1 + h) - f(maps - h * along, 0.1 - h)) / (2 * h)
  let off = abs((inner(by_maps, along) + by_weight) / truth - 1)
  assert off < 1e-6, "gradient {} is off by {}", name, off
}
check(1, (s, w) => error_of(s, w))
check(2, (s, w) => error_tv(s, w))
