use mri
param scale = 1.0
mesh ranks(row = 1)
layout x -> row, s -> row
dim c = 2, s = 8
dim x = 16, y = 12 over 240 mm
let e = nufft_sense(birdcage_maps[c, x, y](c), (map q in [s] => 8 * scale, map q in [s] => index(q, s) - 4), c)
print "{}", sum(norm2(e.forward(white_noise[x, y](1) + 0i)))
