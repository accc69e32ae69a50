// A loop of a thousand short iterations.
use fields
dim x = 32, y = 32, z = 32 over 100 Mpc/h
mesh ranks(row = 1)
layout x -> row
let f = white_noise[x, y, z](3)
let s = loop s = f for i in 0 .. 2000 checkpoint every 100 => smooth(s, 1 Mpc/h) + 0.1 f
output s
