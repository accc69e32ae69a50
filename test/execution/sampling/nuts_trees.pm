// RUN: %pmc %s -O0 --precision=f64 --deterministic -o %t && %t --out %t.out --quiet --format=npy && %python %S/check_nuts_trees.py %t.out
// RUN: %python %S/../deterministic/bits.py %t %t.bits 1x1:2 2x1 2x3 | FileCheck %s
// CHECK: the same bits on 3 meshes
// Compares each state of NUTS, and its number of steps, with NumPy for the same random numbers. There is a single chain, and there are
// chains that are computed together. Ranks that split chains and states compute the same bits.

use sampling, random

mesh ranks(row = 1, col = 1)
layout chain -> row, point -> col
param seed: u64 = 5
dim draw = 40, point = 3, level = 5, leaf = 16, chain = 6

fn energy(s) = 0.25 sum(s^4, over = point) + 0.5 (s[point = 0] - 2 * s[point = 1])^2
let start = map q in [point] => 0.5 + index(q, point)
let method = nuts(depth = 5, warmup = 0, step = 0.2, most = 0.1)
let a = sample[draw](energy, start, method, seed, noise = k => white_noise[point](split(k, "mine")))
output chain = a.chain
output numbers (gradients, accept, error, diverged, energy) = (a.gradients, a.accept, a.error, a.diverged, a.energy)
// The noise and the start have the dim of the chains last.
let starts = map q in [point, chain] => 0.5 + index(q, point)
let b =
  sample_batch[chain, draw](energy, starts, method, seed, noise = k => white_noise[point, chain](split(k, "mine")))
output chains = b.chain
output numbers_of_chains (gradients, accept, error, diverged, energy) =
  (b.gradients, b.accept, b.error, b.diverged, b.energy)

fn seed_of(i) = split(seed, "draw", i)
let (last, momenta) = loop n = 0.0 for i in draw =>
  n stacking white_noise[point](split(split(seed_of(i), "momentum"), "mine"))
output momenta
output directions = map q in [draw, level] =>
  random(split(seed_of(int(index(q, draw))), "direction", int(index(q, level))))
output merges = map q in [draw, level] =>
  random(split(seed_of(int(index(q, draw))), "merge", int(index(q, level))))
output leaves = map q in [draw, level, leaf] =>
  random(split(split(seed_of(int(index(q, draw))), "branch", int(index(q, level))), int(index(q, leaf))))

fn stacked(d, f) {
  let (last, all) = loop n = 0.0 for i in d => n stacking f(i)
  all
}
output momenta_of_chains = stacked(draw, i => white_noise[point, chain](split(split(seed_of(i), "momentum"), "mine")))
output directions_of_chains =
  stacked(draw, i => stacked(level, j => uniform[chain](split(seed_of(i), "direction", j))))
output merges_of_chains = stacked(draw, i => stacked(level, j => uniform[chain](split(seed_of(i), "merge", j))))
output leaves_of_chains =
  stacked(draw, i => stacked(level, j => stacked(leaf, n => uniform[chain](split(split(seed_of(i), "branch", j), n)))))
