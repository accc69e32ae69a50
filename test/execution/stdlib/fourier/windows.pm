// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet && %python %S/check_windows.py %t.out
// Paint, readout, overdensity, positions and velocities against the replay's.

use fields, particles

dim x = 12, y = 12, z = 12 over 60 Mpc/h

let noise = white_noise[x, y, z](5)
let disp = for d in (x, y, z) => (4 Mpc/h) * white_noise[x, y, z](index_of(d))
let s = {disp = disp, mom = 0.1 disp}

fn index_of(d) = if d == x then 1 else if d == y then 2 else 3

output noise
output disp flatten
output ngp = overdensity(s, window = "ngp")
output cic = overdensity(s)
output tsc = overdensity(s, window = "tsc")
output fine = overdensity(s, boost = 2)
output weighted = paint[x, y, z](disp, weight = noise)
output read_ngp = readout(noise, disp, window = "ngp")
output read_cic = readout(noise, disp)
output read_tsc = readout(noise, disp, window = "tsc")
output at = paint_at[x, y, z](positions(s))
output read_at = readout_at(noise, positions(s))
output position flatten = positions(s)
output velocity flatten = velocities(s, 0.5)
