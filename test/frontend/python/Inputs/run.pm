// Inputs, lists of parameters, components, outputs in loops, prints and ways to fail.
use particles

const n: int in [4, 64] = 8

param factor in (0, 10] = 2  "multiplies the field"
param box: length in (0, inf) = 100 Mpc/h
param shift: list = (0.5, 1)
param steps: int in [0, inf) = 3
param seed: u64 = 42
param most: f64 = 1e9

dim x = n, y = n, z = n over box
mesh ranks(row = 1)
layout x -> row

input noise: field[x, y, z]  "the field"
input curve: table optional

let f = factor * noise + shift[1]
let g = loop u = f for i in 0 .. steps => {
  assert max(u) < most, "step {} has {:.1f}", i, max(u)
  output after = sum(u)
  u + 0.125 * noise
}
print "seed {}, mean {:.4f}", seed, mean(g)
output scaled = g
output three = for d in 0 .. 3 => (d + shift[0]) * g
output modes = fft(g)
output total = sum(g^2)
output at_half = if given(curve) then interpolate(curve, 0.5) else 0.0
