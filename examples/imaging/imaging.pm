// A head in three dimensions from an eighth of its k-space, seen by eight coils: zero-filled, conjugate-gradient SENSE, wavelets
// and total variation.

use mri

const n: int in [16, 1024] = 128  "cells a side"
const coils: int in [1, 64] = 8
const family in ("haar", "db2", "db3", "db4", "sym4", "sym8") = "db4"
const levels: int in [1, 5] = 3   "of wavelets"

param fov: f64 mm in (0, inf) = 240 mm  "field of view"
param acceleration in (1, inf) = 8      "one of so many lines is measured"
param noise in [0, inf) = 0.01          "standard deviation of a sample's parts; the head's values are 0 to 1"
param seed: u64 = 1                     "of the noise and of the lines"
param ridge in [0, inf) = 0.001         "weight of |x|^2/2 with conjugate gradients"
param sparsity in [0, inf) = 0.002      "weight of wavelet coefficients"
param roughness in (0, inf) = 0.002     "weight of the total variation"
param cg_iterations: int in [1, inf) = 20
param wavelet_iterations: int in [1, inf) = 100
param tv_iterations: int in [1, inf) = 100

dim c = coils
dim x = n, y = n, z = n over fov
mesh gpus(row = 1, col = 1)
layout x -> row, y -> col

// The head without what is beyond the modes of the grid.
let truth = centred_ifft(ellipsoids_kspace[x, y, z](head_phantom()))
let maps = birdcage_maps[c, x, y, z](c)

// A line is read along z. The other two directions are encoded by phases, and the coils differ along both.
let mask = random_mask[x, y](acceleration, power = 1, centre = n / 8, seed = seed)
let data = sense(maps, mask, c).forward(truth) + mask * k_noise[c, x, y, z](noise, seed)

let zero_filled = sense(maps, mask, c).adjoint(data)
let least_squares = cg_sense(data, maps, mask, c, ridge, tolerance = 0, iterations = cg_iterations)
let wavelets = wavelet_sense(data, maps, mask, c, sparsity, family, levels, wavelet_iterations, shifts = 1)
let smooth_pieces = tv_sense(data, maps, mask, c, roughness, tv_iterations)

fn quality(image) = (psnr(image, truth), ssim(abs(image), abs(truth)), nrmse(image, truth))
fn error_map(image) = abs(abs(image) - abs(truth))
let (q0, q1, q2, q3) = (quality(zero_filled), quality(least_squares), quality(wavelets), quality(smooth_pieces))
print "1 of {:.2f} lines measured", 1 / mean(mask)
print "                 PSNR dB    SSIM   NRMSE"
print "zero-filled      {:.2f}   {:.4f}  {:.4f}", q0[0], q0[1], q0[2]
print "CG-SENSE         {:.2f}   {:.4f}  {:.4f}", q1[0], q1[1], q1[2]
print "wavelets         {:.2f}   {:.4f}  {:.4f}", q2[0], q2[1], q2[2]
print "total variation  {:.2f}   {:.4f}  {:.4f}", q3[0], q3[1], q3[2]

output truth
output zero_filled
output least_squares
output wavelets
output total_variation = smooth_pieces
output errors (zero_filled, least_squares, wavelets, total_variation) =
  (error_map(zero_filled), error_map(least_squares), error_map(wavelets), error_map(smooth_pieces))
output qualities (psnr, ssim, nrmse) = (q2[0], q2[1], q2[2])

const middle = n / 2
let (true_head, zero_filled_head) = (abs(truth), abs(zero_filled))
let (wavelets_head, total_variation_head) = (abs(wavelets), abs(smooth_pieces))
plot middle_z = (slice(true_head, z = middle), slice(zero_filled_head, z = middle);
                 slice(wavelets_head, z = middle), slice(total_variation_head, z = middle)) colors gray shared clabel "magnitude" title "The middle plane along z" labels (
                   "Truth", "Zero-filled", "Wavelets", "Total variation")
plot middle_y = (slice(true_head, y = middle), slice(zero_filled_head, y = middle);
                 slice(wavelets_head, y = middle), slice(total_variation_head, y = middle)) colors gray shared clabel "magnitude" title "The middle plane along y" labels (
                   "Truth", "Zero-filled", "Wavelets", "Total variation")
plot middle_x = (slice(true_head, x = middle), slice(zero_filled_head, x = middle);
                 slice(wavelets_head, x = middle), slice(total_variation_head, x = middle)) colors gray shared clabel "magnitude" title "The middle plane along x" labels (
                   "Truth", "Zero-filled", "Wavelets", "Total variation")
