// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.one --quiet --format=npy && %python %S/check_samplers.py %t.one
// Samplers on densities with known moments, and diagnostics of chains against NumPy. The seed was chosen before any
// result was known.

use sampling, fields, random
param seed: u64 = 43
dim draw = 1000, short = 400, chain = 3
dim x = 4, y = 4 over 8
dim school = 8, point = 6

// A normal density with correlations; nuts.
fn correlated(s) = 0.5 * ((s[point = 0] - 0.9 * s[point = 1])^2 / 0.19 + sum(s^2) - s[point = 0]^2)
let normal = sample[draw](correlated, constant[point](2.0), nuts(depth = 6, warmup = 300, target = 0.9, step = 0.01),
                          split(seed, 0))
output normal_chain = normal.chain
output normal_scale = normal.scale
output normal_accept = normal.accept

// A strong correlation, which a dense metric removes; mams with standard deviations.
fn narrow(s) = 0.5 * ((s[point = 0] - 0.995 * s[point = 1])^2 / (1 - 0.995^2) + sum(s^2) - s[point = 0]^2)
let whitened =
  sample[draw](narrow, constant[point](1.0), nuts(depth = 6, warmup = 400, metric = dense_metric()), split(seed, 13))
output whitened_chain = whitened.chain
output whitened_step = 0 * whitened.accept + whitened.step
let adjusted = sample[draw](correlated, constant[point](2.0),
                            mams(warmup = 300, target = 0.8, step = 0.05, length = 1.5), split(seed, 14), thin = 2)
output adjusted_chain = adjusted.chain
output adjusted_accept = adjusted.accept

// Neal's funnel: x of standard deviation exp(v/2), v of 3, by a record of free numbers.
fn funnel(s) = 0.5 * (s.v / 3)^2 + 0.5 sum(s.z^2)
let free = sample[draw](funnel, {v = 0.0, z = zeros[point]},
                        hmc(leaps = 6, warmup = 300, target = 0.7, step = 0.2, jitter = 0.3, most = 900),
                        split(seed, 1),
                        noise = k => {v = normal_of(split(k, "v")), z = white_noise[point](split(k, "z"))})
output funnel_v = free.chain.v
output funnel_x = exp(free.chain.v / 2) * free.chain.z

fn banana(s) = 0.5 * s[0]^2 + 0.5 * (s[1] - s[0]^2)^2
let bent = sample[draw](banana, (0.5, 0.5), nuts(warmup = 400, target = 0.9, most = 500), split(seed, 2),
                        noise = k => (normal_of(split(k, 0)), normal_of(split(k, 1))), thin = 2)
output banana_chain = bent.chain

// Eight schools (Rubin 1981), not centred, with tau > 0 of a half Cauchy density of width 5.
param effect: list = (28, 8, -3, 7, -1, 1, 18, 12)
param error_of: list = (15, 10, 16, 11, 9, 11, 10, 18)
let seen = map q in [school] => effect[int(index(q, school))]
let width = map q in [school] => error_of[int(index(q, school))]
fn schools(s) {
  let (tau, jacobian) = positive(s.log_tau)
  0.5 * (s.mu / 5)^2 + log1p((tau / 5)^2) + jacobian + 0.5 sum(s.z^2) +
    0.5 sum(((s.mu + tau * s.z - seen) / width)^2)
}
let begin = {mu = 0.0, log_tau = 0.0, z = zeros[school]}
let taught = sample[draw](schools, begin, nuts(warmup = 500), split(seed, 3), noise = k =>
  {mu = normal_of(split(k, "mu")), log_tau = normal_of(split(k, "tau")), z = white_noise[school](split(k, "z"))})
output school_mu = taught.chain.mu
output school_tau = exp(taught.chain.log_tau)

fn log_beta(u) {
  let (p, jacobian) = bounded(u, 1, 3)
  -log(p - 1) - 3 * log(3 - p) + jacobian
}
let inside =
  sample[draw](log_beta, 0.0, langevin(warmup = 400, target = 0.6, step = 0.3, most = 900), split(seed, 4), thin = 4)
let (between, energy_of) = bounded(inside.chain, 1, 3)
output inside_chain = between

