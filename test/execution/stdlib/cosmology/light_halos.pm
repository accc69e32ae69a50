// RUN: %pmc %s -O0 -o %t --precision=f64 && %python %S/../../ranks/on_meshes.py %t %t.out 1e-10 1x1 3x1 2x2
// RUN: %python %S/check_light_halos.py %t.out/1x1
// For particles at rest, each halo of the box is complete in each turned copy on the light cone, also at the borders of copies.

use cosmology, power, fields, lpt, lensing

dim x = 16, y = 16, z = 16 over 60 Mpc/h
dim step = 3, list = 8000, copy = 4
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col

let c = flat_lcdm()
let time = equal_shells(c, 235 Mpc/h, 3, near = 45 Mpc/h)
let start = lpt(c, gaussian_field[x, y, z](spectrum(eisenstein_hu(c)), 5), a = 1)
output disp = for u in start.disp => number(u, 1 Mpc/h)
output turns flatten = {turn = for i in 0 .. 3 =>
  for j in 0 .. 3 => map q in [copy] => turned_copies(4)(index(q, copy)).turn[i][j]
                        shift = for i in 0 .. 3 => map q in [copy] => turned_copies(4)(index(q, copy)).shift[i]}
let still = for u in start.disp => 0 * u
let keep = keep_catalog[step, list](beyond = 15 Mpc/h)
let seen = loop sum = empty_catalog[step, list]() for i in 0 .. 3 =>
  sum + keep(light_of(start.disp, still, shell_of(c, time, i), turned_copies(4), 5))
output catalog flatten = {pos = for u in seen.pos => number(u, 1 Mpc/h), copy = seen.copy, exists = seen.exists}
