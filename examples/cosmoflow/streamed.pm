// The network of cosmoflow.pm, trained on samples from files (boxes.pm makes some), which are read as they are needed: there may be
// more of them than memory holds.

use boxnet, nn, optim

const n: int in [8, 512] = 32      "cells a side"
const kept: int in [2, 4096] = 64  "samples for the errors"
const width: int in [1, 64] = 8    "channels of the first stage"

param steps: int in [0, inf) = 600      "training steps, of a batch each"
param rate in (0, 1) = 0.004            "of the optimizer"
param patience: int in [1, inf) = 1000  "checks without a smaller error that end the training"
param seed: u64 = 1                     "of the network and of the order of samples"

dim held = kept, batch = 8
dim x = n, y = n, z = n
dim c1 = 1, c2 = width, c3 = 2 width, c4 = 4 width, hidden = 32, answer = 2
mesh ranks(data = 1, space = 1)
layout batch -> data, x -> space

input maps: field[sample, x, y, z] streamed     "boxes to learn from"
input answers: field[sample, answer] streamed   "what they are made of: (omega_m - 0.3) / 0.2 and (sigma8 - 0.8) / 0.2"
input held_maps: field[held, x, y, z] streamed  "other boxes, for the errors"
input held_answers: field[held, answer]         "what these are made of"
assert cells(maps) == cells(answers), "there are {} boxes and {} answers", cells(maps), cells(answers)

// ---- The network -------------------------------------------------------------------------------------------------------

let (sum_of_maps, sum_of_squares) = loop (a, b) = (0.0, 0.0) for i in 0 .. cells(maps) => {
  let box = maps[sample = i]
  (a + mean(box), b + mean(box^2))
}
let centre = sum_of_maps / cells(maps)
let scale = sqrt(sum_of_squares / cells(maps) - centre^2)

fn net_of(w, maps) = network(w, maps, centre, scale, (c1, c2, c3, c4, hidden), (x, y, z))
let start = network_start[answer](seed, (c1, c2, c3, c4, hidden), (x, y, z))
input weights: like start optional  "of a network that was trained before"

// ---- Training ----------------------------------------------------------------------------------------------------------

// The boxes of step i: in every epoch each one once, in another order.
fn chosen(i) = map q in [batch] => int(shuffled(cells(batch) * i + int(index(q, batch)), cells(maps), seed))

// Of the boxes that were not learnt from one after the other.
fn found_by(w) = (loop _ = 0.0 for i in held => _ stacking net_of(w, held_maps[held = i]))[1]

optimize net from weights
  minimizing mean_square(net_of(net, maps[sample = chosen(i)]), answers[sample = chosen(i)])
  with adamw(rate, schedule = cosine_rate(steps, warmup = 20), clip = 1)
  for i in 0 .. steps while checks.stale < patience
  checkpoint every 50
  history losses[100]
  every 50: checks = mean_absolute(found_by(net), held_answers)

let found = found_by(net)
let omega = omega_of(found[answer = 0])
let true_omega = omega_of(held_answers[answer = 0])
let amplitude = sigma_of(found[answer = 1])
let true_amplitude = sigma_of(held_answers[answer = 1])

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
