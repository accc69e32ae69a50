// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.out --quiet --format=npy && %python %S/check_nuts_trees.py %t.out
// Each state of a chain of NUTS, and its number of steps, against NumPy with the same random numbers.

use sampling

param seed: u64 = 5
dim draw = 40, point = 3, level = 5, leaf = 16

fn energy(s) = 0.25 sum(s^4) + 0.5 (s[point = 0] - 2 * s[point = 1])^2
let start = map q in [point] => 0.5 + index(q, point)
let a = sample[draw](energy, start, nuts(depth = 5, warmup = 0, step = 0.2, most = 0.1), seed,
                     noise = k => white_noise[point](split(k, "mine")))
output chain = a.chain
output numbers (gradients, accept, error, diverged, energy) = (a.gradients, a.accept, a.error, a.diverged, a.energy)

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
