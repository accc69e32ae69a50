// Rounds of a filter: a forward transform, a map of the modes, and a backward transform.
use fields
const n = 256
dim x = n, y = n, z = n over 400 Mpc/h
mesh ranks(row = 1)
layout x -> row
param rounds: int in [1, inf) = 5
let start = white_noise[x, y, z](1)
fn step(f) {
  let w = fft(f)
  ifft(map k in w => (1 / (1 + norm2(wave(k)) * (1 Mpc/h)^2)) * w)
}
let end = loop f = start for i in 0 .. rounds => step(f)
print "{}", max(abs(end - start))
