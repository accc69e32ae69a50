// RUN: %pmc %s -o %t && %t --out %t.out --quiet
// Cells at the ends of the longest dims that positions, displacements and bins in f32 are allowed.
param where: int = 16777300

dim a = 2097152 over 77.7 Mpc/h  // a spacing that is not a binary fraction
dim c = 16777216
dim d = 16777320
dim t = 20

// Every node is read from its own cell.
let fa = white_noise[a](1)
assert max(abs(readout_at(fa, map q in [a] => q[a], window = "ngp") - fa)) == 0
let last = map q in [t] => 16777196 + index(q, t)
assert sum(readout_at(map q in [c] => max(index(q, c) - 16777195, 0), last, window = "ngp")) == 210

// Displacements are no positions: half a cell is half a cell, also where f32 has even numbers only.
let fd = map q in [d] => if index(q, d) >= where then 1.0 else 0.0
assert sum(readout(fd, constant[d](0.5))^2) == 19.5

// Bins that are computed in f64.
let counts = bins q in [t] into 16777320 by where + index(q, t) => index(q, t)
assert sum(map q in counts => (index(q, dims(q)[0]) - where) * counts) == 2470
