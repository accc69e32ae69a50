// Raw data along a trajectory, and where in k-space their samples are, to an image.
use mri
mesh ranks(row = 1)
layout x -> row, spoke -> row
dim c = 3, component = 2
dim x = 24, y = 24 over 240 mm
dim along = 40, spoke = 30
input samples: complex field[c, along, spoke]
input places: field[component, along, spoke]  // of the matrix, from -1/2 to 1/2
let k = (24 * places[component = 0], 24 * places[component = 1])
let encoding = nufft_sense(birdcage_maps[c, x, y](c), k, c, tolerance = 1e-5)
output image = cg_image(encoding, samples, weight = 0.05, tolerance = 1e-6, iterations = 40)
// No file with a trajectory is this.
dim u = 40, v = 30
input modes: complex field[c, dual(u), dual(v)] optional
print "{}", if given(modes) then sum(abs(modes)) else 0.0
