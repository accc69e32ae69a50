// SENSE: data of coils from an image, and an image from data by conjugate gradients.
use mri

dim c = 3
dim x = 8, y = 6, z = 4 over 240 mm

input image: complex field[x, y, z]
input kspace: complex field[c, dual(x), dual(y), dual(z)]
input spectrum: complex field[x, y, half(z)]
param ridge in (0, inf) = 0.01

let maps = birdcage_maps[c, x, y, z](c)
let mask = random_mask[x, y](2, power = 1, centre = 2, seed = 1)

output data = sense(maps, mask, c).forward(image)
output reconstruction = cg_sense(kspace, maps, mask, c, ridge, tolerance = 1e-12, iterations = 100)
output waves = ifft(spectrum)
output modes = fft(real(image))
output misfit = sum(norm2(sense(maps, mask, c).forward(image) - kspace))
