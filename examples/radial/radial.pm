// A slice of a head along radial lines, turned by the golden angle, in a field that is not even: gridding, conjugate-gradient SENSE
// and total variation, with the field map and without.

use mri, nufft

const n: int in [16, 1024] = 128      "cells a side"
const coils: int in [1, 64] = 8
const spokes: int in [1, 10000] = 48  "radial lines; n pi/2 would be all"

param fov: f64 mm in (0, inf) = 240 mm     "field of view"
param readout: f64 ms in (0, inf) = 16 ms  "how long a line is read"
param echo: f64 ms in [0, inf) = 2 ms      "from excitation to the first sample of a line"
param strongest: f64 Hz = 150 Hz           "off-resonance where the field is the least even"
param noise in [0, inf) = 0.01             "standard deviation of a sample's parts; the head's values are 0 to 1"
param seed: u64 = 1                        "of the noise"
param ridge in [0, inf) = 0.01             "weight of |x|^2/2 with conjugate gradients"
param roughness in (0, inf) = 0.005        "weight of the total variation"
param cg_iterations: int in [1, inf) = 20
param tv_iterations: int in [1, inf) = 100

dim c = coils
dim x = n, y = n, z = 16 over fov
dim spoke = spokes, along = 2 * n + 1  // the one in the middle at k = 0
mesh gpus(row = 1)
layout x -> row, spoke -> row

// A slice as thick as a 16th of the field of view, without what is beyond the modes of the grid.
let truth = slice(centred_ifft(ellipsoids_kspace[x, y, z](head_phantom())), z = 7)
let maps = birdcage_maps[c, x, y](c)

// In Hz: air above the palate, and a shim that is a little off.
let field = map q in [x, y] => {
  let (u, v) = (2 q[x] / fov - 1, 2 q[y] / fov - 1)
  strongest * (exp(-(u^2 + (v - 0.35)^2) / 0.08) - 0.2 * u)
}

let k = radial[spoke, along](n, golden = true)
let time = map q in [along] => echo + readout * index(q, along) / cells(along)
let areas = density_compensation[x, y](k)
let exact = off_resonance_sense(maps, k, c, field, time, areas, tolerance = 1e-6)
let data = exact.forward(truth) +
  noise * (white_noise[c, spoke, along](2 * seed) + 1i * white_noise[c, spoke, along](2 * seed + 1))

// What reconstructs: the same with the field, and one that knows nothing of it.
let with_field = off_resonance_sense(maps, k, c, field, time, areas, tolerance = 1e-3)
let without = nufft_sense(maps, k, c, areas, tolerance = 1e-3)

let gridded = without.adjoint(data)
let blurred = cg_image(without, data, ridge, tolerance = 0, iterations = cg_iterations)
let least_squares = cg_image(with_field, data, ridge, tolerance = 0, iterations = cg_iterations)
let smooth_pieces = tv_image(with_field, data, roughness, tv_iterations)

fn quality(image) = (psnr(abs(image), abs(truth)), ssim(abs(image), abs(truth)), nrmse(abs(image), abs(truth)))
fn error_map(image) = abs(abs(image) - abs(truth))
let (q0, q1, q2, q3) = (quality(gridded), quality(blurred), quality(least_squares), quality(smooth_pieces))
print "1 of {:.1f} lines, {} segments of time", pi / 2 * n / spokes, time_segments(field, time, 1e-3).count
print "                        PSNR dB    SSIM   NRMSE"
print "gridding                {:.2f}   {:.4f}  {:.4f}", q0[0], q0[1], q0[2]
print "CG-SENSE, no field map  {:.2f}   {:.4f}  {:.4f}", q1[0], q1[1], q1[2]
print "CG-SENSE                {:.2f}   {:.4f}  {:.4f}", q2[0], q2[1], q2[2]
print "total variation         {:.2f}   {:.4f}  {:.4f}", q3[0], q3[1], q3[2]

output truth
output gridded
output blurred
output least_squares
output total_variation = smooth_pieces
output errors (gridded, blurred, least_squares, total_variation) =
  (error_map(gridded), error_map(blurred), error_map(least_squares), error_map(smooth_pieces))

let (true_head, gridded_head, blurred_head) = (abs(truth), abs(gridded), abs(blurred))
let (least_squares_head, total_variation_head) = (abs(least_squares), abs(smooth_pieces))
plot images = (true_head, gridded_head, blurred_head; least_squares_head, total_variation_head) colors gray shared clabel "magnitude" title "A head from radial lines" labels (
  "Truth", "Gridding", "CG-SENSE, no field map", "CG-SENSE", "Total variation")
plot field_map = field title "Off-resonance" clabel "frequency" colors diverging
let (place, weight) = (slice(k[0], spoke = 0), slice(areas, spoke = 0))
plot weights = (place, weight) title "Density compensation along the first line" xlabel "kx, cycles over the field of view" ylabel "weight"
let error = error_map(smooth_pieces)
plot error_image = error title "Error of total variation" clabel "magnitude" colors inferno
