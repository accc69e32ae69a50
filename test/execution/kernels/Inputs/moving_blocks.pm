// Particles move by several cells in each step. A paint and a reading use the same positions. The second loop runs
// several times. Each run begins at other positions than those at which the previous run ended.
use fields
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
param steps: int = 5
dim x = 24, y = 20, z = 70 over 24

let start = for i in 1 .. 4 => 2 * white_noise[x, y, z](i)
let speed = for i in 4 .. 7 => white_noise[x, y, z](i)
fn moved(d, count: int) =
  loop d = d for i in 1 .. count + 1 => {
    let density = paint[x, y, z](d)
    d + speed + readout((density, 0.1 * density^2, 0 * density), d) / 1000
  }

let first = moved(start, steps)
output first
output second = loop d = first for i in 1 .. 4 => moved(0.5 * d - 20, 2)
