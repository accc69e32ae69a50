// RUN: %pmc %s -O0 --precision=f64 --deterministic -o %t && %t --out %t.one --quiet --format=npy && %python %S/check_batch.py %t.one
// RUN: %pmc %s -O0 --precision=f64 --deterministic -D warm=6 -D draws=3 -o %t.short && %python %S/../deterministic/bits.py %t.short %t.bits 1x1:2 2x1 2x3 | FileCheck %s
// CHECK: the same bits on 3 meshes
// Chains that are computed together, compared with NumPy with the same random numbers, from the first state of the warm-up on. Ranks
// that split chains and states compute the same bits.

use sampling, random

mesh ranks(row = 1, col = 1)
layout chain -> row, point -> col
param seed: u64 = 5
const warm = 40
const draws = 30
dim chain = 4, draw = draws, point = 3
dim state = 120

fn energy(s) = 0.25 sum(s^4, over = point) + 0.5 * (s[point = 0] - 2 * s[point = 1])^2
let start = map q in [chain, point] => 0.5 + 0.3 * index(q, point) - 0.2 * index(q, chain)
fn noise(k) = white_noise[chain, point](split(k, "mine"))
fn run(method, thin: int) = sample_batch[chain, draw](energy, start, method, seed, thin, noise = k => noise(k))

let adjusted = run(mams(warmup = warm, target = 0.8, step = 0.1, length = 0.7, leaps = 4, most = 2.5), 1)
let turned = run(mams(warmup = warm, step = 0.1, metric = dense_metric()), 1)
let leaped = run(hmc(leaps = 3, step = 0.03, warmup = warm, target = 0.7, jitter = 0.3, most = 2.5), 1)
let dense = run(hmc(leaps = 2, step = 0.03, warmup = warm, metric = dense_metric()), 1)
let short =
  run(langevin(step = 0.03, warmup = warm + div(warm, 2),
               metric = fixed_metric(map q in [point] => 0.5 + 0.1 * index(q, point))), 2)
let direct = run(mclmc(warmup = warm, step = 0.6, decoherence = 1.3, variance = 2e-3), 1)
output chains (mams, dense_mams, hmc, dense_hmc, langevin, mclmc) =
  (adjusted.chain, turned.chain, leaped.chain, dense.chain, short.chain, direct.chain)
output numbers_of_mams (gradients, accept, error, diverged, energy) =
  (adjusted.gradients, adjusted.accept, adjusted.error, adjusted.diverged, adjusted.energy)
output numbers_of_hmc (gradients, accept, error, diverged, energy) =
  (leaped.gradients, leaped.accept, leaped.error, leaped.diverged, leaped.energy)
output numbers_of_mclmc (gradients, accept, error, diverged, energy) =
  (direct.gradients, direct.accept, direct.error, direct.diverged, direct.energy)
let step_sizes =
  (adjusted.step, turned.step, leaped.step, dense.step, short.step, direct.step, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
output steps = map q in [point, chain] => step_sizes[4 * int(index(q, point)) + int(index(q, chain))]
output scales (mams, hmc, mclmc) = (adjusted.scale, leaped.scale, direct.scale)
output root_of_mams = turned.scale
output root_of_hmc = dense.scale
output last = adjusted.last

fn seed_of(i) = split(seed, "draw", i)
output first = noise(split(seed, "start"))
let (none, momenta) = loop n = 0.0 for i in state => n stacking noise(split(seed_of(i), "momentum"))
output momenta
let (nothing, accepts) = loop n = 0.0 for i in state => n stacking uniform[chain](split(seed_of(i), "accept"))
output accepts
output randoms (leaps, jitter) = (map q in [state] => random(split(seed_of(int(index(q, state))), "leaps")),
                                  map q in [state] => random(split(seed_of(int(index(q, state))), "jitter")))
