// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.one --quiet --format=npy && %python %S/check_unknown_coils.py %t.one
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=2,col=2 --transport=threads --threads=1 && %python %S/check_unknown_coils.py %t.ranks
// GRAPPA, the steps of the joint estimation of image and coils, and those of low rank with sparse changes against NumPy, on one rank and on four;
// derivatives against differences.

use mri, parallel_imaging, solvers

mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
dim c = 3, time = 4
dim x = 14, y = 12 over 240 mm

let truth = white_noise[x, y](1) + 1i * white_noise[x, y](2)
let maps = birdcage_maps[c, x, y](c)
let full = centred_fft(maps * truth) + k_noise[c, x, y](0.01, 3)
let mask = uniform_mask[y](3, centre = 8)
let data = mask * full
output full
output maps
output lines = grappa(data, mask, c, y, 3, kernel = 3, lines = 2, width = 8, weight = 1e-3, iterations = 400)
let other_mask = uniform_mask[x](2, centre = 10)
output more_lines = 1e-9 * grappa(other_mask * full * 1e9, other_mask, c, x, 2, width = 10)

let smooth_data = mask * centred_fft(maps * (3 + 0i + 0 * truth + 0.3 * truth))
output smooth_data
fn joint(n: int) =
  nlinv(smooth_data, mask, c, steps = n, start_weight = 0.8, reduction = 0.4, stiffness = 100, power = 16,
        tolerance = 0.1, iterations = 12)
let (one, three) = (joint(1), joint(3))
output joint_image (one, three) = (one.image, three.image)
output joint_maps = three.maps

let noise = white_noise[time, x, y](4)
let series = map q in [time, x, y] => truth * (1 + 0.2 * index(q, time)) + 0.1 * noise
let e = sense(maps, mask, c)
let frames = e.forward(series)
output frames
fn separated(n: int) = low_rank_sparse(e, frames, time, 2, 0.3, iterations = n)
let (first, fifth) = (separated(1), separated(5))
output low (first, fifth) = (first.low, fifth.low)
output sparse (first, fifth) = (first.sparse, fifth.sparse)
let ended = low_rank_sparse(e, frames, time, 2, 0.3, iterations = 30, tolerance = 1e-2)
let whole = low_rank_sparse(e, frames, time, 2, 0.3, iterations = 30)
let apart = nrmse(ended.low + ended.sparse, whole.low + whole.sparse)
assert apart > 0 and apart < 0.3, "low_rank_sparse with a tolerance is {} from that without, expected some percent",
       apart

fn check(name, f, data, direction, bound = 1e-6) {
  let h = 1e-5
  let slope = inner(grad(f)(data), direction)
  let along = (f(data + h * direction) - f(data - h * direction)) / (2 * h)
  assert abs(slope / along - 1) < bound, "derivatives of {} are {}, expected {}", name, slope, along
}
let turned = mask * centred_fft(maps * (1 + 0.3i) * truth^2)
check(1, d => sum(norm2(grappa(d, mask, c, y, 3, 3, 2, 8, 1e-2))), data, turned)
check(2, d => sum(norm2(nlinv(d, mask, c, 2, tolerance = 0, iterations = 6).image)), smooth_data, turned)
check(3, d => sum(norm2(low_rank_sparse(e, d, time, 2, 0.3, 3).low)), frames, e.forward(series^2))
