// RUN: %pmc --deterministic --precision=f64 -O0 %s -o %t && %t --out %t.out --quiet --format=npy --mesh row=3,col=2 > %t.txt && %python %S/check_sums.py %t.out %t.txt
// RUN: FileCheck %s < %t.txt
// Sums of numbers of very different sizes: as close to the true sum, which Python's fsum knows, as a number can be. What is not finite stays
// where it is.

mesh ranks(row = 1, col = 1)
layout x -> row, y -> col, p -> row
dim x = 31, y = 7, z = 5 over 1
dim p = 500 over 1
dim bin = 4
param zero = 0.0
param huge = 1e306

let w = white_noise[x, y, z](1)
output f = w * exp(12 * w)
print "total {:.17g}", sum(f)
output rows = sum(f, over = (y, z))
output below = sum(-abs(f), over = (y, z))
output binned = bins q in f into bin by mod(index(q, x), 4) => f

output u = white_noise[p](2)
output weight = exp(9 * white_noise[p](3))
output painted = paint_at[z](for d in dims(white_noise[z](1)) => 0.4 + 0.1 * u, window = "cic", weight = weight)

let one = map q in [x, y] => if index(q, x) == 3 and index(q, y) == 1 then 1 / zero else index(q, x)
// CHECK: infinite inf
print "infinite {}", sum(one)
// CHECK: lines inf 0 14 210
let lines = sum(one, over = y)
let clean = map q in [x] => if index(q, x) == 3 then 0 else lines
print "lines {} {} {} {}", max(lines), min(clean), sum(map q in [x] => if index(q, x) == 2 then clean else 0),
      max(clean)
// CHECK: nothing {{-?}}nan
print "nothing {}", sum(map q in [x] => if index(q, x) == 3 then zero / zero else 1)
// CHECK: large 1.24e+307
print "large {:.3g}", sum(map q in [x] => huge * (if mod(index(q, x), 2) == 0 then 2 else -1.3066666666666667))
// CHECK: beyond inf
print "beyond {}", sum(map q in [x] => 10 * huge)
