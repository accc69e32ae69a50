// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.out --quiet
// Optional arguments of functions on fields, with values other than their defaults, against what they stand for: `over` leaves the planes of a
// cube alone, other ones change the formula.

use fields, sky, wavelets, solvers, mri

dim x = 16, y = 8, z = 3 over 2
dim c = 2
let f = white_noise[x, y, z](1)
let g = white_noise[x, y, z](2)
let plane = f[z = 1]
fn same(name, a, b) {
  let off = max(abs(a - b))
  let size = max(abs(b))
  assert off <= 1e-12 * size and size > 0, "{}: off by {} of {}", name, off, size
}

// ---- over ----
fn law(k) = 3 / (1 + k^2)
same("colour", colour(f, law, over = (x, y))[z = 1], colour(plane, law))
same("gradient", gradient(f, over = (x, y))[1][z = 1], gradient(plane)[1])
same("divergence", divergence(for d in (x, y) => if d == x then f else g, over = (x, y))[z = 1],
     divergence((plane, g[z = 1])))
same("compensate", compensate(f, over = (x, y))[z = 1], compensate(plane))
same("convolved", convolved(f, (0.2, 0.6, 0.2), over = (x, y))[z = 1], convolved(plane, (0.2, 0.6, 0.2)))
same("shear", shear_from_convergence(f, over = (x, y))[1][z = 1], shear_from_convergence(plane)[1])
same("kaiser_squires", kaiser_squires(f, g, over = (x, y))[1][z = 1], kaiser_squires(plane, g[z = 1])[1])
same("aperture_mass", aperture_mass(f, 0.3, over = (x, y))[z = 1], aperture_mass(plane, 0.3))
same("wavelet_shrink", wavelet_shrink(f, 0.4, over = (x, y))[z = 1], wavelet_shrink(plane, 0.4))
same("shrink_details", shrink_details(f, 0.4, over = (x, y))[z = 1], shrink_details(plane, 0.4))
same("cycle_spin", cycle_spin(f, u => wavelet_shrink(u, 0.4, "haar", 1, (x, y)), 2, (x, y))[z = 1],
     cycle_spin(plane, u => wavelet_shrink(u, 0.4, "haar", 1), 2))
same("starlet", starlet(f, over = (x, y))[1][z = 1], starlet(plane)[1])
same("starlet_adjoint", starlet_adjoint((f, g), 1, over = (x, y))[z = 1], starlet_adjoint((plane, g[z = 1]), 1))
same("differences", differences(f, (x, y))[1][z = 1], differences(plane)[1])
same("differences_adjoint", differences_adjoint(differences(f, (x, y)), (x, y))[z = 1],
     differences_adjoint(differences(plane)))
let sum_of_planes = total(for i in 0 .. 3 => total_variation(f[z = i]))
assert abs(total_variation(f, over = (x, y)) / sum_of_planes - 1) < 1e-13, "total_variation"
same("centred_ifft", centred_ifft(centred_fft(f, over = (x, y)), over = (x, y)), f + 0i)
same("k_grid", map k in k_grid[x, y, z](over = (x, y)) => 1.0 + 0 * index(k, x), zeros[dual(x), dual(y), z] + 1)
let noise = k_noise[x, y, z](0.5, 3, over = (x, y))
same("k_noise", noise[z = 1], 0.5 * centred_fft((white_noise[x, y, z](6) + 1i * white_noise[x, y, z](7))[z = 1]))
// Of a line of 12 planes, one image after the other.
dim u = 12, v = 13 over 1
let images = white_noise[u, v, z](4)
let noisy = images + 0.3 * white_noise[u, v, z](5)
let mean_of_planes = total(for i in 0 .. 3 => ssim(noisy[z = i], images[z = i], range = 4)) / 3
assert abs(ssim(noisy, images, range = 4, over = (u, v)) / mean_of_planes - 1) < 1e-12, "ssim: {} and {}",
       ssim(noisy, images, range = 4, over = (u, v)), mean_of_planes
assert ssim(noisy, images, range = 8, over = (u, v)) > ssim(noisy, images, range = 4, over = (u, v)) + 1e-3,
       "ssim by range"

// ---- other options ----
same("divergence, fd4", divergence((f, g, f * g), "fd4"),
     gradient(f, "fd4")[0] + gradient(g, "fd4")[1] + gradient(f * g, "fd4")[2])
same("convolved, s", convolved(f, (0.25, 0.5, 0.25), 2, (x)), 0.25 * f[x - 2] + 0.5 * f + 0.25 * f[x + 2])
fn block_sums(f, halo: int, edge) { let b = blocks(f, x, 4, halo, edge); sum(b, over = dims(b)[1]) }
same("blocks", block_sums(f, 1, "zero"), total(for k in -1 .. 5 => coarsen(f[x + k, edge = "zero"], 4, over = x)))
same("blocks, reflected", block_sums(f, 2, "reflect"),
     total(for k in -2 .. 6 => coarsen(f[x + k, edge = "reflect"], 4, over = x)))
let kept = shrink_details(plane, 0.4, levels = 2, place = 1)
same("shrink_details, place", kept, map q in plane =>
  if mod(int(index(q, x)) + 1, 4) == 0 and mod(int(index(q, y)) + 3, 4) == 0 then plane else soft_threshold(plane, 0.4))
let moved_back = wavelet_shrink(shift(plane, x = 1, y = 3), 0.4, "db2", 2)
same("wavelet_shrink, place", wavelet_shrink(plane, 0.4, "db2", 2, place = 1), moved_back[x + 1, y + 3])
same("caipi_mask", caipi_mask[x, y]((2, 4), shift = 3, centre = 2), map k in k_grid[x, y]() => {
  let (i, j) = (int(index(k, x)), int(index(k, y)))
  let middle = i >= -1 and i < 1 and j >= -1 and j < 1
  if (mod(i, 2) == 0 and mod(j - 3 * div(i, 2), 4) == 0) or middle then 1.0 else 0.0
})
let fk = fft(f)
let potential = ifft(map k in fk => -inverse_laplacian_kernel(k, "fd2") * fk)
same("inverse_laplacian_kernel",
     total(for d in (x, y, z) => (potential[d + 1] + potential[d - 1] - 2 * potential) / spacing(d)^2), f - mean(f))
same("taps_kernel", ifft(map k in fk => taps_kernel(k, (0.2, 0.6, 0.2), s = 3) * fk), convolved(f, (0.2, 0.6, 0.2), 3))
