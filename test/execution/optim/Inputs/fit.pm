// A fit that takes a while and keeps its state.
use fields, optim
param seed: u64 = 3
dim x = 32, y = 32, z = 32 over 100 Mpc/h
mesh ranks(row = 1)
layout x -> row
let data = smooth(exp(white_noise[x, y, z](seed)), 4 Mpc/h)
fn loss(s, r) = 0.5 sum((smooth(exp(s), r) - data)^2) / 0.01 + 0.5 sum(s^2)
optimize s from zeros[x, y, z]
  minimizing loss(s, r) with lbfgs()
  for r in (8 Mpc/h, 6 Mpc/h, 4 Mpc/h), 40 iterations each
  checkpoint every 7
  history losses
output s
output losses
