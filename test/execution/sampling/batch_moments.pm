// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.out --quiet --format=npy && %python %S/check_batch_moments.py %t.out
// Moments of records of numbers and fields, from chains that are computed together. One energy is that of a single chain. The seed
// was chosen before any result was known.

use sampling, random, fields
param seed: u64 = 43
dim chain = 16, draw = 150, x = 6, point = 5
dim gx = 4, gy = 4 over 8

// A mean, fields around it, real and complex, and the log of the width of the last one.
fn energy(s) = 0.5 (s.mean - 3)^2 + 0.5 sum((s.f - s.mean)^2, over = x) / 0.7^2 + 0.5 * (s.log_width / 0.3)^2 +
  sum(norm2(s.c), over = point) * exp(-2 * s.log_width) + 2 * 5 * s.log_width
fn noise(k) = {
  mean = white_noise[chain](split(k, "mean")), f = white_noise[chain, x](split(k, "f"))
  log_width = white_noise[chain](split(k, "width")),
  c = white_noise[chain, point](split(k, "re")) + 1i * white_noise[chain, point](split(k, "im"))
}
fn all_of(method, k, thin: int) =
  sample_batch[chain, draw](energy, noise(split(seed, 9)), method, split(seed, k), thin, noise = k => noise(k))
fn shown(a) = (a.chain.mean, a.chain.f[x = 2], a.chain.log_width,
               norm2(a.chain.c[point = 1]) * exp(-2 * a.chain.log_width),
               real(a.chain.c[point = 3]) * exp(-a.chain.log_width))
output by_nuts (mean, f, log_width, square, real) = shown(all_of(nuts(depth = 6, warmup = 300, target = 0.9), 12, 1))
let of_hmc = all_of(hmc(leaps = 12, warmup = 300, target = 0.9), 1, 2)
output by_hmc (mean, f, log_width, square, real) = shown(of_hmc)
output by_mams (mean, f, log_width, square, real) = shown(all_of(mams(warmup = 300), 2, 2))
output by_mclmc (mean, f, log_width, square, real) = shown(all_of(mclmc(warmup = 400, variance = 1e-4), 3, 20))
output by_langevin (mean, f, log_width, square, real) = shown(all_of(langevin(warmup = 400), 4, 60))
output rhat_of (mean, log_width) =
  (rhat(of_hmc.chain.mean, draw, chain) + zeros[x], rhat(of_hmc.chain.log_width, draw, chain) + zeros[x])

// A loop over chains applies the energy of one chain, as for `sample`. The first dim of a state is that of the chains.
fn correlated(s) = 0.5 * ((s[point = 0] - 0.9 * s[point = 1])^2 / 0.19 + sum(s^2) - s[point = 0]^2)
let start = 2 * white_noise[chain, point](split(seed, 5))
let looped = sample_batch[chain, draw](s => each chain in s => correlated(s), start,
                                       hmc(leaps = 5, warmup = 200, metric = dense_metric()), split(seed, 6))
output one (first, product) = (looped.chain[point = 0], looped.chain[point = 0] * looped.chain[point = 1])

// In this state, a number is a field over the chains only, and a field has dims with lengths.
fn gamma_energy(u) {
  let r = exp(u)
  r - 3 * u
}
output gamma_by_nuts = exp(sample_batch[chain, draw](gamma_energy, white_noise[chain](split(seed, 7)),
                                                     nuts(depth = 5, warmup = 200), split(seed, 13)).chain)
let bent = sample_batch[chain, draw](s => 0.5 * s.a^2 + 0.5 * (s.b - s.a^2)^2,
                                     {a = white_noise[chain](split(seed, 14)), b = white_noise[chain](split(seed, 15))},
                                     nuts(warmup = 300, target = 0.9), split(seed, 16), thin = 2,
                                     noise = k => {a = white_noise[chain](split(k, 0)),
                                                   b = white_noise[chain](split(k, 1))})
output banana (first, second) = (bent.chain.a, bent.chain.b)
let narrow = sample_batch[chain, draw](s => each chain in s => correlated(s), start,
                                       nuts(depth = 5, warmup = 200, metric = dense_metric()), split(seed, 17))
output dense_nuts (first, product) = (narrow.chain[point = 0], narrow.chain[point = 0] * narrow.chain[point = 1])
output gamma = exp(sample_batch[chain, draw](gamma_energy, white_noise[chain](split(seed, 7)),
                                             hmc(leaps = 6, warmup = 200), split(seed, 8)).chain)
let target = operator_metric(u => colour(u, k => 4 / (1 + k^2)))
let coloured = sample_batch[chain, draw](f => 0.5 sum((colour(f, k => (1 + k^2) / 4))^2, over = (gx, gy)),
                                         white_noise[chain, gx, gy](split(seed, 10)),
                                         hmc(leaps = 6, warmup = 200, metric = target), split(seed, 11))
output coloured = fft(coloured.chain, over = (gx, gy))
