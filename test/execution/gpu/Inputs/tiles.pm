// Particles that mostly stay in their particle block's tile, after a bulk motion of several boxes; that mostly leave it; on a finer mesh,
// on one that is smaller than a tile, on one of two dims; those of a list, in order and in none.
dim x = 24, y = 20, z = 40 over 1
dim p = 3000 over 1
dim u = 5, v = 6, w = 300 over 1
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col, p -> (row, col), u -> row, v -> col
let noise = for d in (0, 1, 2) => white_noise[x, y, z](1 + d)
let weight = white_noise[x, y, z](7)
let near = for d in (0, 1, 2) => 2.3 + 0.03 * noise[d]
let far = for d in (0, 1, 2) => 0.2 * noise[d]
output ngp = paint[x, y, z](near, window = "ngp")
output cic = paint[x, y, z](near, weight = weight)
output gone = paint[x, y, z](far)
output tsc = paint[refine(x, 2), refine(y, 2), refine(z, 2)](near, window = "tsc")
output pcs = paint[x, y, z](far, window = "pcs", weight = weight)
output small = paint[u, v, w](for d in (0, 1, 2) => 0.1 * white_noise[u, v, w](10 + d), window = "pcs")
let list = for d in (0, 1, 2) => 0.05 * white_noise[p](20 + d)
output sorted = paint_at[x, y, z](for d in (0, 1, 2) => (map q in [p] => q[p]) + list[d], window = "tsc")
output mixed = paint_at[x, y, z](for d in (0, 1, 2) => 9 * list[d])
let flat = for d in (0, 1) => 0.03 * white_noise[y, z](30 + d)
output plane = paint[y, z](flat, window = "tsc")
output line = paint[z](for d in dims(white_noise[z](6)) => 0.1 * white_noise[z](6))
