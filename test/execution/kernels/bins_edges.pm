// RUN: %pmc %s --precision=f64 -o %t && %t --out %t.out --quiet
// What belongs to no bin is left out, below 0 as beyond the last: the sums, and the gradients of a loss of them with
// respect to what is summed, are those of the maps that say which element belongs where.

dim x = 40

const bins_count = 5
let f = white_noise[x](1)
let weights = white_noise[x](2)
fn place(i) = (i - 11) / 3  // -3.67 ... 9.33
fn sums(f) = bins q in f into bins_count by place(index(q, x)) => f^2
fn loss(f) = sum(sums(f)^2)

let p = sums(f)
fn in_bin(f, b) = sum(map q in f => if place(index(q, x)) >= b and place(index(q, x)) < b + 1 then f^2 else 0)
let expected = for b in 0 .. bins_count => in_bin(f, b)
assert abs(sum(p) - total(expected)) < 1e-12, "sums {} and {}", sum(p), total(expected)
assert abs(sum(p^2) - norm2(expected)) < 1e-12, "squares {} and {}", sum(p^2), norm2(expected)

// d loss/d f = 2 p_b 2 f, and 0 outside.
let exact = map q in f => 4 f * total(for b in 0 .. bins_count =>
  if place(index(q, x)) >= b and place(index(q, x)) < b + 1 then expected[b] else 0)
let g = grad(loss)(f)
assert max(abs(g - exact)) < 1e-12, "the gradient is off by {}", max(abs(g - exact))
let second = jvp(grad(loss))(f, tangent = weights)[1]
let moved = (grad(loss)(f + 1e-5 * weights) - grad(loss)(f - 1e-5 * weights)) / 2e-5
assert max(abs(second - moved)) < 1e-6 * max(abs(second)), "the gradient's derivative is off by {}",
       max(abs(second - moved))

// What no int holds is in no bin, whether the compiler or the program finds it.
let ones = map q in [x] => 1.0
fn counted(i) = sum(bins q in ones into bins_count by i * ones => 1)
param nothing = 0.0
assert counted(1.5) == 40 and counted(-1e30) == 0 and counted(1e30) == 0, "too large"
assert sum(bins q in ones into bins_count by ones / 0 => 1) == 0, "infinite, as the compiler knows"
assert sum(bins q in ones into bins_count by ones / nothing => 1) == 0, "infinite"
assert sum(bins q in ones into bins_count by nothing / (ones - 1) => 1) == 0, "not a number"

// Of bins over two dims, an index out of range along one dim alone is in no bin, either: not in the row before or behind.
dim row = 3, column = 4
let outside = bins q in ones into (row, column) by (mod(index(q, x), 3), div(index(q, x), 3) - 2) => 1
assert max(abs(outside - 1)) == 0 and sum(outside) == 12, "outside of a row: {} to {}", min(outside), max(outside)

// The dim of bins is as long as it has bins, and so is a refinement of it: what is read with it as a batch stays in its cell.
let fine = refine(dims(p)[0], 2)
assert length(fine) == 5 and spacing(coarsen(dims(p)[0], 5)) == 5, "lengths {} and {}", length(fine),
       spacing(coarsen(dims(p)[0], 5))
let both = map q in [x, fine] => index(q, x) + 100 index(q, fine)
let same = readout_at(both, for d in (x) => map q in [x] => index(q, x) * spacing(x), "ngp")
assert max(abs(sum(same, over = x) - sum(both, over = x))) == 0, "batches are mixed"
