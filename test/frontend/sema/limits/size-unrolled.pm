// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Unrolled loops are bounded altogether.
// CHECK: :[[#@LINE+1]]:37: error: the unrolled loops of this program have more than 100000 iterations
let a = for i in 0 .. 1000 => total(for j in 0 .. 1000 => i * j)
let b = 1 + "not reached"
