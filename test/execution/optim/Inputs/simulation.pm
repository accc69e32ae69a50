// A simulation that takes a while and keeps its states, and a loop behind it that does.
use cosmology, fields, lpt, nbody
param seed: u64 = 3
dim x = 48, y = 48, z = 48 over 150 Mpc/h
mesh ranks(row = 1)
layout x -> row
let c = cosmology()
let start = lpt(c, smooth(white_noise[x, y, z](seed), 2 Mpc/h), 0.1)
let final = nbody(c, start, from = 0.1, to = 1, steps = 60, checkpoint = 4)
let density = paint[x, y, z](final.disp)
let (u, least) = loop (u, least) = (density, 1e9) while least > 1.05 checkpoint every 3 => {
  let next = smooth(u, 3 Mpc/h)
  (next, max(next))
}
output disp = final.disp
output mom = final.mom
output u
output least
