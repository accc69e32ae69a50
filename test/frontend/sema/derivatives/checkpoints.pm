// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Where loops cannot keep states.
param n: int = 3
dim x = 8, y = 8 over 10 Mpc/h
let w = white_noise[x, y](1)
// CHECK: :[[#@LINE+1]]:54: error: the distance of checkpoints must be known when the spec is compiled
let a1 = loop s = w for i in 0 .. 5 checkpoint every n => 0.5 s
// CHECK: :[[#@LINE+1]]:54: error: the distance of checkpoints must be from 0 to 1073741824, not -1
let a2 = loop s = w for i in 0 .. 5 checkpoint every -1 => 0.5 * s
// CHECK: :[[#@LINE+1]]:84: error: a loop with checkpoints cannot be inside of another loop, because its iterations would overwrite each other's states; give the outer one the checkpoints
let a3 = loop s = w for i in 0 .. 5 => loop t = s for j in 0 .. 5 checkpoint every 2 => 0.5 * t
fn inner(u) = loop t = u for j in 0 .. 5 checkpoint every 2 => 0.5 * t
fn outer(u) = inner(u)
// CHECK: :[[#@LINE+1]]:40: error: 'outer' has a loop with checkpoints and is called inside of another loop, whose iterations would overwrite each other's states; give the outer one the checkpoints
let a4 = loop s = w for i in 0 .. 5 => outer(s)
// CHECK: :[[#@LINE+1]]:10: error: a differentiated function cannot contain a loop with checkpoints; leave 'checkpoint every' out
let a5 = grad(u => sum(outer(u)^2))(w)
// CHECK: :[[#@LINE+1]]:70: error: a loop inside of a map has no checkpoints
let a6 = map q in w => loop t = 0.1 for j in 0 .. 5 checkpoint every 2 => 0.5 * t
let t = tabulate(x => x^2, from = 1, to = 10, points = 5)
// CHECK: :[[#@LINE+1]]:24: error: a loop with checkpoints carries no tables, which files do not keep; carry what they are made of
let a7 = loop (n, t) = (0, t) for i in 0 .. 4 checkpoint every 2 => (n + 1, transform(t, (x, y) => (x, 2 * y)))
