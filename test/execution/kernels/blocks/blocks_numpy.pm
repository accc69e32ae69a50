// RUN: %pmc %s --sizes=lattice=1,cells=64 --precision=f64 -o %t && %t --quiet --format=npy --out %t.out && %python %S/check_blocks.py %t.out 1e-13
// RUN: %t --quiet --format=npy --out %t.out --far=40 && %python %S/check_blocks.py %t.out 1e-12
// RUN: %t --quiet --format=npy --out %t.out --far=40 --mesh row=3,col=2 && %python %S/check_blocks.py %t.out 1e-12
// RUN: %t --quiet --format=npy --out %t.out --mesh row=12 && %python %S/check_blocks.py %t.out 1e-13
// Two meshes read, and two meshes painted, in blocks of lattice sites, near the sites and around the box, on whole and on split meshes, against
// NumPy.

mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
param far = 1.7
dim x = 240, y = 252 over 10
let f = for i in 0 .. 2 => white_noise[x, y](i)
let d = for d in (x, y) => far * spacing(d) * white_noise[x, y](if d == x then 5 else 6)
output f0 = f[0]
output f1 = f[1]
output l0 = d[0]
output l1 = d[1]
let r = readout(f, d)
output r0 = r[0]
output r1 = r[1]
output p = paint[x, y](d)
output w = paint[x, y](d, weight = f[0])
