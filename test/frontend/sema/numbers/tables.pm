// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Tables.
param box: length = 100 Mpc/h
param points: f64 = 3
input pk: table
dim x = 8
let w = white_noise[x](1)
// CHECK: :[[#@LINE+1]]:18: error: the function of a table gives a number, not field[x]
let a = tabulate(u => w, 0, 1, 10)
// CHECK: :[[#@LINE+2]]:23: error: 'sum' works on fields, and there can be no fields in the function of a table
// CHECK: :[[#@LINE+1]]:18: note: in the function that is called here
let b = tabulate(u => sum(w), 0, 1, 10)
// CHECK: :[[#@LINE+1]]:32: error: a table has at least 2 points
let c = tabulate(u => u, 0, 1, 1)
// CHECK: :[[#@LINE+3]]:9: error: 'tabulate' requires equal units, not Mpc and Mpc/h
// CHECK: :[[#@LINE+2]]:26: note: this is in Mpc
// CHECK: :[[#@LINE+1]]:33: note: this is in Mpc/h
let d = tabulate(u => u, 0 Mpc, 1 Mpc/h, 10)
// CHECK: :[[#@LINE+3]]:9: error: 'tabulate' requires equal units, not Mpc/h and 1
// CHECK: :[[#@LINE+2]]:26: note: this is in Mpc/h
// CHECK: :[[#@LINE+1]]:35: note: this is a pure number
let e = tabulate(u => u, 0 Mpc/h, 1, 10)
// CHECK: :[[#@LINE+1]]:18: error: 'tabulate' requires a function, not int
let f = tabulate(3, 0, 1, 10)
// CHECK: :[[#@LINE+1]]:26: error: the ends of a table are numbers, not string
let g = tabulate(u => u, "a", 1, 10)
// CHECK: :[[#@LINE+1]]:32: error: the number of points is an int, not f64
let h = tabulate(u => u, 0, 1, points)
// CHECK: :[[#@LINE+1]]:25: error: the table's x is a pure number, this is in Mpc/h
let i = interpolate(pk, box)
// CHECK: :[[#@LINE+1]]:21: error: 'interpolate' requires a table, not int
let j = interpolate(3, 1)
// CHECK: :[[#@LINE+1]]:9: error: 'interpolate' does not work on string
let k = interpolate(pk, "a")
// CHECK: :[[#@LINE+1]]:24: error: the table's x is a pure number, this is in Mpc/h
let l = derivative(pk, box)
// CHECK: :[[#@LINE+1]]:23: error: the function of 'transform' gives two numbers, not f64
let m = transform(pk, (u, v) => u)
// CHECK: :[[#@LINE+1]]:19: error: 'transform' requires a table, not int
let n = transform(3, (u, v) => u)
// CHECK: :[[#@LINE+1]]:23: error: 'transform' requires a function (x, y) => (X, Y), not int
let o = transform(pk, 3)
// CHECK: :[[#@LINE+2]]:23: error: the function requires 1 argument, here are 2
// CHECK: :[[#@LINE+1]]:23: note: it is defined here
let p = transform(pk, u => (u, u))
// CHECK: :[[#@LINE+2]]:23: error: the inner product of tables cannot be taken inside of a map
// CHECK: :[[#@LINE+1]]:9: note: the map begins here
let q = map u in w => inner(pk, pk) * u
// CHECK: :[[#@LINE+1]]:9: error: 'inner' of tables whose x is a pure number and in Mpc/h
let r = inner(pk, tabulate(u => 1, 0 Mpc/h, box, 10))
// CHECK: :[[#@LINE+1]]:9: error: 'inner' requires two numbers, fields of the same dims, tables, or tuples or records of them, not table and int
let s = inner(pk, 3)
