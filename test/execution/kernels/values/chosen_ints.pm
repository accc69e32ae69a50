// RUN: %pmc -O0 %s -o %t && %t --quiet | FileCheck %s --match-full-lines
// Remainders and quotients of ints that are chosen in a map. The int of a value that is not a number has none, in either branch.
dim x = 4
let v = map q in [x] => if index(q, x) == 3 then log(index(q, x) - 4) else 1.5 * index(q, x)
let n = map q in [x] => mod(if index(q, x) > 1 then 7 else int(v), 4)
let m = map q in [x] => mod(if index(q, x) > 1 then int(v) else 7, 4)
let k = map q in [x] => div(if index(q, x) > 1 then 7 else int(v), 2)
// CHECK: 0 1 3 3
print "{} {} {} {}", n[x = 0], n[x = 1], n[x = 2], n[x = 3]
// CHECK-NEXT: 3 3 3 -9223372036854775808
print "{} {} {} {}", m[x = 0], m[x = 1], m[x = 2], m[x = 3]
// CHECK-NEXT: 0 0 3 3
print "{} {} {} {}", k[x = 0], k[x = 1], k[x = 2], k[x = 3]
