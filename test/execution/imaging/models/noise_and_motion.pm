// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.one --quiet --format=npy && %python %S/check_noise_and_motion.py %t.one
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=2,col=2 --transport=threads --threads=1 && %python %S/check_noise_and_motion.py %t.ranks
// RUN: %t --out %t.three --quiet --format=npy --mesh row=3 --transport=threads --threads=1 && %python %S/check_noise_and_motion.py %t.three
// RUN: %pmc %s -O0 -D single=1 -o %t.f32 && %t.f32 --out %t.single --quiet --format=npy && %python %S/check_noise_and_motion.py %t.single single
// Prewhitening of coils, translations of k-space and their estimation, against NumPy; a reconstruction that corrects motion; derivatives
// against differences.

use mri

const single = 0
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
dim c = 3, other = 3, sample = 50, time = 4
dim x = 12, y = 10 over 240 mm
dim u = 9, v = 8, w = 6 over 200 mm

let mix = white_noise[c, other](1) + 1i * white_noise[c, other](2)
let raw = white_noise[other, sample, time](3) + 1i * white_noise[other, sample, time](4)
let noise = sum(mix * raw, over = other)
let maps = birdcage_maps[c, x, y](c)
let blob = map q in [x, y] => exp(-((index(q, x) - 5)^2 + (index(q, y) - 6)^2) / 6) * (1 + 0.3i * index(q, x))
let full = centred_fft(maps * blob)
output noise
output full
output white = prewhiten(full, noise, c)
output white_maps = prewhiten(1e-12 * maps, 1e-12 * noise, c)

// Two scans with noise, in the middle lines.
let shift = (2.3, -3.4)
let lines = map k in full => if abs(index(k, x)) < 4 or abs(index(k, y)) < 3 then 1.0 else 0.0
let before = lines * (full + 0.02 * centred_fft(white_noise[c, x, y](5) + 1i * white_noise[c, x, y](6)))
let after =
  lines * (translated(full, shift) + 0.02 * centred_fft(white_noise[c, x, y](7) + 1i * white_noise[c, x, y](8)))
output before
output after
output moved = translated(full, shift)
output rolled = centred_ifft(translated(full, (3, -2)))
let found = translation(after, before, iterations = 12)
output found_shift = (found[0], found[1])
let swapped = translation(after, before, iterations = 12, over = (y, x))
let apart = abs(swapped[0] - found[1]) + abs(swapped[1] - found[0]) +
  max(abs(translated(full, (-3.4, 2.3), over = (y, x)) - translated(full, shift)))
assert apart < (if single == 1 then 1e-4 else 1e-9), "over = (y, x) differs by {} from over = (x, y)", apart
let cube = centred_fft(white_noise[u, v, w](9) + 0i)
let turned = translation(1e-9 * translated(cube, (1.25, -2.5, 0.75)), 1e9 * cube)
output cube_shift = (turned[0], turned[1], turned[2])

// Each shot has a quarter of the lines and its own position; navigators find it.
let positions = (map q in [time] => 0.8 * index(q, time), map q in [time] => -0.5 * index(q, time))
fn is_taken(i, t) = mod(int(i), 4) == int(t)
let shots = map q in [time, dual(x), dual(y)] => if is_taken(index(q, y), index(q, time)) then 1.0 else 0.0
let data = shots * translated(full, positions)
let navigators = lines * translated(full, positions)
let placed = each time in navigators => translation(navigators, lines * full)
let corrected = sum(translated(data, -1 * placed), over = time)
let (with, without) =
  (nrmse(centred_ifft(corrected), maps * blob), nrmse(centred_ifft(sum(data, over = time)), maps * blob))
assert with < (if single == 1 then 1e-4 else 1e-9) and without > 0.3,
       "the error after the correction is {}, and without {}", with, without

fn check(name, f, data, direction) {
  let h = 1e-5
  let slope = inner(grad(f)(data), direction)
  let along = (f(data + h * direction) - f(data - h * direction)) / (2 * h)
  assert abs(slope / along - 1) < 1e-6, "derivatives of {} are {}, expected {}", name, slope, along
}
let any = white_noise[c, sample, time](11) + 1i * white_noise[c, sample, time](12)
if single == 0 {
  check("prewhiten", n => sum(norm2(prewhiten(full, n, c))), noise, any)
  check("translation", d => translation(d, before)[0], after, before^2)
  check("translated", d => sum(norm2(translated(full, (d, 2 * d)) - full)), 0.7, 1.0)
}