// A field of known spectrum, seen with noise; mclmc.
let truth = colour(white_noise[x, y](split(seed, 5)), k => 4 / (1 + k^2))
let data = truth + 0.7 * white_noise[x, y](split(seed, 6))
fn field_energy(w) = 0.5 sum(w^2) + 0.5 sum(((colour(w, k => 4 / (1 + k^2)) - data) / 0.7)^2)
let posterior = sample[draw](field_energy, zeros[x, y],
                             mclmc(warmup = 800, step = 0.2, decoherence = 1.2, variance = 2e-4), split(seed, 7),
                             thin = 3)
output field_chain = posterior.chain
output data

fn twist(c) = 0.5 sum(norm2(c - (1 + 2i))) / 0.25
let turned = sample[draw](twist, 0i * zeros[point], nuts(warmup = 200), split(seed, 8))
output turned_chain = turned.chain
let (l, chains) = loop n = 0.0 for i in chain =>
  n stacking sample[short](correlated, constant[point](2.0), hmc(warmup = 100), split(seed, 100 + i)).chain
output chains
output ess_of = ess(chains, short, chain)
output rhat_of = rhat(chains, short, chain)
output ess_one = ess(normal.chain, draw)
output rhat_one = rhat(normal.chain, draw)

// The energy of a transform is -log of its derivative, for numbers and for fields.
fn check(name, f, u) {
  let (dx, e) = (jvp(v => f(v)[0])(u, tangent = 1.0)[1], f(u)[1])
  assert abs(log(dx) + e) < 1e-12, "{}: -log dx/du = {}, found {}", name, -log(dx), e
  let (h, slope) = (1e-5, grad(v => f(v)[1])(u))
  let along = (f(u + h)[1] - f(u - h)[1]) / (2 * h)
  assert abs(slope - along) < 1e-8, "{}: de/du = {}, expected {}", name, slope, along
}
check("positive", u => positive(u), 0.3)
check("bounded", u => bounded(u, -2, 5), -1.7)
let u = white_noise[point](3)
assert abs(bounded(u, 0, 2)[1] - total(for i in 0 .. 6 => bounded(u[point = i], 0, 2)[1])) < 1e-12,
       "bounded: the energy of a field is not the sum of those of its elements"

// Steps of a size with large errors of the energy, which weights and acceptance must make good: 2 Gamma(3/4)/Gamma(1/4) and 1 for s^4/4.
dim many = 10000, pair = 2
fn quartic(s) = 0.25 sum(s^4)
fn moments_of(name, method, k) {
  let a = sample[many](quartic, constant[pair](0.4), method, split(seed, k))
  let (two, four) = (mean(a.chain^2), mean(a.chain^4))
  let n = 2 * min(ess(a.chain^2, many))

  assert abs(two - 0.6759782400672847) < 4.5 * sqrt(0.543053 / n), "{}: s^2 is {}, expected 0.67598", name, two
  assert abs(four - 1) < 4.5 * sqrt(4 / n), "{}: s^4 is {}, expected 1", name, four
}
moments_of("nuts", nuts(warmup = 0, step = 1.1), 9)
moments_of("hmc", hmc(leaps = 3, warmup = 0, step = 0.9), 10)
moments_of("mams", mams(warmup = 0, step = 1.4, length = 2), 15)

// Errors fall with step^2 for a given time.
dim once = 1, few = 20, twice = 40
fn errors_of(step, leaps: int) =
  sample[once](quartic, constant[point](0.9), hmc(leaps, 0, step = step, jitter = 0), split(seed, 11)).error[once = 0]
let leap_order = errors_of(0.04, 10) / errors_of(0.02, 20)
assert abs(leap_order - 4) < 0.2, "hmc: half the step has 1/{} of the error, expected 1/4", leap_order
fn sum_of[d](step) =
  sum(sample[d](quartic, constant[point](0.9), mclmc(0, step, decoherence = 1e6), split(seed, 12)).error)
let direct_order = sum_of[few](0.02) / sum_of[twice](0.01)
assert abs(direct_order - 4) < 0.2, "mclmc: half the step has 1/{} of the error, expected 1/4", direct_order
