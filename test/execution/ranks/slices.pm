// RUN: %pmc %s --precision=f64 -o %t
// RUN: %t --quiet && %t --quiet --mesh row=2,col=2 --transport=threads && %t --quiet --mesh row=3,col=2 --transport=threads
// RUN: %t --quiet --mesh row=5,col=1 --transport=threads --first=4 --last=5 && %t --quiet --mesh row=4,col=1 --transport=threads --first=0 --last=9

// Parts of a split dim that begin and end within a rank, on one rank, and at the ends: sums of what belongs to them.
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
dim x = 9, y = 4, z = 3
param first: int = 2
param last: int = 7
let f = white_noise[x, y, z](1)
fn inside(q, from, to) = if index(q, x) >= from and index(q, x) < to then 1 else 0
let part = slice(f, x = first .. last)
assert max(abs(part - sum(map q in f => f * inside(q, first, last), over = x) / (last - first))) < 1e-14
let one = slice(f, x = first)
assert max(abs(one - sum(map q in f => f * inside(q, first, first + 1), over = x))) < 1e-14
let known = slice(f, x = 1 .. 8)
assert max(abs(known - sum(map q in f => f * inside(q, 1, 8), over = x) / 7)) < 1e-14
let last_dim = slice(map q in [z, y, x] => f, x = first .. last)
assert max(abs(last_dim - sum(map q in [z, y, x] => f * inside(q, first, last), over = x) / (last - first))) < 1e-14
assert abs(mean(known) - mean(map q in f => f * inside(q, 1, 8) * 9 / 7)) < 1e-14
