// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.one --quiet --format=npy
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=2 --transport=threads --threads=1 && %python %S/check_meshes.py %t.one %t.ranks
// Short chains and approximations of a split field are those of one rank.

use sampling, variational, optim

mesh ranks(row = 1)
layout x -> row
dim draw = 8, krylov = 3, x = 6, y = 2

fn energy(s) = 0.25 sum(s^4) + 0.5 sum((s[x + 1] - s)^2)
let start = constant[x, y](0.7)
fn noise(k) = white_noise[x, y](k)
let (n, h) = (sample[draw](energy, start, nuts(4, 3, step = 0.5), 1), sample[draw](energy, start, hmc(3, 3), 2))
let m = sample[draw](energy, start, mclmc(9, 0.3), 3)
output of_nuts = n.chain
output of_hmc = h.chain
output of_mclmc = m.chain
output of_mams = sample[draw](energy, start, mams(3, step = 0.5), 4).chain
output scale = n.scale
output numbers (accept, error, gradients, step) = (n.accept, h.error, n.gradients, 0 * m.error + m.step)
output ess_of = ess(n.chain, draw)
output sample_of = laplace[krylov](energy, start).draw(4)
output field = mean_field(energy, start, adam(0.1), 3, 5, k => noise(k)).mean
