// Paints of a lattice's particles: every narrow window, meshes as fine as the lattice and finer, several meshes at once, and displacements that
// go around the box.
use fields
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
param reach = 0.7
dim x = 40, y = 36, z = 21 over 30
dim u = 250, v = 126 over 9

let noise = for i in 0 .. 3 => white_noise[x, y, z](i)
let disp =
  for d in (x, y, z) => reach * spacing(d) * (if d == x then noise[0] else if d == y then noise[1] else noise[2])
let mass = white_noise[x, y, z](9)
output ngp = paint[x, y, z](disp, window = "ngp")
output cic = paint[x, y, z](disp)
output tsc = paint[x, y, z](disp, window = "tsc")
output pcs = paint[x, y, z](disp, window = "pcs")
output weighted = paint[x, y, z](disp, weight = mass)
output finer = paint[refine(x, 2), refine(y, 2), refine(z, 2)](disp, weight = mass)
let plane = for d in (u, v) => 1.5 * spacing(d) * white_noise[u, v](if d == u then 40 else 41)
output flat = paint[u, v](plane, window = "tsc")
// The adjoint of a reading paints all meshes at once.
let meshes = for i in 20 .. 23 => white_noise[x, y, z](i)
fn misfit(f) = inner(readout(f, disp), (mass, noise[0], noise[1]))
let (slope0, slope1, slope2) = grad(misfit)(meshes)
output several0 = slope0
output several1 = slope1
output several2 = slope2
