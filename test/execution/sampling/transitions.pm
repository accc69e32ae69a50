// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.out --quiet --format=npy && %python %S/check_transitions.py %t.out
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=3 --transport=threads --threads=1 && %python %S/check_transitions.py %t.ranks
// Each state of chains of mams and of hmc, with both metrics, against NumPy with the same random numbers; the estimate of a covariance.

use sampling

mesh ranks(row = 1)
layout point -> row
param seed: u64 = 5
dim draw = 60, point = 3, chain = 2

fn energy(s) = 0.25 sum(s^4) + 0.5 * (s[point = 0] - 2 * s[point = 1])^2
let start = map q in [point] => 0.5 + index(q, point)
fn noise(k) = white_noise[point](split(k, "mine"))
fn run(method, thin: int) = sample[draw](energy, start, method, seed, thin, noise = k => noise(k))

let adjusted = run(mams(warmup = 20, target = 0.8, step = 0.4, length = 1.3, leaps = 7, most = 3), 1)
let turned = run(mams(warmup = 20, step = 0.4, metric = dense_metric()), 1)
let leaped = run(hmc(leaps = 3, warmup = 20, jitter = 0, metric = dense_metric()), 1)
let tree = run(nuts(depth = 4, warmup = 20, metric = dense_metric()), 1)
let fixed = run(mams(warmup = 0, step = 1.1), 2)
output chains (mams, dense_mams, dense_hmc, dense_nuts, fixed) =
  (adjusted.chain, turned.chain, leaped.chain, tree.chain, fixed.chain)
output numbers (gradients, accept, error, diverged) =
  (adjusted.gradients, adjusted.accept, adjusted.error, adjusted.diverged)
output steps = map q in [draw] => if index(q, draw) == 0 then adjusted.step else if index(q, draw) == 1 then turned.step
                                  else leaped.step
output scale = adjusted.scale
output turned_root = turned.scale
output leaped_root = leaped.scale
output tree_root = tree.scale

fn seed_of(i) = split(seed, "draw", i + 20)
let (last, momenta) = loop n = 0.0 for i in draw => n stacking noise(split(seed_of(i), "momentum"))
output momenta
output randoms (leaps, accept) = (map q in [draw] => random(split(seed_of(int(index(q, draw))), "leaps")),
                                  map q in [draw] => random(split(seed_of(int(index(q, draw))), "accept")))

// Welford's algorithm on the chain, and the root of the covariance.
let moments = loop m = dense_metric().none(start) for i in draw => dense_metric().more(m, adjusted.chain[draw = i])
output root_of = dense_metric().scale(moments)

// Several chains: each is that of `sample` with its start and seed.
let both = sample_chains[chain, draw](energy, k => start + 0.1 * white_noise[point](k), mams(warmup = 5), seed, 2,
                                      noise = k => noise(k))
let second = sample[draw](energy, start + 0.1 * white_noise[point](split(split(seed, "chain"), 1)), mams(warmup = 5),
                          split(seed, 1), 2, noise = k => noise(k))
let off = max(abs(both.chain[chain = 1] - second.chain)) + max(abs(both.gradients[chain = 1] - second.gradients))
assert off == 0, "the second of two chains differs by {} from the same chain alone", off
