// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.one --quiet --format=npy && %python %S/check_ranks.py %t.one
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=2 --transport=threads --threads=1 && %python %S/check_ranks.py %t.ranks && cmp %t.one/chains.npy %t.ranks/chains.npy
// With metrics that the warm-up does not change, a chain of s = L y with steps L u is L times the chain of y. The ranks of draws agree with
// SciPy, also if ranks compute different chains.

use sampling, fields

mesh ranks(row = 1)
layout chain -> row
dim draw = 30, long = 50, chain = 4, point = 5, bin = 7
dim x = 6, y = 4 over 8

fn energy(s) = 0.25 sum(s^4) + 0.5 * (s[point = 0] - 2 * s[point = 1])^2
let width = map q in [point] => 0.3 + 0.4 * index(q, point)
let start = constant[point](0.4)
fn same(name, a, b, bound) {
  let off = max(abs(a - b))
  assert off < bound, "{}: the chain is off by {}", name, off
}
fn scaled(name, method) {
  let a = sample[draw](energy, width * start, method(fixed_metric(width)), 3)
  let b = sample[draw](u => energy(width * u), start, method(fixed_metric(1 + 0 * width)), 3)
  same(name, a.chain, width * b.chain, 1e-9)
  same(name, a.scale, width, 1e-15)
  same(name, 0 * width + a.step, 0 * width + b.step, 1e-9)
}
scaled("nuts", m => nuts(depth = 4, warmup = 20, metric = m))
scaled("langevin", m => langevin(warmup = 20, metric = m))
scaled("mclmc", m => mclmc(warmup = 20, metric = m))
scaled("mams", m => mams(warmup = 20, leaps = 6, metric = m))

// The root of a spectrum is self-adjoint; a shear is not.
fn of_field(f) = 0.25 sum(f^4) + 0.5 sum(f^2)
fn root(u) = u + 0.7 * smooth(u, 2)
let coloured = sample[draw](of_field, root(constant[x, y](0.4)), hmc(3, 20, metric = operator_metric(u => root(u))), 4)
let plain =
  sample[draw](u => of_field(root(u)), constant[x, y](0.4), hmc(3, 20, metric = fixed_metric(constant[x, y](1.0))), 4)
let (none, by_root) = loop n = 0.0 for i in draw => n stacking root(plain.chain[draw = i])
same("operator_metric", coloured.chain, by_root, 1e-9)
fn shear(u) = u with {[point = 0] += 0.8 * u[point = 1]}
fn shear_back(g) = g with {[point = 1] += 0.8 * g[point = 0]}
let sheared = sample[draw](energy, shear(start),
                           mams(20, leaps = 6, metric = operator_metric(u => shear(u), g => shear_back(g))), 5)
let upright = sample[draw](u => energy(shear(u)), start, mams(20, leaps = 6, metric = fixed_metric(1 + 0 * width)), 5)
let (nothing, by_shear) = loop n = 0.0 for i in draw => n stacking shear(upright.chain[draw = i])
same("a metric that is not self-adjoint", sheared.chain, by_shear, 1e-9)

let chains = sample_chains[chain, long](energy, k => 2 * white_noise[point](k), hmc(4, 30), 7)
output chains = chains.chain
output gradients = chains.gradients
let f = floor(8 * chains.chain[point = 0]) / 8
output f
output ranks_of = chain_ranks(f, long, chain)
output normal = rank_normalized(f, long, chain)
output counts = rank_counts[bin](f, long, chain)
output ranks_alone = chain_ranks(f[chain = 1], long)
output normal_alone = rank_normalized(f[chain = 1], long)
output counts_alone = rank_counts[bin](f[chain = 1], long)
output bulk (rhat, ess) =
  (rhat(rank_normalized(f, long, chain), long, chain), ess(rank_normalized(f, long, chain), long, chain))
