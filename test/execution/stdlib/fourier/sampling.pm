// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet
// Hamiltonian Monte Carlo: trajectories go back to where they came from, their error is of second order in the step, and chains have the
// moments of densities that are known: normal in a field, and exp(-x^4) in a number beside it.

use sampling

dim x = 64
dim one = 1
param kept: int = 1500

fn energy(s) = 0.5 sum((s.f / 0.5 - 2)^2) + s.u^4
fn pull(seed) = {f = white_noise[x](seed), u = sum(white_noise[one](seed + 7))}
let begin = {f = constant[x](1.0), u = 0.4}
let p = pull(1)

let there = hmc_trajectory(energy, begin, p, 0.1, 20, s => true, 1e9)
let back = hmc_trajectory(energy, there[0], -1 * there[1], 0.1, 20, s => true, 1e9)
let off = sqrt(inner(back[0] - begin, back[0] - begin))
assert off < 1e-12, "a trajectory and its return end {} from where they began", off

fn error_of(step, leaps: int) = hmc_step(energy, begin, energy(begin), p, 0.0, step, leaps = leaps).error
let ratio = error_of(0.1, 10) / error_of(0.05, 20)
assert abs(ratio - 4) < 0.4, "half the step has 1/{} of the error, expected 1/4", ratio

// Where it may not go, it stays.
let held = hmc_step(energy, begin, energy(begin), p, 0.0, 0.1, leaps = 10, allowed = s => s.u < 0)
assert held.taken == 0 and held.s.u == begin.u, "a forbidden state {} is accepted", held.s.u

let (s, e, accepted, m1, m2, q2) =
  loop (s, e, accepted, m1, m2, q2) = (begin, energy(begin), 0.0, 0.0, 0.0, 0.0) for i in 0 .. kept => {
    let next = hmc_step(energy, s, e, pull(100 + 20 * i), 0.5 (1 + erf(sum(white_noise[one](50 + 20 * i)) / sqrt(2))),
                        0.17, leaps = 5)
    (next.s, next.energy, accepted + next.taken, m1 + mean(next.s.f), m2 + mean((next.s.f - 1)^2), q2 + next.s.u^2)
  }
print "accepted {}, mean {}, variance {}, u^2 {}", accepted / kept, m1 / kept, m2 / kept, q2 / kept
assert accepted / kept > 0.6 and accepted < kept, "{} accepted", accepted / kept
assert abs(m1 / kept - 1) < 0.01, "mean {}, expected 1", m1 / kept
assert abs(m2 / kept - 0.25) < 0.01, "variance {}, expected 1/4", m2 / kept
assert abs(q2 / kept - 0.33798912003364237) < 0.04, "u^2 {}, expected Gamma(3/4)/Gamma(1/4)", q2 / kept

// One step from the bottom of a steep bowl, which the energy grows by: accepted by a draw of 0, unless that is more than `most`.
fn steep(u) = 2 u^2
fn leap(most) = hmc_step(steep, 0.0, 0.0, 1.0, 0.0, 1.8, 1, most = most)
assert leap(1000).taken == 1 and leap(1000).error > 2 and leap(1).taken == 0 and leap(1).error == 1,
       "hmc_step, most: {} and {}", leap(1000).error, leap(1).error
