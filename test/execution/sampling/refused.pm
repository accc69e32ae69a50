// RUN: %pmc %s -O0 -o %t
// RUN: not %t --quiet --out %t.out --what=1 2>&1 | FileCheck %s --check-prefix=LINE
// RUN: not %t --quiet --out %t.out --what=2 2>&1 | FileCheck %s --check-prefix=START
// RUN: not %t --quiet --out %t.out --what=3 2>&1 | FileCheck %s --check-prefix=STUCK
// RUN: not %t --quiet --out %t.out --what=4 2>&1 | FileCheck %s --check-prefix=SADDLE
// RUN: not %t --quiet --out %t.out --what=5 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not %t --quiet --out %t.out --what=6 2>&1 | FileCheck %s --check-prefix=THIN
// RUN: not %t --quiet --out %t.out --what=7 2>&1 | FileCheck %s --check-prefix=STARTS
// RUN: not %t --quiet --out %t.out --what=8 2>&1 | FileCheck %s --check-prefix=CHAINS
// RUN: not %t --quiet --out %t.out --what=9 2>&1 | FileCheck %s --check-prefix=BATCH_THIN
// RUN: not %t --quiet --out %t.out --what=10 2>&1 | FileCheck %s --check-prefix=BATCH_STARTS
// RUN: not %t --quiet --out %t.out --what=11 2>&1 | FileCheck %s --check-prefix=BATCH_STUCK
// RUN: not %t --quiet --out %t.out --what=12 2>&1 | FileCheck %s --check-prefix=BATCH_LINE
// RUN: not %pmc %s -D batch=1 -o %t 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not %pmc %s -D matrix=1 -o %t 2>&1 | FileCheck %s --check-prefix=MATRIX
// RUN: not %pmc %s -D record=1 -o %t 2>&1 | FileCheck %s --check-prefix=RECORD
// RECORD: note: 'noise' of 'sample': function of a seed: {{.*}}Tuples and records require a function
// THIN: error: sample_chains: thin must be at least 1, found 0
// STARTS: error: sample_chains: the energy or its gradient is not finite at the start of 1 chains
// CHAINS: error: sample_chains: no proposal of a chain was accepted in 4 draws: the step size is too large, or the density is 0 around the start
// BATCH_THIN: error: sample_batch: thin must be at least 1, found 0
// BATCH_STARTS: error: sample_batch: the energy or its gradient is not finite at the start of 1 chains
// BATCH_STUCK: error: sample_batch: 1 chains accepted no proposal in 4 draws: the step size 2 is too large, or the density is 0 around their starts
// BATCH_LINE: error: mams: the state has 1 dimensions, expected at least 2; use hmc
// NUMBER: error: sample_batch: the energy must be a field over the dim of the chains; sum over the dims of a state only, as in sum(s^2, over = x), and give 'start' the dim of the chains, as in s + white_noise[chain, x](1)
// ONE: error: mams: the state has 1 dimensions, expected at least 2; use nuts
// MATRIX: error: dense_metric: a state must be a real field over one dim; use diagonal_metric() for others
// LINE: error: mclmc: the state has 1 dimensions, expected at least 2; use nuts
// START: error: sample: the energy {{-?}}nan or its gradient is not finite at the start
// STUCK: error: sample: no proposal was accepted in 4 draws: the step size 10000000000 is too large, or the density is 0 around the start
// SADDLE: error: inverse_root: v . H v = -{{.*}} is not positive in step 0: the state is not at a minimum of the energy
// Chains that cannot begin or do not move, and a Laplace approximation that is not at a minimum, end the program.

use sampling, variational

const matrix = 0
const record = 0
const batch = 0
param what: int in [1, 12] = 1
dim draw = 4, chain = 2, krylov = 2, x = 3, y = 2

fn energy(s) = 0.5 sum(s^2)
if what == 1 { print "{}", sample[draw](u => u^2, 0.5, mclmc(2), 1).last }
if what == 2 { print "{}", sample[draw](u => log(u), -0.5, hmc(2, 2), 1).last }
if what == 3 { print "{}", max(sample[draw](energy, zeros[x], hmc(2, 0, step = 1e10), 1).last) }
if what == 4 { print "{}", max(laplace[krylov](s => -1 * energy(s), zeros[x]).draw(1)) }
if what == 5 { print "{}", sample[draw](u => u^2, 0.5, mams(2), 1).last }
if what == 6 { print "{}", sum(sample_chains[chain, draw](u => u^2, k => 0.5, hmc(2, 2), 1, thin = 0).step) }
fn half_line(k) = if k == split(split(1, "chain"), 0) then -0.5 else 0.5
if what == 7 { print "{}", sum(sample_chains[chain, draw](u => log(u) + u^2, k => half_line(k), hmc(2, 2), 1).step) }
if what == 8 { print "{}", sum(sample_chains[chain, draw](u => u^2, k => 0.5, hmc(2, 0, step = 1e10), 1).step) }
fn places(first) = map q in [chain] => if index(q, chain) == 0 then first else 0.5
if what == 9 { print "{}", sample_batch[chain, draw](u => u^2, places(1.0), hmc(2, 2), 1, thin = 0).step }
if what == 10 { print "{}", sample_batch[chain, draw](u => log(u) + u^2, places(-1.0), hmc(2, 2), 1).step }
if what ==
  11 {
  print "{}", sample_batch[chain, draw](u => u^2 + 1e9 * (u > 9) * u^2, places(10.0), hmc(2, 0, step = 2), 1).step
}
if what == 12 { print "{}", sample_batch[chain, draw](u => u^2, places(1.0), mams(2), 1).step }
if batch == 1 { print "{}", sample_batch[chain, draw](energy, zeros[chain, x], hmc(), 1).step }
if matrix == 1 { print "{}", max(sample[draw](energy, zeros[x, y], nuts(metric = dense_metric()), 1).last) }
if record == 1 { print "{}", sample[draw](s => s.a^2 + sum(s.b^2), {a = 0.5, b = zeros[x]}, hmc(2, 2), 1).step }
