// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
use optim
param n: int = 3
dim x = 8, y = 8 over 10 Mpc/h
let w = white_noise[x, y](1)
// CHECK: :[[#@LINE+1]]:46: error: 'with' requires an optimizer, as adam() of the module 'optim': a record with functions 'start' and 'step', not int
optimize a1 from w minimizing sum(a1^2) with 3 for 10 iterations
// CHECK: :[[#@LINE+1]]:47: error: 'with' requires an optimizer, as adam() of the module 'optim': a record with functions 'start' and 'step', not record {start}
optimize a2 from w minimizing sum(a2^2) with ({start = s => s}) for 10 iterations
// CHECK: :[[#@LINE+1]]:57: error: the number of iterations must be known when the spec is compiled
optimize a3 from w minimizing sum(a3^2) with adam() for n iterations
// CHECK: :[[#@LINE+1]]:57: error: the number of iterations must be from 1 to 1073741824, not 0
optimize a4 from w minimizing sum(a4^2) with adam() for 0 iterations
// CHECK: :[[#@LINE+1]]:26: error: 'optimize' requires pure numbers as unknowns, not field[x, y] in Mpc/h; divide it by its scale
optimize a5 from 3 Mpc/h * w minimizing sum(a5^2) with adam() for 10 iterations
// CHECK: :[[#@LINE+1]]:18: error: there is no derivative with respect to 'a6', which is int; expected numbers, fields or tables
optimize a6 from n minimizing a6^2 with adam() for 10 iterations
// CHECK: :[[#@LINE+1]]:62: error: the stages are numbers, not (int, field[x, y])
optimize a7 from w minimizing sum(a7^2) with adam() for r in (1, w), 10 iterations
// CHECK: :[[#@LINE+5]]:62: error: 'for' requires equal units, not 1 and Mpc/h
// CHECK: :[[#@LINE+4]]:62: note: this is a pure number
// CHECK: :[[#@LINE+3]]:62: note: this is in Mpc/h
// CHECK: optimize.pm:[[#@LINE+3]]:39: error: 'value_and_grad' requires a function whose value is a real number, not field[x, y]
// CHECK: optim.pm:{{[0-9:]+}} note: found here
optimize a8 from w minimizing sum(a8^2) with adam() for r in (1, 2 Mpc/h), 10 iterations
optimize a9 from w minimizing a9 with adam() for 10 iterations
// CHECK: :[[#@LINE+1]]:88: error: the distance of checkpoints must be from 1 to 1073741824, not 0
optimize b1 from w minimizing sum(b1^2) with adam() for 10 iterations checkpoint every 0
// CHECK: :[[#@LINE+1]]:70: error: there are 2000000000 iterations; expected at most 2^30
optimize b2 from w minimizing sum(b2^2) with adam() for r in (1, 2), 1000000000 iterations
// CHECK: :[[#@LINE+2]]:37: error: 2 names for field[x, y]
// CHECK: :[[#@LINE+1]]:52: note: in the function that is called here
optimize (b3, b4) from w minimizing sum(b3^2) with adam() for 10 iterations

// CHECK: :[[#@LINE+1]]:47: error: the 'step' of an optimizer gives (s, state, loss), with a loss that is computed, not field[x, y]
optimize b6 from w minimizing sum(b6^2) with ({start = s => 0.0, step = (f, s, state, fresh) => s}) for 10 iterations

// CHECK: :[[#@LINE+1]]:67: error: the bounds of steps are ints, not f64
optimize c1 from w minimizing sum(c1^2) with adam() for i in 0 .. 2.5
// CHECK: :[[#@LINE+2]]:77: error: a history of one cell a step needs their number when the spec is compiled, from 1 to 2^30
// CHECK: :[[#@LINE+1]]:77: note: 'history h2[100]' has 100 cells for any number
optimize c2 from w minimizing sum(c2^2) with adam() for i in 0 .. n history h2
// CHECK: :[[#@LINE+1]]:80: error: the number of cells of a history must be from 1 to 1073741824, not 0
optimize c3 from w minimizing sum(c3^2) with adam() for i in 0 .. n history h3[0]
// CHECK: :[[#@LINE+1]]:75: error: 'every' must be at least 1, found 0
optimize c4 from w minimizing sum(c4^2) with adam() for i in 0 .. n every 0: v4 = sum(c4)
// CHECK: :[[#@LINE+1]]:77: error: the steps between two checks are ints, not f64
optimize c4b from w minimizing sum(c4b^2) with adam() for i in 0 .. n every 1.5: v4b = sum(c4b)
// CHECK: :[[#@LINE+1]]:83: error: a check gives a number, not field[x, y]
optimize c5 from w minimizing sum(c5^2) with adam() for i in 0 .. n every 2: v5 = c5
// CHECK: :[[#@LINE+1]]:75: error: the condition of 'while' is a bool, not f64
optimize c6 from w minimizing sum(c6^2) with adam() for i in 0 .. n while sum(c6)
