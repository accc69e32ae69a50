// A network that estimates the matter density and the amplitude of fluctuations from the density in a box, after CosmoFlow (Mathuriya
// et al. 2018): the boxes are N-body simulations of the spec itself, and the network is trained on them.

use boxnet, nn, optim

const n: int in [8, 512] = 32        "particles and cells a side"
const doublings: int in [3, 16] = 8  "2^doublings simulations to learn from"
const boxes: int = 2^doublings
const kept: int in [2, 4096] = 64    "other simulations, for the errors"
const width: int in [1, 64] = 8      "channels of the first stage"

param cell: length in (0, inf) = 6 Mpc/h  "side of a cell"
param steps: int in [0, inf) = 600        "training steps, of a batch each"
param rate in (0, 1) = 0.004              "of the optimizer"
param patience: int in [1, inf) = 1000    "checks without a smaller error that end the training"
param seed: u64 = 1                       "of the universes and of the network"

dim box = boxes, held = kept, batch = 8
dim x = n, y = n, z = n over n * cell
dim c1 = 1, c2 = width, c3 = 2 width, c4 = 4 width, hidden = 32, answer = 2
mesh ranks(data = 1, space = 1)
layout batch -> data, x -> space

// ---- Simulations -------------------------------------------------------------------------------------------------------

let truth =
  map q in [box, answer] => if index(q, answer) == 0 then target(index(q, box))[0] else target(index(q, box))[1]
let held_truth = map q in [held, answer] =>
  if index(q, answer) == 0 then held_target(index(q, held), kept)[0] else held_target(index(q, held), kept)[1]

let maps = (loop _ = 0.0 for i in box => _ stacking learnt_box[x, y, z](i, seed))[1]
let held_maps = (loop _ = 0.0 for i in held => _ stacking held_box[x, y, z](i, kept, seed))[1]
let centre = mean(maps)
let scale = sqrt(mean((maps - centre)^2))

// ---- The network -------------------------------------------------------------------------------------------------------

fn net_of(w, maps) = network(w, maps, centre, scale, (c1, c2, c3, c4, hidden), (x, y, z))
let start = network_start[answer](seed, (c1, c2, c3, c4, hidden), (x, y, z))
input weights: like start optional  "of a network that was trained before"

// ---- Training ----------------------------------------------------------------------------------------------------------

// The boxes of step i: in every epoch each box once, in another order.
fn batch_of(f, i) {
  let epoch = div(8 * i, boxes)
  f[box = map q in [batch] => mod((2 * mod(7919 * epoch, boxes) + 1) *
                                  mod(cells(batch) * i + int(index(q, batch)), boxes) + 104729 * epoch, boxes)]
}

optimize net from weights
  minimizing mean_square(net_of(net, batch_of(maps, i)), batch_of(truth, i))
  with adamw(rate, schedule = cosine_rate(steps, warmup = 20), clip = 1)
  for i in 0 .. steps while checks.stale < patience
  checkpoint every 50
  history losses[100]
  every 50: checks = mean_absolute(net_of(net, held_maps), held_truth)

let found = net_of(net, held_maps)
let omega = omega_of(found[answer = 0])
let true_omega = omega_of(held_truth[answer = 0])
let amplitude = sigma_of(found[answer = 1])
let true_amplitude = sigma_of(held_truth[answer = 1])

// The error of somebody who always says the mean is the second number.
let omega_errors = (mean_absolute(omega, true_omega), mean_absolute(0.3 + 0 * omega, true_omega))
let amplitude_errors = (mean_absolute(amplitude, true_amplitude), mean_absolute(0.8 + 0 * amplitude, true_amplitude))
print "omega_m: mean absolute error {:.4f}, of the mean {:.4f}", omega_errors[0], omega_errors[1]
print "sigma8:  mean absolute error {:.4f}, of the mean {:.4f}", amplitude_errors[0], amplitude_errors[1]

output net
output losses
output errors = (omega_errors[0], omega_errors[1], amplitude_errors[0], amplitude_errors[1])
output predicted (omega_m, true_omega_m, sigma8, true_sigma8) = (omega, true_omega, amplitude, true_amplitude)
plot matter = (true_omega, true_omega) points omega title "Ωₘ of boxes that were not learnt" labels ("exact", "network") xlabel "true Ωₘ" ylabel "Ωₘ"
plot training = losses title "Loss" ylabel "loss"
