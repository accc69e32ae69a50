// A network that tells the matter density and the amplitude of fluctuations from the density in a box, after CosmoFlow (Mathuriya
// et al. 2018): the boxes are N-body simulations of the spec itself, and the network is trained on them.

use cosmology, power, fields, lpt, nbody, particles, nn, optim

const n: int in [8, 512] = 32            "particles and cells a side"
const doublings: int in [3, 16] = 8      "2^doublings simulations to learn from"
const boxes: int = 2^doublings
const kept: int in [2, 4096] = 64        "other simulations, for the errors"
const width: int in [1, 64] = 8          "channels of the first stage"

param cell: length in (0, inf) = 6 Mpc/h "side of a cell"
param steps: int in [0, inf) = 600       "training steps, of a batch each"
param rate in (0, 1) = 0.004             "of the optimiser"
param patience: int in [1, inf) = 1000   "checks without a smaller error that end the training"
param seed: u64 = 1                      "of the universes and of the network"

dim box = boxes, held = kept, batch = 8
dim x = n, y = n, z = n over n * cell
dim c1 = 1, c2 = width, c3 = 2 width, c4 = 4 width, hidden = 32, answer = 2
mesh ranks(data = 1, space = 1)
layout batch -> data, x -> space

// ---- Simulations -------------------------------------------------------------------------------------------------------

// Answers from -1 to 1, spread evenly: (omega_m - 0.3) / 0.2 and (sigma8 - 0.8) / 0.2.
fn spread(i, ratio) = 2 * (ratio * i - floor(ratio * i)) - 1

fn universe(a, b, number) {
  let cosmo = flat_lcdm(omega_m = 0.3 + 0.2 * a, sigma8 = 0.8 + 0.2 * b)
  let linear = gaussian_field[x, y, z](spectrum(eisenstein_hu_smooth(cosmo)), number)
  log(2 + overdensity(nbody(cosmo, lpt(cosmo, linear, a = 0.1), from = 0.1, to = 1.0, steps = 5)))
}

let truth = map q in [box, answer] => spread(index(q, box) + 0.5, if index(q, answer) == 0 then 0.7548776662466927 else 0.5698402909980532)
let held_truth = map q in [held, answer] => if index(q, answer) == 0 then 2 * (index(q, held) + 0.5) / kept - 1 else spread(index(q, held) + 0.5, 0.6180339887498949)

let maps = (loop _ = 0.0 for i in box => _ stacking universe(
  spread(i + 0.5, 0.7548776662466927), spread(i + 0.5, 0.5698402909980532), 1000000 * seed + i))[1]
let held_maps = (loop _ = 0.0 for i in held => _ stacking universe(
  2 * (i + 0.5) / kept - 1, spread(i + 0.5, 0.6180339887498949), 1000000 * seed + 500000 + i))[1]
let centre = mean(maps)
let scale = sqrt(mean((maps - centre)^2))

// ---- The network -------------------------------------------------------------------------------------------------------

let (x2, y2, z2) = (coarsen(x, 2), coarsen(y, 2), coarsen(z, 2))
let (x4, y4, z4) = (coarsen(x, 4), coarsen(y, 4), coarsen(z, 4))
let (x8, y8, z8) = (coarsen(x, 8), coarsen(y, 8), coarsen(z, 8))

// Convolutions, leaky rectifiers and pooling halve the sides three times; the mean over what is left, and two dense layers.
fn stage(f, layer, channel, over) = mean_pool(leaky_relu(conv(f, layer, channel, over, edge = "periodic")), over)

fn network(w, maps) {
  let f1 = map q in [dims(maps), c1] => (maps - centre) / scale
  let f2 = stage(f1, w.first, c1, (x, y, z))
  let f3 = stage(f2, w.second, c2, (x2, y2, z2))
  let f4 = stage(f3, w.third, c3, (x4, y4, z4))
  dense(leaky_relu(dense(mean(f4, over = (x8, y8, z8)), w.fourth, c4)), w.last, hidden)
}

let start = {
  first = conv_start[c1, c2](seed + 1, (x, y, z))
  second = conv_start[c2, c3](seed + 2, (x2, y2, z2))
  third = conv_start[c3, c4](seed + 3, (x4, y4, z4))
  fourth = dense_start[c4, hidden](seed + 4)
  last = dense_start[hidden, answer](seed + 5)
}
input weights: like start optional       "of a network that was trained before"

// ---- Training ----------------------------------------------------------------------------------------------------------

// The boxes of step i: in every epoch each box once, in another order.
fn batch_of(f, i) {
  let epoch = div(8 * i, boxes)
  f[box = map q in [batch] => mod((2 * mod(7919 * epoch, boxes) + 1) * mod(8 * i + int(index(q, batch)), boxes) + 104729 * epoch, boxes)]
}

optimize net from weights
  minimizing mean_square(network(net, batch_of(maps, i)), batch_of(truth, i))
  with adamw(rate, schedule = cosine_rate(steps, warmup = 20), clip = 1)
  for i in 0 .. steps while checks.stale < patience
  checkpoint every 50
  history losses[100]
  every 50: checks = mean_absolute(network(net, held_maps), held_truth)

let found = network(net, held_maps)
let omega = 0.3 + 0.2 * found[answer = 0]
let true_omega = 0.3 + 0.2 * held_truth[answer = 0]
let amplitude = 0.8 + 0.2 * found[answer = 1]
let true_amplitude = 0.8 + 0.2 * held_truth[answer = 1]

// The error of somebody who always says the mean is the second number.
let omega_errors = (mean_absolute(omega, true_omega), mean_absolute(0.3 + 0 * omega, true_omega))
let amplitude_errors = (mean_absolute(amplitude, true_amplitude), mean_absolute(0.8 + 0 * amplitude, true_amplitude))
print "omega_m: mean absolute error {:.4f}, of the mean {:.4f}", omega_errors[0], omega_errors[1]
print "sigma8:  mean absolute error {:.4f}, of the mean {:.4f}", amplitude_errors[0], amplitude_errors[1]

output net
output losses
output errors = (omega_errors[0], omega_errors[1], amplitude_errors[0], amplitude_errors[1])
output predicted (omega_m, true_omega_m, sigma8, true_sigma8) = (omega, true_omega, amplitude, true_amplitude)
plot matter = (true_omega, true_omega) points omega title "omega_m of boxes that were not learnt"
plot training = losses title "Loss"
