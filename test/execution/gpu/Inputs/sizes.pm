// Loops of every kind of schedule: elements, with neighbors, numbers, rows, cells, bins, paints and readings.
dim x = 24, y = 20, z = 40 over 1
dim p = 9000 over 1
dim b = 12
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col, p -> (row, col)
let noise = for d in (0, 1, 2) => 0.3 + 0.03 * white_noise[x, y, z](1 + d)
let weight = white_noise[x, y, z](7)
let density = paint[x, y, z](noise, weight = weight, window = "tsc")
output density
output smooth = density / 2 + (density[x + 1] + density[z - 1]) / 4
output total = sum(density * density)
output highest = max(density)
output rows = sum(density, over = (x, y))
output planes = sum(density, over = z)
output back = readout(density, noise, window = "cic")
let list = for d in (0, 1, 2) => 0.5 + 0.2 * white_noise[p](20 + d)
output painted = paint_at[x, y, z](list, window = "pcs")
output counts = bins q in [x, y, z] into b by 6 + 2 * weight => 1
