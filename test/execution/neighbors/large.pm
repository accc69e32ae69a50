// RUN: %pmc %s -o %t
// RUN: %t --quiet --out %t.out --threads=1
// RUN: %t --quiet --out %t.out --threads=1 --mesh row=2 --transport=threads
// Cells beyond 2^25 are told apart exactly, which f32 could not.
dim x = 33554437
dim p = 40, far = 5, u = 2
mesh ranks(row = 1)
layout x -> row

// Of a cell: 0 to 1020, which f32 has.
fn mark(i) = i - 1021 * floor(i / 1021)
let f = map q in [x] => mark(index(q, x))
fn wrapped(i) = if i >= cells(x) then i - cells(x) else i
assert max(abs((map q in [x] => mark(wrapped(index(q, x) + 3))) - f[x + 3])) == 0, "a neighbor"
assert max(abs((map q in [p] => mark(index(q, p) + 33554397)) - f[x = p + 33554397])) == 0, "a part at the end"
assert max(abs((map q in [far] => mark(8388608 * index(q, far) + 4)) - f[x = 8388608 * far + 4, edge = "clamp"])) == 0,
       "a stride"
assert max(abs((map q in [p, u] => mark(16777217 * index(q, u) + index(q, p) + 16777180)) -
               f[x = 16777217 * u + p + 16777180])) == 0, "blocks"
assert f[x = 33554436] == mark(33554436), "a cell"
let last = map q in [p] => f[x = p + 33554400, edge = -1]
assert max(abs((map q in [p] => if index(q, p) + 33554400 < 33554437 then mark(index(q, p) + 33554400) else -1) -
               last)) == 0, "beyond the end"
// Back: each cell counts the readings of it.
let back = vjp(f => f[x = p + 33554397])(f, cotangent = 1 + 0 * f[x = p + 33554397])[1]
assert sum(map q in f => if index(q, x) >= 33554397 then back - 1 else back) == 0, "an adjoint"
