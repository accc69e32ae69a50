// Arguments of methods with which a chain would not move, or not adapt, are errors at their place.
// RUN: not %pmc %s -D which=1 -o %t 2>&1 | FileCheck %s --check-prefix=LEAPS
// RUN: not %pmc %s -D which=2 -o %t 2>&1 | FileCheck %s --check-prefix=JITTER
// RUN: not %pmc %s -D which=3 -o %t 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not %pmc %s -D which=4 -o %t 2>&1 | FileCheck %s --check-prefix=WARMUP
// RUN: not %pmc %s -D which=5 -o %t 2>&1 | FileCheck %s --check-prefix=STEP
// RUN: not %pmc %s -D which=6 -o %t 2>&1 | FileCheck %s --check-prefix=MOST
// RUN: not %pmc %s -D which=7 -o %t 2>&1 | FileCheck %s --check-prefix=LENGTH
// RUN: not %pmc %s -D which=8 -o %t 2>&1 | FileCheck %s --check-prefix=MAMS
// RUN: not %pmc %s -D which=9 -o %t 2>&1 | FileCheck %s --check-prefix=VARIANCE
// RUN: not %pmc %s -D which=10 -o %t 2>&1 | FileCheck %s --check-prefix=DECOHERENCE
// RUN: not %pmc %s -D which=11 -o %t 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: not %pmc %s -D which=12 -o %t 2>&1 | FileCheck %s --check-prefix=BATCH_REPORT
// RUN: not %pmc %s -D which=13 -o %t 2>&1 | FileCheck %s --check-prefix=ENERGY
// LEAPS: refused_methods.pm:[[#]]:{{[0-9]+}}: error: hmc: leaps must be at least 1, found 0
// JITTER: error: hmc: jitter must be at least 0 and below 1, found 1
// TARGET: error: nuts: target must be between 0 and 1, found 1
// WARMUP: error: langevin: warmup must be at least 0, found -1
// STEP: error: mclmc: step must be above 0, found 0
// MOST: error: hmc: most must be above 0, found 0
// LENGTH: error: mams: length must be above 0, found 0
// MAMS: error: mams: leaps must be at least 1, found 0
// VARIANCE: error: mclmc: variance must be above 0, found 0
// DECOHERENCE: error: mclmc: decoherence must be above 0, found 0
// REPORT: error: sample: report must be at least 0, found -1
// BATCH_REPORT: error: sample_batch: report must be at least 0, found -1
// ENERGY: error: sample_batch: the energy must be a field over the dim of the chains; sum over the dims of a state only, as in sum(s^2, over = x)

use sampling

const which = 0
dim x = 4, chain = 3, draw = 8

fn energy(s) = 0.5 sum(s^2)
fn energies(s) = 0.5 sum(s^2, over = x)
let start = white_noise[x](1)
let starts = white_noise[chain, x](1)
let method = if which == 1 then hmc(leaps = 0)
             else if which == 2 then hmc(jitter = 1)
             else if which == 3 then nuts(target = 1)
             else if which == 4 then langevin(warmup = -1)
             else if which == 5 then mclmc(step = 0)
             else if which == 6 then hmc(most = 0)
             else if which == 7 then mams(length = 0)
             else if which == 8 then mams(leaps = 0)
             else if which == 9 then mclmc(variance = 0)
             else if which == 10 then mclmc(decoherence = 0)
             else hmc(warmup = 2)
if which < 11 { output first = sample[draw](energy, start, method, seed = 1).chain }
if which == 11 { output second = sample[draw](energy, start, method, seed = 1, report = -1).chain }
if which == 12 { output third = sample_batch[chain, draw](energies, starts, method, seed = 1, report = -1).chain }
if which == 13 {
  output fourth = sample_batch[chain, draw](s => sum(s^2, over = chain), starts, method, seed = 1).chain
}
