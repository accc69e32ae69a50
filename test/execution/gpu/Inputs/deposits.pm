// Many particles to a cell; weights that are numbers and that are not, in meshes that ranks share and in one that none does.
dim x = 16, y = 12, z = 10 over 1
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
let move = for d in (0, 1, 2) => 0.4 * white_noise[x, y, z](1 + d)
let weight = white_noise[x, y, z](7)
output density = paint[x, y, z](move)
output weighed = paint[x, y, z](move, weight = weight)
// The capacity of a sum is far more than what these cells get.
let uneven = map q in weight => if index(q, x) + index(q, y) + index(q, z) == 0 then 1e9 else weight
output beside_heavy = slice(paint[x, y, z](move, weight = uneven), x = 6 .. 11)
// All of them in a few cells.
output heap = paint[x, y, z](map q in weight => (-0.8 * q[x], -0.8 * q[y], -0.8 * q[z]))
