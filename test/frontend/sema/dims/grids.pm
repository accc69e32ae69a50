// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Tables over several axes.
param box: length = 100 Mpc/h
input pk: table
input grid: table(k, z)
// CHECK: :[[#@LINE+1]]:23: error: there is another dataset 'k' in the file of this table; give each axis a name of its own
input twice: table(k, k)
// CHECK: :[[#@LINE+1]]:18: error: there is another dataset 'own' in the file of this table; give each axis a name of its own
input own: table(own, z)
// CHECK: :[[#@LINE+1]]:27: error: there is another dataset 'z' in the file of this table; give each axis a name of its own
input same: table(k in s, z -> z)
// CHECK: :[[#@LINE+1]]:10: error: 'interpolate' requires a position for each axis, and the table over 2 axes has 1; write interpolate(t, x, y)
let ga = interpolate(grid, 1)
// CHECK: :[[#@LINE+1]]:10: error: 'interpolate' requires a position for each axis, and the table has 2; write interpolate(t, x); the type of a table over two axes is table(k, z) or table(k in h/Mpc, z -> P)
let gb = interpolate(pk, 1, 2)
// CHECK: :[[#@LINE+1]]:38: error: the method of 'interpolate' is "linear" or "cubic", not "spline"
let gc = interpolate(pk, 1, method = "spline")
// CHECK: :[[#@LINE+1]]:31: error: the table's x is a pure number, this is in Mpc/h
let gd = interpolate(grid, 1, box)
// CHECK: :[[#@LINE+1]]:21: error: 'derivative' requires a table over one axis, not table over 2 axes; for a partial derivative write grad(a => interpolate(t, a, b))(a)
let ge = derivative(grid, 1)
// CHECK: :[[#@LINE+1]]:26: error: the function of 'transform' gives three numbers, not vector f64
let gf = transform(grid, (k, z, y) => (k, y))
// CHECK: :[[#@LINE+1]]:26: error: value 2 of the function of 'transform' is the new position on axis 2; expected a function of argument 2 alone, found one of other arguments, too
let gg = transform(grid, (k, z, y) => (k, z + 0.1 * k, y))
// CHECK: :[[#@LINE+1]]:34: error: a table has 1 to 3 axes, and 'from' has 4 numbers
let gh = tabulate(u => u, from = (1, 2, 3, 4), to = 1, points = 10)
// CHECK: :[[#@LINE+1]]:52: error: a table over 2 axes requires a number for each axis in 'from', 'to' and 'points', not int
let gi = tabulate((u, v) => u, from = (1, 2), to = 1, points = (10, 10))
// CHECK: :[[#@LINE+1]]:52: error: the ends and points of a table are numbers, not string
let gj = tabulate((u, v) => u, from = (1, 2), to = (2, "a"), points = (10, 10))
// CHECK: :[[#@LINE+1]]:69: error: a table has at least 2 points
let gk = tabulate((u, v) => u, from = (1, 2), to = (2, 3), points = (10, 1))
input logs: table(k in h/Mpc, z -> P in (Mpc/h)^3)
// CHECK: :[[#@LINE+1]]:28: error: the table's x is in h/Mpc, this is a pure number
let gm = interpolate(logs, 1, 1)
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}(Mpc/h)^3{{.*}}
let gn = interpolate(logs, 1 / box, 1) + box
fn of_logs(t: table(k in 1/s, z -> P)) = interpolate(t, 1 / (1 s), 1)
// CHECK: :[[#@LINE+1]]:18: error: 't' of 'of_logs' must be table over 2 axes(k in s^-1, z -> P), not table over 2 axes
let go = of_logs(logs)
fn of_two(t: table(k, z)) = interpolate(t, 1, 2)
// CHECK: :[[#@LINE+1]]:17: error: 't' of 'of_two' must be table over 2 axes, not table
let gl = of_two(pk)
