// Neighbors along dims that ranks may share, none along the last one.
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
dim x = 64, y = 64, z = 64 over 1
let f = white_noise[x, y, z](0)
let g = f[x + 1] + f[x - 1] + f[y + 1] + f[y - 1]
print "{:.10e}", sum(g * g)
