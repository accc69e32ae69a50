// A chain whose state is a field and a number. The warm-up is most of the run.
use sampling, fields, random
param seed: u64 = 3
dim draw = 20
dim x = 12, y = 8 over 8
mesh ranks(row = 1)
layout x -> row
let data = white_noise[x, y](split(seed, "data"))
fn energy(s) = 0.5 sum(s.f^2) + 0.5 sum((exp(s.u) * colour(s.f, k => 1 / (1 + k^2)) - data)^2) + 0.5 * s.u^2
fn noise(k) = {f = white_noise[x, y](split(k, "f")), u = normal_of(split(k, "u"))}
let a = sample[draw](energy, {f = zeros[x, y], u = 0.0}, nuts(depth = 4, warmup = 300), seed, thin = 2,
                     noise = k => noise(k), checkpoint = 10)
output fields = a.chain.f
output parameter = a.chain.u
output numbers (energy, accept, error, diverged, gradients) = (a.energy, a.accept, a.error, a.diverged, a.gradients)
output scale = a.scale.f
