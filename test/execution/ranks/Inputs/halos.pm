// Particles that all move alike: so far that halos have known widths.
const n = 24
param sx = 0.0  "shift in cells"
param sy = 0.0
dim x = n, y = n, z = n over 24 Mpc/h
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
let disp = (constant[x, y, z](sx * spacing(x)), constant[x, y, z](sy * spacing(y)), constant[x, y, z](0.3 * spacing(z)))
output painted = paint(disp, window = "tsc")
output read = readout(white_noise[x, y, z](1), disp, window = "cic")
