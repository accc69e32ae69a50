param seed: u64 = 4
dim x = 11, y = 7, z = 5
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
let f = white_noise[x, y, z](seed)
let top = max(f, over = x)
let low = min(f, over = (x, y))
let total = sum(f, over = (x, z))
let g = exp(0.1 f)
output g
let h = cos(g) + 2 f
output h
output top
output low
output total
output back = f - top + g * total
