// RUN: %pmc %s -o %t
// RUN: not %t --out %t.out > %t.txt 2>&1; FileCheck %s < %t.txt
// RUN: %t --rate=0.3 --out %t.out > %t.good; FileCheck %s --check-prefix=GOOD < %t.good
// RUN: %t --rate=1.1 --out %t.out > %t.up; FileCheck %s --check-prefix=UP < %t.up
// A fit that diverges says so.
use optim
param rate = 100
dim x = 8, y = 8
// CHECK: :[[#@LINE+1]]:1: error: the fit of s diverges: the loss is {{(inf|nan|-nan)}} in iteration
optimize s from white_noise[x, y](1) minimizing sum(s^2) with gradient_descent(rate) for 40 iterations
// GOOD: s: iteration 0, loss
// GOOD-NOT: diverges
// UP: s: diverges: the loss rose from {{.*}} to {{.*}} in the stage that ends with iteration 39
output s
