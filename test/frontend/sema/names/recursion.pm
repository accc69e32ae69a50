// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Functions that lead back to themselves.
// CHECK: :[[#@LINE+2]]:11: error: 'f' leads back to itself: recursion is not possible, use a loop
// CHECK: :[[#@LINE+1]]:4: note: 'f' is defined here
fn f(x) = f(x - 1)
fn a(x) = b(x)
fn b(x) = if x > 0 then c(x) else 0
// CHECK: :[[#@LINE+2]]:11: error: 'a' leads back to itself: recursion is not possible, use a loop
// CHECK: :[[#@LINE-3]]:4: note: 'a' is defined here
fn c(x) = a(x) + 1
let y = 3
