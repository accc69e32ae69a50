// RUN: %pmc %s -O0 -o %t
// RUN: %t --progress=never --out %t.out --what=1 2>&1 | FileCheck %s --check-prefix=CHAINS
// RUN: %t --progress=never --out %t.out --what=2 2>&1 | FileCheck %s --check-prefix=BATCH
// RUN: %t --progress=never --out %t.out --what=3 2>&1 | FileCheck %s --check-prefix=APART --implicit-check-not=warning
// RUN: %t --progress=never --out %t.out --what=4 2>&1 | FileCheck %s --check-prefix=APART --implicit-check-not=warning
// CHAINS: warning: sample_chains: all chains start with the same energy, 1.5, as equal states have; R̂ is meaningful if the starts differ: use the seed in 'start', as in k => white_noise[x](k) [PM9201]
// BATCH: warning: sample_batch: all chains start with the same energy, 1.5, as equal states have; R̂ is meaningful if the starts differ: give 'start' the dim of the chains, as in s + white_noise[chain, x](1) [PM9201]
// APART: done
// If all chains start in the same state, a warning says how to choose different starts.

use sampling

param what: int in [1, 4] = 1
dim draw = 4, chain = 3, x = 3
fn energy(s) = 0.5 sum(s^2)
fn energies(s) = 0.5 sum(s^2, over = x)
let method = hmc(2, 2)
if what == 1 { print "done {}", sum(sample_chains[chain, draw](energy, k => zeros[x] + 1, method, 1).step) }
if what ==
  2 {
  print "done {}",
        sample_batch[chain, draw](energies, zeros[x] + 1, method, 1, noise = k => white_noise[chain, x](k)).step
}
if what == 3 { print "done {}", sum(sample_chains[chain, draw](energy, k => white_noise[x](k), method, 1).step) }
if what == 4 { print "done {}", sample_batch[chain, draw](energies, white_noise[chain, x](2), method, 1).step }
