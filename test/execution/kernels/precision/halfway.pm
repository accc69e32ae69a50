// RUN: %pmc %s -o %t && %t --quiet | FileCheck %s --match-full-lines
// RUN: %pmc %s --precision=f64 -o %t && %t --quiet | FileCheck %s --match-full-lines

// A particle half-way between two cells is in the upper one for "ngp": on either side of 0, painted and read, on a lattice and free.
dim x = 6 over 6
dim y = 4 over 4
let f = map q in [x, y] => index(q, x) + 10 * index(q, y)
let (none, here) = map q in [x, y] => (0 * index(q, x), index(q, x))
let there = map q in [x, y] => index(q, y)
let right = paint((none + 0.5, none), window = "ngp", weight = f)
let left = paint((none - 0.5, none), window = "ngp", weight = f)
// CHECK: 20 21
print "{} {}", right[x = 1, y = 2], left[x = 1, y = 2]
// CHECK-NEXT: 22 20
print "{} {}", readout(f, (none + 0.5, none), window = "ngp")[x = 1, y = 2],
      readout(f, (none - 1.5, none), window = "ngp")[x = 1, y = 2]
// CHECK-NEXT: 20 21
print "{} {}", paint_at[x, y]((here + 0.5, there), window = "ngp", weight = f)[x = 1, y = 2],
      paint_at[x, y]((here - 0.5, there), window = "ngp", weight = f)[x = 1, y = 2]
// CHECK-NEXT: 22 20
print "{} {}", readout_at(f, (here + 0.5, there), window = "ngp")[x = 1, y = 2],
      readout_at(f, (here - 1.5, there), window = "ngp")[x = 1, y = 2]
