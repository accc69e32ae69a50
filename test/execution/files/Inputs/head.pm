// Raw data as scanners write it to an image.
use mri
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
dim c = 4
dim x = 24 over 240 mm
dim y = 20 over 200 mm
dim z = 8 over 80 mm
input kspace: complex field[c, dual(x), dual(y), dual(z)]
let maps = birdcage_maps[c, x, y, z](c)
let mask = measured(kspace, c)
let image = cg_sense(kspace, maps, mask, c, weight = 1e-6, iterations = 12)
output magnitude = abs(image)
output image
output coils = centred_ifft(kspace)
print "{:.6f} of the lines", mean(mask)
