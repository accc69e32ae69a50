// RUN: %pmc -O0 %s -o %t && %t --quiet | FileCheck %s --match-full-lines
// A field of ints selects records and tuples. Each member of the result has the dims of the ints and its own dims. Members may be in
// any order, and values that are not selected may be NaN.
dim c = 3, x = 2
let number = map q in [c] => int(mod(int(index(q, c)), 2))
let a = {f = map q in [c, x] => 10.0 * index(q, c) + index(q, x), m = map q in [c] => -1.0 * index(q, c),
         v = (1.0, map q in [x] => index(q, x) + 5.0)}
let b = {m = sqrt(0 * a.m - 1), v = (7.0, 0 * a.f - 2), f = sqrt(0 * a.m - 1)}
let chosen = (a, b)[number]
// CHECK: 0 1 20 21
print "{} {} {} {}", chosen.f[c = 0, x = 0], chosen.f[c = 0, x = 1], chosen.f[c = 2, x = 0], chosen.f[c = 2, x = 1]
// CHECK-NEXT: 0 -2 1 7 1
print "{} {} {} {} {}", chosen.m[c = 0], chosen.m[c = 2], chosen.v[0][c = 0], chosen.v[0][c = 1], chosen.v[0][c = 2]
// CHECK-NEXT: 5 6 -2 -2 6
print "{} {} {} {} {}", chosen.v[1][c = 0, x = 0], chosen.v[1][c = 0, x = 1], chosen.v[1][c = 1, x = 0],
      chosen.v[1][c = 1, x = 1],
      chosen.v[1][c = 2, x = 1]
// CHECK-NEXT: 0 0
print "{} {}", if chosen.f[c = 1, x = 0] == chosen.f[c = 1, x = 0] then 1 else 0,
      if chosen.m[c = 1] == chosen.m[c = 1] then 1 else 0
