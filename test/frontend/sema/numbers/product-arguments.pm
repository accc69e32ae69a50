// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// The product of nine numbers is refused, not that of the first eight given.
use math
param a: f64 = 1
let v = for i in 0 .. 8 => a + i
print "{}", product(v)
let w = for i in 0 .. 9 => a + i
// CHECK-NOT: error
// CHECK: :[[#@LINE+1]]:13: error: the index of a component must be from 0 to 8, not -1
print "{}", product(w)
// CHECK: note: found here, in 'product'
// CHECK: 8 components at most
