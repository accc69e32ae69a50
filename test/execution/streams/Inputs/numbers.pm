param first: int = 2
dim s = 7, b = 4, x = 6, y = 5
mesh ranks(row = 1, col = 1)
layout b -> row, x -> col

input data: field[s, x, y] streamed              "samples that the spec counts"
input waves: complex field[wave, y, x] streamed  "as many as there are"
input ranks_of: int field[row, x] streamed

let order = map q in [b] => mod(5 * int(index(q, b)) + first, 7)
output one = data[s = first]
output several = data[s = order]
output behind = data[s = 2 * b]
output shown = several[x + 1] - data[s = order][y = 2]
output last = waves[wave = cells(waves) - 1]
output counts = (cells(data), cells(waves), cells(ranks_of))
output whole = ranks_of[row = first]

// All of them, one after the other, and in batches.
output sums = loop t = zeros[x, y] for i in 0 .. cells(data) => t + (i + 1) * data[s = i]
output pairs = loop t = zeros[x, y] for i in 0 .. 3 => t + data[s = 2 * i] * data[s = 2 * i + 1]
output batches =
  loop t = zeros[b, x, y] for i in 0 .. 5 => t + data[s = map q in [b] => mod(4 * i + int(index(q, b)), 7)]
let (_, stack) = loop _ = 0.0 for i in s => _ stacking mean(data[s = i])
output means = stack

// A gradient with respect to weights, through a loop over samples too.
fn loss(w, i) = sum((w * data[s = i] - 1)^2)
output slope = grad(loss)(0.5 + zeros[x, y], first)
fn all(w) = loop t = 0.0 for i in 0 .. 7 => t + sum(w * data[s = i]^2) * w^2
output slope_of_all = grad(all)(0.7)
output along = jvp(all)(0.7, tangent = 2)[1]
fn carried(u) = sum((loop u = u for i in 0 .. 7 => u * data[s = i] + 0.5)^2)
output slope_by_start = grad(carried)(1 + zeros[x, y])
