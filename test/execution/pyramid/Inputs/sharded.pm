use pyramid
dim x = 64, y = 64, z = 64 over 1
mesh ranks(row = 2, col = 2)
layout x -> row, y -> col
let f = white_noise[x, y, z](1)
print "{}", sum(norm2(pyramid(blocks = (2, 2, 1))(f, 1)))
