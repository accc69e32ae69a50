// RUN: %pmc %s --precision=f64 -o %t
// RUN: %t --mesh row=1,col=1 --out %t.out
// RUN: %t --mesh row=2,col=2 --transport=threads --out %t.out
// RUN: %t --mesh row=3,col=1 --transport=threads --out %t.out
// RUN: %t --mesh row=3,col=2 --transport=threads --out %t.out
// Particles that no layout splits, in a batch with fewer cells than there are ranks, are split along their longest dim.
// They are on the nodes, so that every node has the weight of one.
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
dim coil = 3, sample = 24
dim x = 6 over 6
dim y = 4 over 4
let row = map q in [sample] => floor(index(q, sample) / 4)
let column = map q in [sample] => index(q, sample) - 4 floor(index(q, sample) / 4)
let weight = map q in [coil, sample] => 1 + index(q, coil) + 0.1 * index(q, sample)
let painted = paint_at[coil, x, y]((row, column), weight = weight)
let wanted = map q in [coil, x, y] => 1 + index(q, coil) + 0.1 * (4 * index(q, x) + index(q, y))
assert max(abs(painted - wanted)) < 1e-12, "off by {}", max(abs(painted - wanted))
fn energy(w) = sum(paint_at[coil, x, y]((row, column), weight = w)^2)
assert max(abs(grad(energy)(weight) - 2 * weight)) < 1e-12
