// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.one --quiet --format=npy && %python %S/check_flows.py %t.one
// RUN: %t --out %t.few --quiet --format=npy --rounds=0.01 && %t --out %t.ranks --quiet --format=npy --rounds=0.01 --mesh row=2 --transport=threads --threads=1
// RUN: %python %S/check_flows.py %t.few %t.ranks
// Low-rank Gaussians and normalizing flows agree with NumPy for densities that they can represent exactly. Derivatives agree with differences.
// Neural posterior estimation finds the posterior of a linear model.

use variational, sampling, optim, nn, random

param rounds = 1.0

mesh ranks(row = 1)
layout x -> row
dim x = 6, r = 2, factor = 1, layer = 3, hidden = 4, sample = 5, draw = 2000

// A covariance of one factor and a diagonal.
let wide = map q in [x] => 0.5 + 0.1 * index(q, x)
let along = map q in [x] => sin(index(q, x) + 1.0)
let centre = map q in [x] => 0.3 * index(q, x) - 1
fn energy(s) {
  let u = (s - centre) / wide
  let v = along / wide
  0.5 sum(u^2) - 0.5 * sum(u * v)^2 / (1 + sum(v^2))
}
output truth (wide, along, centre) = (wide, along, centre)
let q = low_rank[factor](energy, zeros[x], averaged(adam(0.02), 0.99), int(1200 * rounds), 5, width = 0.3, draws = 4)
output centre_of = q.mean
output deviation = q.deviation
output factors = q.factors
let (last, samples) = loop n = 0.0 for i in draw => n stacking q.draw(split(9, i))
output samples
// The loss of the first step, and what it is made of.
let first = low_rank[r](energy, centre, gradient_descent(0.0), 1, 6, width = 0.4)
output first_loss = first.loss
output first_factors = first.factors
let seed = split(split(6, "iteration", 0), 0)
output first_state = centre + 0.4 * white_noise[x](split(split(seed, 0), 0)) +
  sum(first.factors * white_noise[r](split(seed, 1)), over = r)

// Flows with weights that are not 0.
let start = flow_start[layer, hidden, x](3)
let weights = start with {bias = 0.3 * white_noise[layer, hidden](4), gain = white_noise[layer, hidden](5)
                          scale = 0.4 * white_noise[layer, x, hidden](6), scale_bias = 0.2 * white_noise[layer, x](7)
                          shift = 0.5 * white_noise[layer, x, hidden](8), shift_bias = white_noise[layer, x](9)}
output weights_first = weights.first
output weights_bias = weights.bias
output weights_gain = weights.gain
output weights_scale = weights.scale
output weights_scale_bias = weights.scale_bias
output weights_shift = weights.shift
output weights_shift_bias = weights.shift_bias
let z = white_noise[sample, x](10)
let given = white_noise[sample, hidden](11)
output z
output given
let (s, grown) = flow(weights, z, x, given)
output flowed = s
output flowed_log = grown
let (back, shrunk) = flow_inverse(weights, s, x, given)
output back
output shrunk
output density = flow_log_density(weights, s, x, given)
output identity = flow(start, z, x)[0]
fn loss(s) = sum(flow_log_density(weights, s, x, given)^2)
let (h, direction) = (1e-5, white_noise[sample, x](12))
let slope = (loss(s + h * direction) - loss(s - h * direction)) / (2 * h)
let by_grad = inner(grad(loss)(s), direction)
assert abs(by_grad / slope - 1) < 1e-6, "derivatives of flow_log_density are {}, expected {}", by_grad, slope
let fit = fit_flow(energy, start, x, averaged(adam(0.01), 0.99), int(900 * rounds), 12, draws = 4)
// The loss of a flow that is the identity is the mean energy of standard normal numbers.
let identity_loss = fit_flow(s => 0.5 * sum(s^2), start, x, gradient_descent(0.0), 1, 14, draws = 2000).loss
assert abs(identity_loss - 3) < 0.2, "the loss of the identity is {}, expected half of 6 dimensions", identity_loss
let (end, flows) = loop n = 0.0 for i in draw => n stacking fit.draw(split(13, i))
output flows

// Neural posterior estimation: p of standard normal numbers, data d = A p + 0.5 n.
dim batch = 64, p = 2, d = 3, unit = 8
let A = map q in [d, p] => cos(2 * index(q, d) + 3 * index(q, p))
fn data_of(p_of, k) = sum(A * p_of, over = p) + 0.5 * white_noise[batch, d](k)
fn context(w, data) = dense(data, w.net, d)
let trained = loop (w, state) = {
  let w0 = {flow = flow_start[layer, unit, p](20), net = dense_start[d, unit](21)}
  (w0, adam(0.01).start(w0))
} for i in 0 .. int(1500 * rounds) => {
  let truth = white_noise[batch, p](split(22, i))
  let data = data_of(truth, split(23, i))
  let (next, after, value) =
    adam(0.01).step(w => -1 * mean(flow_log_density(w.flow, truth, p, context(w, data))), w, state, i == 0)
  (next, after)
}
let seen = map q in [d] => 0.8 - 0.5 * index(q, d)
let net = trained[0]
let posterior = flow(net.flow, white_noise[draw, p](24), p, context(net, seen))[0]
output matrix = A
output posterior
