// Readings of fields that are differences of others, around the sites of a lattice: every narrow window, meshes as fine as the lattice and finer, two sources,
// differentiated windows, and displacements that go around the box.
use fields
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
param reach = 1.5
dim x = 14, y = 9, z = 21 over 30
dim u = 40, v = 26 over 9

let f = white_noise[x, y, z](0)
let g = white_noise[x, y, z](1)
fn displacement(d) = reach * spacing(x) * white_noise[x, y, z](if d == x then 10 else if d == y then 11 else 12)
let disp = for d in (x, y, z) => displacement(d)
fn slopes(f, kernel) = for d in directions(f) => central_difference(f, d, kernel)
output ngp = readout(slopes(f^2, "fd4"), disp, window = "ngp")
output cic = readout(slopes(g^2, "fd4"), disp)
output tsc = readout(slopes(f^3, "fd2"), disp, window = "tsc")
output pcs = readout(slopes(g^3, "fd6"), disp, window = "pcs")
output finer = readout(slopes(white_noise[refine(x, 2), refine(y, 2), refine(z, 2)](20), "fd4"), disp)
// Cells around the corner, two sources, the element itself, and a number of the program.
let (a, b) = (f * g, f + g)
output mixed = readout((a[x + 1][y - 2] - reach * b[z - 1] * a, a[z + 4] * b[x - 3] + b[y + 1]), disp)
// Neighbors along one dim only, more on one side. Blocks and halos are wide only there.
fn above_y(f) = (f[y + 4] - f[y - 1], f - f[y + 2])
fn below_y(f) = (f[y + 1] - f[y - 4], f - f[y - 2])
fn along_z(f) = (f[z + 4] - f[z - 3], f - f[z + 2])
output read_above = readout(above_y(f - 2 g), disp)
output read_below = readout(below_y(f * g), disp)
output read_along = readout(along_z(f + 3 g), disp)
let plane = for d in (u, v) => 2.5 * spacing(d) * white_noise[u, v](if d == u then 40 else 41)
output flat = readout(slopes(white_noise[u, v](50), "fd4"), plane, window = "tsc")
// The window differentiated along each dim for each mesh, and the adjoint of the differences.
fn misfit(h, d) = inner(readout(slopes(h, "fd4"), d, window = "tsc"), (f, g, f))
let (slope, source) = (grad(d => misfit(f, d))(disp), grad(h => misfit(h, disp))(f))
output slope
output source
// What blocks paint, differentiated: one field and several, meshes finer than the lattice, the element itself, a number of the program, and two dims.
let painted = paint(disp)
output curvature = painted[x + 1] + painted[x - 1] - 2 painted + reach * (painted[y + 2][z - 3] - painted[z + 4])
let fine = white_noise[refine(x, 2), refine(y, 2), refine(z, 2)](60)
output finer_source = grad(h => inner(readout(slopes(h, "fd6"), disp, window = "pcs"), (f, g, f * g)))(fine)
output flat_source = grad(h => inner(readout(slopes(h, "fd2"), plane, window = "ngp"), plane))(white_noise[u, v](50))
output source_above = grad(h => inner(readout(above_y(h), disp, window = "ngp"), (f, g)))(f)
output source_below = grad(h => inner(readout(below_y(h), disp, window = "pcs"), (f, g)))(f)
