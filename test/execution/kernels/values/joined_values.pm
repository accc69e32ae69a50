// RUN: %pmc %s -o %t && %t --out %t.out | FileCheck %s --match-full-lines

// Fields of bins and catalogs, which are f64 in a program of f32, where fields of f32 are expected; records with members in another order; dims that
// a let names; what is beyond two edges of cells that elements give.
use fields
dim x = 8, y = 6 over 1
dim b = 4
let f = map q in [x, y] => index(q, x) + 10 * index(q, y)

let (sums, counts) = bins q in f into b by index(q, x) / 2 => (f, 1)
// The mean of the squares of 306, 330, 354 and 378.
// CHECK: 117684
print "{:.6}", sum(norm2(fft(sums)))
// CHECK-NEXT: 1368
print "{:.4}", sum(ifft(fft(sums)))
let (cat, count) = collect q in f where f > 50 into 8 => (q[x], q[y], f)
// Seven particles of weights 51 to 57, and one at the origin without weight.
let painted = paint_at[x, y]((cat[0], cat[1]), weight = cat[2])
// CHECK-NEXT: 7 378 54
print "{} {:.4} {:.4}", count, sum(painted), painted[x = 4, y = 5]
// CHECK-NEXT: 378
print "{:.4}", sum(readout_at(f, (cat[0], cat[1])))

// Loops and branches keep the higher precision.
let grown = loop s = zeros[b] for i in 0 .. 3 => s + counts
let chosen = if sum(f) > 0 then zeros[b] else counts
// CHECK-NEXT: 144 0
print "{} {}", sum(grown), sum(chosen)
// f32 has no odd numbers from 2^24 on.
let odd = counts + 16777217
let (one, other) = (if sum(f) > 0 then odd else zeros[b], if sum(f) < 0 then zeros[b] else odd)
// CHECK-NEXT: 16777229 16777229 16777229
print "{} {} {}", max(one), max(other), max(loop s = zeros[b] for i in 0 .. 2 => odd)
fn squares(s) = sum(s^2)
// CHECK-NEXT: 96
print "{}", jvp(squares)(zeros[b] + 1, tangent = counts)[1]

let first = {u = f, v = 2.0}
let second = {v = 3.0, u = 2 * f}
let both = first + second
// CHECK-NEXT: 5 4104 6
print "{} {} {}", both.v, sum(both.u), inner({u = 1.0, v = 2.0}, {v = 3.0, u = 0.0})
let carried = loop r = first for i in 0 .. 2 => {v = r.v + 1, u = r.u}
let taken = if sum(f) > 0 then second else first
// CHECK-NEXT: 4 3
print "{} {}", carried.v, taken.v
// CHECK-NEXT: 6
print "{}", jvp(r => r.u * r.v)({u = 1.0, v = 2.0}, tangent = {v = 2.0, u = 2.0})[1]

let along = x
fn at(f, i) = f[along = i]
// CHECK-NEXT: 16 16 16 16
print "{} {} {} {}", f[along = 6, y = 1], at(f, 6)[y = 1], shift(f, along = 1)[x = 7, y = 1],
      slice(f, along = 6 .. 7)[y = 1]

// Outside of both edges the dim that is named first decides.
let (p, r) = map q in f => (int(index(q, x)) - 1, int(index(q, y)) - 1)
let zero_first = f[x = p, y = r, edge = ("zero", 5)]
let five_first = f[y = r, x = p, edge = (5, "zero")]
// CHECK-NEXT: 0 5 5 0
print "{} {} {} {}", zero_first[x = 0, y = 0], zero_first[x = 1, y = 0], five_first[x = 0, y = 0],
      five_first[x = 0, y = 1]
