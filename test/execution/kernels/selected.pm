// RUN: %pmc %s -o %t --precision=f64
// RUN: %t --out %t.out --quiet && %python %S/check_selected.py %t.out 0.7 0.4
// RUN: %t --width=40 --threads=1 --out %t.out --quiet && %python %S/check_selected.py %t.out 40 0.4
// RUN: not %t --share=-1 --out %t.out --quiet 2>&1 | FileCheck %s
// CHECK: position is not finite, or too large
// Particles that are painted and read where `where` holds; the others are nowhere. On a mesh that is small beside them, on one that is
// not, from a lattice and at positions, with several weights, against NumPy.
param width = 0.7  "rms displacement in cells"
param share = 0.4  "those are painted of which a number is larger"

dim x = 32, y = 24, z = 40 over 40 Mpc/h
dim p = 20, q = 30 over 40 Mpc/h

let number = white_noise[x, y, z](1)
let up = number > share
let nowhere = 0 Mpc/h * log(number)
let disp = for d in (x, y, z) =>
  width * spacing(d) * white_noise[x, y, z](if d == x then 2 else if d == y then 3 else 4) + nowhere
let weights = (sqrt(number), white_noise[x, y, z](5))
let places = map r in up => (r[x] + disp[0], r[y] + disp[1])
let mesh = white_noise[p, q](6)

output number
output noise flatten = (white_noise[x, y, z](2), white_noise[x, y, z](3), white_noise[x, y, z](4))
output other = weights[1]
output mesh
output lattice flatten = paint(disp, weight = weights, where = up)
output finer = paint[refine(x, 2), refine(y, 2), refine(z, 2)](disp, where = up)
output flat flatten = paint_at[p, q](places, weight = weights, where = up)
output single = paint_at[p, q](places, where = up)
output read = readout_at(mesh, places, where = up)
