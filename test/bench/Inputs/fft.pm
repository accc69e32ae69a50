// Rounds of a forward and a backward transform.
const n = 256
dim x = n, y = n, z = n
mesh ranks(row = 1)
layout x -> row
param rounds: int in [1, inf) = 5
let start = white_noise[x, y, z](1)
let end = loop f = start for i in 0 .. rounds => ifft(fft(f))
print "{}", max(abs(end - start))
