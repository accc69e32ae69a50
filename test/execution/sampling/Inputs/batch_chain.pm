// Chains that are computed together and split over ranks. The warm-up is the largest part of the run.
use sampling, fields
const trees = 0
param seed: u64 = 3
dim chain = 4, draw = 10
dim x = 12, y = 8 over 8
mesh ranks(row = 1)
layout chain -> row
let data = white_noise[x, y](split(seed, "data"))
fn energy(s) =
  0.5 sum(s.f^2, over = (x, y)) + 0.5 sum((exp(s.u) * colour(s.f, k => 1 / (1 + k^2)) - data)^2, over = (x, y)) +
    0.5 * s.u^2
fn noise(k) = {f = white_noise[chain, x, y](split(k, "f")), u = white_noise[chain](split(k, "u"))}
let method = if trees == 1 then nuts(depth = 4, warmup = 150) else mams(warmup = 300)
let a = sample_batch[chain, draw](energy, noise(seed), method, seed, thin = 2, noise = k => noise(k), checkpoint = 10)
output fields = a.chain.f
output parameter = a.chain.u
output numbers (energy, accept, error, diverged, gradients) = (a.energy, a.accept, a.error, a.diverged, a.gradients)
output scale = a.scale.f
