// RUN: %pmc %s -o %t
// RUN: not %t --out %t.out 2>&1 | FileCheck %s
// An assertion without a text says what is wrong, too.
param a: f64 = 1
// CHECK: plain_assert.pm:[[#@LINE+1]]:1: error: the assertion does not hold
assert a > 2
print "{}", a
