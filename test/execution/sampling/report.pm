// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.out 2>&1 | FileCheck %s
// The chain prints lines during the warm-up and after it. The lines agree with the record of the sample.
// CHECK: state 20 of 55 (warm-up): energy {{.*}}, acceptance 0.{{[0-9]+}}, step size
// CHECK: state 40 of 55: energy {{.*}}, acceptance 0.{{[0-9]+}}, error of the total energy {{.*}}, 0 divergences
// CHECK-NOT: state 60
// CHECK: the same
// Several chains print means over the chains.
// CHECK: state 20 of 35 (warm-up): energy {{.*}}, acceptance 0.{{[0-9]+}}, step size
// CHECK: state 35 of 35: energy [[E:[0-9.]+]], acceptance {{[01].[0-9]+}}, error of the total energy {{.*}}, 0 divergences
// CHECK: together, energy [[E]]

use sampling
dim draw = 5, point = 3
let a = sample[draw](s => 0.5 sum(s^2), constant[point](1.0), hmc(leaps = 3, warmup = 30), 7, thin = 5, report = 20)
let b = sample[draw](s => 0.5 sum(s^2), constant[point](1.0), hmc(leaps = 3, warmup = 30), 7, thin = 5)
assert max(abs(a.chain - b.chain)) == 0, "lines change the chain"
// The gradients of the first sample include the warm-up, in which trajectories that diverge are shorter.
assert a.gradients[draw = 0] > 90 and a.gradients[draw = 0] <= 105 and a.gradients[draw = 1] == 15,
       "gradients are {} and {}, expected at most 105, and 15",
       a.gradients[draw = 0], a.gradients[draw = 1]
assert a.accept[draw = 0] > 0.5 and a.accept[draw = 0] < 1, "the first acceptance is {}", a.accept[draw = 0]
print "the same, energy {:.6g}", a.energy[draw = 1]
dim chain = 3
let c = sample_batch[chain, draw](s => 0.5 sum(s^2, over = point), constant[chain, point](1.0),
                                  hmc(leaps = 3, warmup = 30), 7,
                                  report = 5)
print "together, energy {:.6g}", mean(c.energy[draw = 4])
