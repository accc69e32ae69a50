// RUN: %pmc %s --precision=f64 -o %t
// RUN: %python %S/check_long_dim.py %t %t.out
// A paint on one long dim, whose particles are sorted by runs of cells: right, on several ranks too, and in little memory,
// which the plan reports.

mesh ranks(row = 1)
dim x = 4000000 over 4e6
dim p = 50000
layout x -> row, p -> row

let noise = white_noise[p](1)
let place = for d in dims(zeros[x]) => 4e6 * noise
let mass = white_noise[p](2)
let mesh = paint_at[x](place, window = "pcs", weight = mass)
output noise
output mass
output mesh
