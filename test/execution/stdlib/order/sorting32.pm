// RUN: %pmc --precision=f32 %s -o %t.prog && %t.prog --out=%t.out --mesh row=2 --transport=threads --quiet
// Sorts of single precision: in order, with the same elements as before.
use math
dim x = 700, y = 60
mesh ranks(row = 1)
layout x -> row
let f = white_noise[x, y](1)
let s = sort(f, x)
let d = sort(f, y, order = "descending")
assert all(map q in s => s <= s[x + 1, edge = "clamp"]), "sorted along x"
assert all(map q in d => d >= d[y + 1, edge = "clamp"]), "sorted along y"
assert all(s == f[x = argsort(f, x)]) and all(d == f[y = argsort(f, y, order = "descending")]), "the order"
assert all(f == s[x = ranks(f, x)]), "the ranks"
assert abs(sum(s) - sum(f)) < 1e-9 and abs(sum(d^3) - sum(f^3)) < 1e-9, "the same elements"
assert sum(ranks(f, x)) == cells(y) * cells(x) * (cells(x) - 1) / 2, "all ranks"
