// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.one --quiet --format=npy && %python %S/check_parameter_maps.py %t.one
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=2 --transport=threads --threads=1 && %python %S/check_parameter_maps.py %t.ranks
// Fits of relaxation times and diffusion tensors against NumPy, before and after steps of Gauss and Newton, and without noise the truth; images in a
// subspace against dense equations; on one rank and on two; derivatives against differences.

use mri, quantitative

mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
dim echo = 8, weighting = 12, c = 2, v = 2
dim x = 4, y = 3 over 240 mm

let shape = map q in [x, y] => 1 + 0.2 * index(q, x) - 0.1 * index(q, y)
let times = map q in [echo] => 10 ms * (index(q, echo) + 1)
let t2 = 30 ms * shape
let decay = map q in [echo, x, y] => 500 * exp(-times / t2)
let echoes = decay + 4 * white_noise[echo, x, y](1)
output echoes
output times
let before2 = t2_map(echoes, echo, times, iterations = 0)
let after2 = t2_map(echoes, echo, times, iterations = 3)
output t2_fits (t_before, a_before, t, a) = (before2.t2, before2.amplitude, after2.t2, after2.amplitude)
let exact2 = nrmse(t2_map(decay, echo, times).t2, t2)
assert exact2 < 1e-12, "T2 without noise is off by {}", exact2

let t1 = 150 ms * shape
let delays = times * 8
let recovery = map q in [echo, x, y] => 300 * (1 - 1.9 * exp(-delays / t1))
let inversions = recovery + 3 * white_noise[echo, x, y](2)
output inversions
output delays
let before1 = t1_map(inversions, echo, delays, 20 ms, 900 ms, points = 12, iterations = 0)
let after1 = t1_map(inversions, echo, delays, 20 ms, 900 ms, points = 12, iterations = 3)
output t1_fits (t_before, a_before, b_before, t, a, b) =
  (before1.t1, before1.offset, before1.change, after1.t1, after1.offset, after1.change)
let exact1 = nrmse(t1_map(recovery, echo, delays, 20 ms, 900 ms).t1, t1)
let pulses = nrmse(t1_map(recovery, echo, delays, 20 ms, 900 ms, look_locker = true).t1, 0.9 * t1)
assert exact1 < 1e-8 and pulses < 1e-8, "T1 without noise is off by {}, and {} with the factor b/a - 1", exact1, pulses

// Directions on a spiral of the sphere; the first two images without weighting.
fn height(i) = 1 - 2 * (i + 0.5) / 12
let b =
  map q in [weighting] => if index(q, weighting) < 2 then 0 mm^-2 else 1000 mm^-2 * (1 + 0.1 * index(q, weighting))
let directions_of = (
  map q in [weighting] => sqrt(1 - height(index(q, weighting))^2) * cos(2.4 * index(q, weighting)),
  map q in [weighting] => sqrt(1 - height(index(q, weighting))^2) * sin(2.4 * index(q, weighting)),
  map q in [weighting] => height(index(q, weighting)))
let tensor = for a in (1.5, 0.4, 0.3, 0.2, -0.1, 0.05) => 1e-3 mm^2 * a * shape
let (g, h, k) = directions_of
let along = map q in [weighting, x, y] => tensor[0] * g^2 + tensor[1] * h^2 + tensor[2] * k^2 +
  2 * (tensor[3] * g * h + tensor[4] * g * k + tensor[5] * h * k)
let weighted = map q in [weighting, x, y] => 800 * exp(-b * along)
let diffused = weighted + 5 * white_noise[weighting, x, y](3)
output diffused
output design (b, g, h, k) = (number(b, 1 mm^-2), g, h, k)
fn fit(images, n: int) {
  let found = diffusion_tensor(images, weighting, b, directions_of, iterations = n)
  for i in 0 .. 7 => if i == 0 then found.signal else number(found.tensor[max(i, 1) - 1], 1 mm^2)
}
output tensor_before = fit(diffused, 0)
output tensor_after = fit(diffused, 3)
let exact = diffusion_tensor(weighted, weighting, b, directions_of)
let (off, anisotropy) = (nrmse(exact.tensor[3], tensor[3]), fractional_anisotropy(exact.tensor))
assert off < 1e-10, "the tensor without noise is off by {}", off
output anisotropy
output diffusivity = number(mean_diffusivity(exact.tensor), 1 mm^2)
let none = fractional_anisotropy(for i in 0 .. 6 => 0 * shape)
assert max(none) == 0, "a tensor 0 has the anisotropy {}", max(none)

let basis =
  subspace_basis[v](map q in [echo, x] => exp(-times / (20 ms + 10 ms * index(q, x))), echo, over = x, iterations = 90)
output basis
let maps = birdcage_maps[c, x, y](c)
let tracks = map q in [echo, dual(y)] => if mod(int(index(q, y)) + int(index(q, echo)), 2) == 0 then 1.0 else 0.0
let e = subspace_sense(maps, tracks, c, basis, echo)
let samples = e.forward(white_noise[v, x, y](5) + 1i * white_noise[v, x, y](6))
output maps
output tracks
output samples
output coefficients = cg_image(e, samples, 0.1, 1e-13, 200)
output bound = e.bound

fn check(name, f, data, direction) {
  let h = 1e-3 * unit_of(data)
  let slope = inner(grad(f)(data), direction)
  let along = (f(data + h * direction) - f(data - h * direction)) / (2 * h)
  assert abs(slope / along - 1) < 1e-6, "derivatives of {} are {}, expected {}", name, slope, along
}
let any = white_noise[echo, x, y](9)
check("t2_map", u => sum(t2_map(u, echo, times).t2) / (1 s), echoes, any)
check("t1_map", u => sum(t1_map(u, echo, delays, 20 ms, 900 ms, iterations = 8).t1) / (1 s), inversions, any)
check("diffusion_tensor", u => sum(fractional_anisotropy(diffusion_tensor(u, weighting, b, directions_of).tensor)),
      diffused, white_noise[weighting, x, y](8))
check("subspace_sense", u => sum(norm2(cg_image(e, u, 0.1, 1e-13, 200))), samples, samples^2)
