// Chains of a record with a number and a complex field, and a chain of one field.
use sampling, random
dim draw = 40, chain = 3, x = 4, y = 2
fn energy(s) = 0.5 sum(norm2(s.f)) + 0.5 (s.mean - 2)^2
fn start(k) = {f = white_noise[x, y](split(k, 0)) + 0i, mean = normal_of(split(k, 1))}
let more = sample_chains[chain, draw](energy, k => start(k), hmc(3, 20), 1, noise = k => start(k))
let one = sample[draw](f => 0.5 sum(f^2), zeros[x], nuts(4, 20), 2)
fn energies(s) = 0.5 sum(norm2(s.f), over = (x, y)) + 0.5 (s.mean - 2)^2
fn starts(k) = {f = white_noise[chain, x, y](split(k, 0)) + 0i, mean = white_noise[chain](split(k, 1))}
let together = sample_batch[chain, draw](energies, starts(3), mams(20), 1, noise = k => starts(k))
output more
output together
output one
