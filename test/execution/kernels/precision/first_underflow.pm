// RUN: %pmc --check-finite %s -o %t && not %t --out %t.out 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: %pmc --check-finite --precision=f64 %s -o %t && %t --out %t.out 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: %pmc %s -o %t && %t --out %t.out 2>&1 | FileCheck %s --check-prefix=WIDE

// A product that is 0 everywhere although no factor is has left the range of f32. One that is 0 because a factor is has not.
dim x = 8, y = 8 over 1
let left = map q in [x, y] => if index(q, x) < 4 then 1e-25 else 0
let nothing = left * (1e-20 - left)
let zero = 0 * left
let some = 1e-25 * (10 + white_noise[x, y](1))
let ratio = 1e-25 / (1e-10 + some)
fn square(f) = {
  // FIRST: first_underflow.pm:[[#@LINE+1]]:5: error: this is the first value that is 0 everywhere although its operands are 0 nowhere
  f * some
}
output g = nothing + zero + ratio + square(some)
// WIDE-NOT: error
// WIDE: done
