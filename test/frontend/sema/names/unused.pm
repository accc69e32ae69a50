// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Nothing is changed in place: an unused value is an error that says what to write.
param a = 1.0
dim x = 8
let s = 0.0
let n = 4
// CHECK: :[[#@LINE+2]]:1: error: the vector that this 'for' makes is not used, and nothing is changed in place; name it with 'let'
// CHECK: :[[#@LINE+1]]:1: note: a loop carries what changes: let end = loop s = s for i in 0 .. n => s + i
for i in 0 .. n {s = s + i}
// CHECK: :[[#@LINE+2]]:1: error: the vector that this 'for' makes
// CHECK: :[[#@LINE+1]]:1: note: a loop carries what changes: let end = loop (s, a) = (s, a) for i in 0 .. 2 n => (a, s)
for i in 0 .. 2 n {s = a, a = s}
// CHECK: :[[#@LINE+1]]:1: error: the vector that this 'for' makes is not used
for d in (1, 2) => d
// CHECK-NOT: note
// CHECK: :[[#@LINE+1]]:3: error: this value is not used, and nothing is changed in place; name it with 'let', or leave it out
a + 1
// CHECK: :[[#@LINE+1]]:1: error: this value is not used
fft(white_noise[x](1))
// CHECK: :[[#@LINE+1]]:3: error: this value is not used, and nothing is changed in place; check it with 'assert', or leave it out
a > 0
// CHECK: :[[#@LINE+1]]:1: error: this value is not used, and nothing is changed in place; call it with its arguments in (…), or leave it out
show
// CHECK: :[[#@LINE+1]]:1: error: this value is not used
loop u = 0 for i in 0 .. 3 => u + i
fn shift(f) {
  // CHECK: :[[#@LINE+1]]:5: error: this value is not used
  f + 1
  f
}
let moved = shift(a)
if a > 0 {
  // CHECK: :[[#@LINE+1]]:3: error: this value is not used
  sin(a)
}
// CHECK: :[[#@LINE+1]]:34: error: this value is not used
let mapped = map q in [x] => { 2 q[x]; q[x] }
// CHECK-NOT: error
// Calls for what they print or assert, with a value or without, and procedures that have nothing to say this time.
fn show(u) { print "{}", u }
fn logged(u) { assert u > 0, "negative"; u }
fn quiet(u) { if false { print "{}", u } }
show(a)
logged(a)
quiet(a)
if a > 2 { show(2) }
// A 'for' that calls a function is one of these calls in each iteration.
for i in 0 .. 3 { show(i) }
for i in 0 .. 2 => logged(a + i)
param turns: int in [1, 9] = 2
for i in 0 .. turns { show(i) }
