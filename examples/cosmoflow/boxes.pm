// The boxes that cosmoflow.pm learns from, as a set of samples in files: streamed.pm learns from these.

use boxnet

const n: int in [8, 512] = 32        "particles and cells a side"
const doublings: int in [3, 16] = 8  "2^doublings simulations to learn from"
const kept: int in [2, 4096] = 64    "other simulations, for the errors"

param cell: length in (0, inf) = 6 Mpc/h  "side of a cell"
param seed: u64 = 1                       "of the universes"

dim box = 2^doublings, held = kept, answer = 2
dim x = n, y = n, z = n over n * cell
mesh ranks(space = 1)
layout x -> space

output maps = (loop _ = 0.0 for i in box => _ stacking learnt_box[x, y, z](i, seed))[1]
output held_maps = (loop _ = 0.0 for i in held => _ stacking held_box[x, y, z](i, kept, seed))[1]
output answers =
  map q in [box, answer] => if index(q, answer) == 0 then target(index(q, box))[0] else target(index(q, box))[1]
output held_answers = map q in [held, answer] =>
  if index(q, answer) == 0 then held_target(index(q, held), kept)[0] else held_target(index(q, held), kept)[1]
