// An unrolled network that reconstructs magnetic resonance images: each of a few iterations removes noise and aliasing by a small network, and then
// solves for the image that agrees with the samples and with the network (MoDL, Aggarwal, Mani & Jacob 2019).

use mri, solvers, nn, optim, random

const n: int in [16, 512] = 32       "cells a side"
const coils: int in [1, 64] = 4      "coils of the birdcage"
const heads: int in [2, 65536] = 64  "images to learn from"
const others: int in [1, 4096] = 8   "images to judge by"
const unrolled: int in [1, 20] = 4   "iterations of the network"
const width: int in [1, 256] = 16    "channels of a layer"
const solves: int in [1, 1000] = 12  "iterations of conjugate gradients, at most"

param acceleration in [1, inf) = 3   "one of so many lines is measured"
param noise in [0, inf) = 0.01       "standard deviation of the samples, in real and imaginary parts"
param steps: int in [1, inf) = 600   "training steps, of two images each"
param rate in (0, 1) = 0.003         "of the optimizer"
param tolerance in (0, 1) = 1e-5     "of the residual of conjugate gradients"
param ridge in (0, inf) = 0.02       "weight of CG-SENSE"
param roughness in [0, inf) = 0.004  "weight of total variation"
param seed: u64 = 1                  "of the images, the noise and the network"

dim c = coils
dim x = n, y = n over 240 mm
dim head = heads, other = others
dim part = 2, wide = width, deep = width
mesh ranks(data = 1)
layout x -> data

// ---- Images ------------------------------------------------------------------------------------------------------------

// A head of random ellipses with soft edges, and a smooth phase.
fn head_of(number) {
  fn r(name, i) = random(split(split(number, name), i))
  let shapes = for i in 0 .. 8 => {
    let size = if i == 0 then 0.75 + 0.15 * r("size", i) else 0.06 + 0.25 * r("size", i)^2
    {size = size, ratio = 0.7 + 0.3 * r("ratio", i), turn = pi * r("turn", i)
     a = if i == 0 then 0 else 0.9 * r("a", i) - 0.45, b = if i == 0 then 0 else 0.9 * r("b", i) - 0.45
     value = if i == 0 then 0.6 else 0.8 * r("value", i) - 0.3}
  }
  map q in [x, y] => {
    let (u, v) = (2 * index(q, x) / n - 1, 2 * index(q, y) / n - 1)
    let bright = total(for e in shapes => {
      let s = (cos(e.turn) * (u - e.a) + sin(e.turn) * (v - e.b)) / e.size
      let t = (cos(e.turn) * (v - e.b) - sin(e.turn) * (u - e.a)) / (e.size * e.ratio)
      e.value / (1 + exp(30 * e.size * (sqrt(s^2 + t^2 + 1e-6) - 1) * n / 32))
    })
    bright * exp(1i * (u * (r("phase", 0) - 0.5) + 2 * v * (r("phase", 1) - 0.5)))
  }
}
let maps = birdcage_maps[c, x, y](c)
let mask = random_mask[y](acceleration, centre = 4, seed = seed + 5)
let e = sense(maps, mask, c)
fn samples_of(image, number) = e.forward(image) + mask * k_noise[c, x, y](noise, split(number, "noise"))

fn learned(i) = split(split(seed, "learn"), i)
fn judged(i) = split(split(seed, "judge"), i)
let truths = (loop _ = 0.0 for i in head => _ stacking head_of(learned(i)))[1]
let starts = (loop _ = 0.0 for i in head =>
  _ stacking e.adjoint(samples_of(truths[head = i], learned(i))))[1]

// ---- The network -------------------------------------------------------------------------------------------------------

// The image plus a convolutional network of its real and imaginary parts.
fn denoised(w, image) {
  let f0 = map q in [part, x, y] => if index(q, part) == 0 then real(image) else imag(image)
  let f1 = relu(conv(f0, w.first, part, (x, y)))
  let f2 = relu(conv(f1, w.second, wide, (x, y)))
  let change = conv(f2, w.third, deep, (x, y))
  image + change[part = 0] + 1i * change[part = 1]
}

// The iterations z = D(u), (E* E + λ) u = E* y + λ z from u = E* y. All iterations have the same network.
fn unroll(w, start) {
  let lambda = exp(w.log_lambda)
  loop u = start for k in 0 .. unrolled =>
    cg(v => e.normal(v) + lambda * v, start + lambda * denoised(w, u), tolerance, solves)
}
fn off(image, truth) = sum(norm2(image - truth)) / sum(norm2(truth))

// ---- Training ----------------------------------------------------------------------------------------------------------

// The last layer is 0 at first, so that the iterations begin as those without a network.
let first = conv_start[part, wide](seed + 1, (x, y))
let second = conv_start[wide, deep](seed + 2, (x, y))
let third = conv_start[deep, part](seed + 3, (x, y))
optimize net from {first = first, second = second, third = 0.01 * third, log_lambda = log(0.05)}
  minimizing {
    let (a, b) = (int(shuffled(2 * i, heads, seed)), int(shuffled(2 * i + 1, heads, seed)))
    0.5 * off(unroll(net, starts[head = a]), truths[head = a]) +
      0.5 * off(unroll(net, starts[head = b]), truths[head = b])
  }
  with adamw(rate, decay = 0, schedule = cosine_rate(steps, warmup = 10, last = 0.02))
  for i in 0 .. steps
  checkpoint every 50
  history losses[100]

// ---- Other images ------------------------------------------------------------------------------------------------------

fn reconstructed(i) {
  let truth = head_of(judged(i))
  let data = samples_of(truth, judged(i))
  {truth = truth, zeros_filled = e.adjoint(data), ridged = cg_image(e, data, ridge, tolerance = 0, iterations = 20)
   varied = tv_image(e, data, roughness, 100), found = unroll(net, e.adjoint(data))}
}
let (_, images) = loop _ = 0.0 for i in other => _ stacking reconstructed(i)
fn error_of(f) = sqrt(sum(norm2(f - images.truth)) / sum(norm2(images.truth)))
let errors = (error_of(images.zeros_filled), error_of(images.ridged), error_of(images.varied), error_of(images.found))
print "1 of {:.1f} lines, lambda {:.3f}", 1 / mean(mask), exp(net.log_lambda)
print "NRMSE: zero-filled {:.4f}, CG-SENSE {:.4f}, total variation {:.4f}, unrolled network {:.4f}", errors[0],
      errors[1], errors[2], errors[3]

output net
output losses
output errors
output mask
output maps
output truth = images.truth
output start = images.zeros_filled
output unrolled_network = images.found
fn shown(f) = abs(f[other = 0])
let (true_head, zero_filled, ridge_head) = (shown(images.truth), shown(images.zeros_filled), shown(images.ridged))
let (tv_head, network_head) = (shown(images.varied), shown(images.found))
plot heads = (true_head, zero_filled, ridge_head; tv_head, network_head) colors gray shared clabel "magnitude" title "A head that the network has not seen" labels (
  "Truth", "Zero-filled", "CG-SENSE", "Total variation", "Unrolled network")
plot training = losses title "Loss" ylabel "loss" scale log
