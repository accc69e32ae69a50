// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.one --quiet --format=npy
// RUN: %pmc %s -O0 --precision=f64 --layout 'x -> row, y -> col' -o %t && %t --out %t.volume --quiet --format=npy --mesh row=2,col=2 && %python %S/check_layouts.py %t.one %t.volume
// RUN: %t --out %t.volume --quiet --format=npy --mesh row=2,col=1 && %python %S/check_layouts.py %t.one %t.volume
// RUN: %t --out %t.volume --quiet --format=npy --mesh row=3,col=1 && %python %S/check_layouts.py %t.one %t.volume
// RUN: %pmc %s -O0 --precision=f64 --layout 'c -> row, sample -> col' -o %t && %t --out %t.coils --quiet --format=npy --mesh row=2,col=2 && %python %S/check_layouts.py %t.one %t.coils
// RUN: %t --out %t.coils --quiet --format=npy --mesh row=3,col=1 && %python %S/check_layouts.py %t.one %t.coils
// RUN: %pmc %s -O0 --precision=f64 --layout 'c -> row, x -> col' -o %t && %t --out %t.both --quiet --format=npy --mesh row=2,col=2 && %python %S/check_layouts.py %t.one %t.both
// RUN: %if mpi %{ mpirun --oversubscribe --allow-run-as-root -n 4 %t --threads=1 --out %t.processes --quiet --format=npy --mesh row=2,col=2 < /dev/null && %python %S/check_layouts.py %t.one %t.processes %}
// Reconstructions with the volume split, the coils split, and both: the same images and gradients; gradients by the trajectory, the maps and the
// weight of regularisation against differences, of Cartesian data and along a trajectory.

use mri, nufft

mesh ranks(row = 1, col = 1)
dim c = 4
dim x = 12, y = 10 over 120 mm
dim sample = 90

let truth = white_noise[x, y](1) + 1i * white_noise[x, y](2)
let maps = birdcage_maps[c, x, y](c)
let mask = uniform_mask[y](2, centre = 4)
let data = sense(maps, mask, c).forward(truth) + mask * k_noise[c, x, y](0.1, 3)
let k = (4 * sin(white_noise[sample](4)), 3.5 * sin(white_noise[sample](5)))
let samples = nufft(maps * truth, k, 1e-10)
let wanted = white_noise[x, y](6) + 1i * white_noise[x, y](7)
let direction = white_noise[sample](8)
let map_direction = white_noise[c, x, y](9) + 1i * white_noise[c, x, y](10)

fn cartesian(maps, weight) = cg_sense(data, maps, mask, c, weight, 1e-12, 60)
fn sparse(maps, weight) = wavelet_sense(data, maps, mask, c, weight, "haar", 1, 200, shifts = 1)
fn smooth(maps, weight) = tv_sense(data, maps, mask, c, weight, 500)
fn along(u, v, maps, weight) = cg_image(nufft_sense(maps, (u, v), c, 1, 1e-10), samples, weight, 1e-12, 60)

fn score(work) = (maps, weight) => inner(work(maps, weight), wanted)
fn score_along(u, v, maps, weight) = inner(along(u, v, maps, weight), wanted)
let h = 1e-5
fn check(work, bound) {
  let (by_maps, by_weight) = grad(score(work), wrt = (maps, weight))(maps, 0.3)
  let there = score(work)(maps + h * map_direction, 0.3 + h) - score(work)(maps - h * map_direction, 0.3 - h)
  let slope = inner(by_maps, map_direction) + by_weight
  assert abs(slope / there * 2 * h - 1) < bound, "to {}: {} and {}", bound, slope, there / (2 * h)
  (by_maps, by_weight)
}
let of_cartesian = check(cartesian, 1e-6)
let of_sparse = check(sparse, 1.1e-5)
let of_smooth = check(smooth, 1.2e-5)
let by = grad(score_along, wrt = (u, v, maps, weight))(k[0], k[1], maps, 0.3)
let slope = inner(by[0], direction) - 2 * inner(by[1], direction) + inner(by[2], map_direction) + by[3]
let there = score_along(k[0] + h * direction, k[1] - 2 * h * direction, maps + h * map_direction, 0.3 + h) -
  score_along(k[0] - h * direction, k[1] + 2 * h * direction, maps - h * map_direction, 0.3 - h)
assert abs(slope / there * 2 * h - 1) < 1e-6, "along a trajectory: {} and {}", slope, there / (2 * h)

output image = cartesian(maps, 0.3)
output wavelets = sparse(maps, 0.3)
output variation = smooth(maps, 0.3)
output trajectory_image = along(k[0], k[1], maps, 0.3)
output by_maps = of_cartesian[0]
output sparse_by_maps = of_sparse[0]
output smooth_by_maps = of_smooth[0]
output by_trajectory (u, v) = (by[0], by[1])
output along_by_maps = by[2]
output by_weights = (of_cartesian[1], of_sparse[1], of_smooth[1], by[3])
