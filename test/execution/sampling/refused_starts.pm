// It is an error if the start lacks a member of the noise, or if the noise lacks a member of the start.
// RUN: not %pmc %s -D which=1 -o %t 2>&1 | FileCheck %s --check-prefix=SAMPLE
// RUN: not %pmc %s -D which=2 -o %t 2>&1 | FileCheck %s --check-prefix=NOISE
// RUN: not %pmc %s -D which=3 -o %t 2>&1 | FileCheck %s --check-prefix=CHAINS
// RUN: not %pmc %s -D which=4 -o %t 2>&1 | FileCheck %s --check-prefix=BATCH
// SAMPLE: refused_starts.pm:[[#]]:39: error: '+' of records with different members: record {f, u} and record {f}; the second one lacks 'u'
// SAMPLE: note: 'start' of 'sample': state, the first one; {{.*}}A tuple or record has the members of the value of `noise`
// SAMPLE-NOT: error:
// NOISE: refused_starts.pm:[[#]]:40: error: '+' of records with different members: record {f} and record {f, u}; the first one lacks 'u'
// NOISE-NOT: error:
// CHAINS: refused_starts.pm:[[#]]:53: error: '+' of records with different members: record {f, u} and record {f}; the second one lacks 'u'
// CHAINS-NOT: error:
// BATCH: refused_starts.pm:[[#]]:55: error: '+' of records with different members: record {f, u} and record {f}; the second one lacks 'u'
// BATCH: note: 'start' of 'sample_batch': the first states: {{.*}}with the members of the value of `noise`
// BATCH-NOT: error:

use sampling

const which = 0
dim x = 4, chain = 3, draw = 8
let method = hmc(warmup = 2)
fn energy(s) = 0.5 sum(s.f^2)
fn energies(s) = 0.5 sum(s.f^2, over = x)
fn noise(k) = {f = white_noise[x](k), u = 1.0}
fn noises(k) = {f = white_noise[chain, x](k), u = white_noise[chain](k)}
if which == 1 {
  output first = sample[draw](energy, {f = zeros[x]}, method, 1, noise = k => noise(k)).energy
}
if which == 2 {
  output second = sample[draw](energy, {f = zeros[x], u = 1.0}, method, 1, noise = k => {f = white_noise[x](k)}).energy
}
if which == 3 {
  output third = sample_chains[chain, draw](energy, k => {f = zeros[x]}, method, 1, noise = k => noise(k)).energy
}
if which == 4 {
  output fourth = sample_batch[chain, draw](energies, {f = zeros[chain, x]}, method, 1, noise = k => noises(k)).energy
}
