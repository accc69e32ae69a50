// What test/bench/nufft compiles: transforms of one kind, `repeats` times.

use nufft

const sides = 2
const n = 512
const kind = 2
const samples = 1000000
const tolerance = 1e-6
param repeats: int = 1
dim x = n, y = n, z = if sides == 3 then n else 1 over 1
dim j = samples

input u: field[j]
input v: field[j]
input w: field[j]
input data: complex field[j]

let k = if sides == 3 then (u, v, w) else (u, v)
let list = if sides == 3 then (x, y, z) else (x, y)
let image = nufft_adjoint[list](data, k, tolerance)
output made = image
output result = if kind == 1
                then (loop f = image for i in 0 .. repeats => nufft_adjoint[list]((1 + i) * data, k, tolerance))
                else (loop s = data for i in 0 .. repeats => nufft((1 + i) * image, k, tolerance))
