// Blocks along coarser dims, there and back.
dim x = 24, y = 36, z = 4 over 1
dim v = 7
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col

let f = white_noise[x, y, z](1)
fn cut(f) = f[x = 4 * coarsen(x, 4) + v - 2, edge = "periodic"]
output blocks = cut(f)
output back = vjp(cut)(f, cotangent = cut(f))[1]
output coarse = coarsen(f[x + 1, y - 1], 2, over = (x, y))
