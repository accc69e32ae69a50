// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.out --quiet
// A map whose sides differ in cells and length: its rays begin half a side before the middle, along both.

use cosmology, lensing

dim u = 6 over 4 deg
dim v = 10 over 9 deg

let (a, b) = rays[u, v]()
let i = map q in a => index(q, u)
let j = map q in a => index(q, v)
assert max(abs(a - 4 deg * (i / 6 - 0.5))) < 1e-14, "the first angle is off by {}", max(abs(a - 4 deg * (i / 6 - 0.5)))
assert max(abs(b - 9 deg * (j / 10 - 0.5))) < 1e-14, "the second angle is off by {}",
       max(abs(b - 9 deg * (j / 10 - 0.5)))
assert abs(min(a) + 2 deg) < 1e-14 and abs(min(b) + 4.5 deg) < 1e-14, "the map begins at {} and {}", min(a), min(b)
