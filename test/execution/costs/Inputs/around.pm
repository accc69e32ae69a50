// Halos that go around the whole box: no cell is sent or counted twice.
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
dim x = 5, y = 7 over 1
let f = white_noise[x, y](1)
output g = f[x + 2, y - 3] * f[x - 2, y + 3] + f[x + 1] * f[y - 2]
