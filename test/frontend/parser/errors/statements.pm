// RUN: not %pmc --emit=ast %s 2>&1 | FileCheck %s
// What begins a statement, what ends it, and where it may stand.

// CHECK: :[[#@LINE+1]]:1: error: functions are declared with 'fn'
def foo(x):
// CHECK: note: as in 'fn square(x) = x^2'
// CHECK: :[[#@LINE+1]]:1: error: a block's value is its last expression, without 'return'
return x
// CHECK: :[[#@LINE+1]]:1: error: modules are named with 'use'
import numpy
// CHECK: note: as in 'use cosmology, spectra'
// CHECK: :[[#@LINE+1]]:1: error: names are given with 'let'
var a = 3
// CHECK: :[[#@LINE+1]]:1: error: names are given with 'let'
b = 3
// CHECK: note: write 'let b = ...'; a name keeps its value
// CHECK: :[[#@LINE+1]]:1: error: 'outptu' begins no statement
outptu density = 3
// CHECK: note: did you mean 'output'?
// CHECK: :[[#@LINE+1]]:5: error: expected the end of the line, found 'bar'
foo bar
if a { print "a" }
// CHECK: :[[#@LINE+1]]:1: error: 'elif' is written 'else if'
elif b { print "b" }
// CHECK: :[[#@LINE+1]]:1: error: 'else' without 'if'
else { print "c" }
// CHECK: :[[#@LINE+1]]:1: error: 'then' without 'if'
then c
let c = a
// CHECK: :[[#@LINE+1]]:3: error: this line does not continue the line above
  + b
// CHECK: note: a line goes on in the next if it ends with an operator or a comma, and inside '( )' and '[ ]'
let d = a
// CHECK: :[[#@LINE+1]]:3: error: this line does not continue the line above
  - b
let e = f
// CHECK: :[[#@LINE+1]]:3: error: this line does not continue the line above
  (a, b)
let g = a
// CHECK: :[[#@LINE+1]]:1: error: this line does not continue the line above
and b
// CHECK: :[[#@LINE+2]]:3: error: 'param' is allowed only at the top level
if a {
  param b = 3
// CHECK: :[[#@LINE+1]]:3: error: 'fn' is not allowed in an 'if'; define the function before it
  fn h(x) = x
}
let i = {
// CHECK: :[[#@LINE+1]]:3: error: 'output' is allowed only at the top level, or in an 'if' or a loop there
  output a = 3
// CHECK: :[[#@LINE+1]]:3: error: 'dim' is allowed only at the top level
  dim x = 3
  // Not even here.
  if a {
// CHECK: :[[#@LINE+1]]:5: error: 'plot' is allowed only at the top level, or in an 'if' or a loop there
    plot b
  }
  3
}
// CHECK: :[[#@LINE+1]]:15: error: expected both ends of the axis: 0.1 .. 10
plot i crange 3
// CHECK-NOT: error:
