// Readings of several meshes around the sites of a lattice: every narrow window, meshes as fine as the lattice and finer, differentiated windows, and
// displacements that go around the box.
use fields
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
param reach = 1.5
dim x = 14, y = 9, z = 21 over 30
dim u = 40, v = 26 over 9

let f = for i in 0 .. 3 => white_noise[x, y, z](i)
let noise = for i in 10 .. 13 => white_noise[x, y, z](i)
let amount = reach * spacing(x)
let disp = for d in (x, y, z) => amount * (if d == x then noise[0] else if d == y then noise[1] else noise[2])
output ngp = readout(f, disp, window = "ngp")
output cic = readout(f, disp)
output tsc = readout(f, disp, window = "tsc")
output pcs = readout(f, disp, window = "pcs")
let fine = for i in 0 .. 2 => white_noise[refine(x, 2), refine(y, 2), refine(z, 2)](20 + i)
output finer = readout(fine, disp)
output many = readout(for i in 30 .. 35 => white_noise[x, y, z](i), disp)
let plane = for d in (u, v) => 2.5 * spacing(d) * white_noise[u, v](if d == u then 40 else 41)
let g = for i in 0 .. 2 => white_noise[u, v](50 + i)
output flat = readout(g, plane, window = "tsc")
// The window differentiated along each dim for each mesh.
fn misfit(d) = inner(readout(f, d, window = "tsc"), f)
output slope = grad(misfit)(disp)
// On another lattice: two readings in one loop are computed in rows.
let h = for i in 60 .. 62 => white_noise[x, v](i)
output far = readout(h, for d in (x, v) => 17 * spacing(d) * white_noise[x, v](if d == x then 70 else 71))
