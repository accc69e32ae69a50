// RUN: %pmc %s --sizes=lattice=1 -o %t && %pmc %s --sizes=lattice=1048576 -o %t.rows
// RUN: %python %S/check_far_blocks.py %t %t.rows %t.out
// Particles of a block that are all equally far from their sites touch a small box of cells. f32 does not tell cells apart beyond 2^24. The positions are
// then read and painted as in rows.

param far = 1
dim x = 24, y = 20, z = 32 over 64
let f = for i in 0 .. 2 => white_noise[x, y, z](i)
let d = for d in (x, y, z) => far * spacing(d) * (1 + 0 * white_noise[x, y, z](5))
let r = readout(f, d)
output r0 = r[0]
output r1 = r[1]
output mass = paint[x, y, z](d, weight = f[0])
