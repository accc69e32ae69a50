// Samples all over a mesh that is a few cell blocks thick.
const n: int = 40
dim x = n, y = 48, z = 64 over 1
dim j = 480000
let p = for d in (0, 1, 2) => 0.4 * white_noise[j](1 + d)
output painted = paint_at[x, y, z](p, window = {support = 6, weight = u => exp(-u^2)}, weight = white_noise[j](4))
