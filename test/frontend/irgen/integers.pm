// RUN: %pmc --emit=pm %s | FileCheck %s
// Ints in maps, cells that elements say, bins of named dims.
dim x = 12, y = 9
dim u = 7
let f = white_noise[x, y](1)

// A sum of indices is one of ints, and stays a field of them.
// CHECK: pm.map [u=7]
// CHECK: %[[INDEX:.*]] = arith.fptosi %{{.*}} : f64 to i64
// CHECK: %[[TWICE:.*]] = arith.muli
// CHECK: arith.addi %[[TWICE]]
// CHECK: arith.divsi
let p = map q in [u] => mod(int(2 * index(q, u) + 1), 12)

// What is not a cell is found before the map, and is an error.
// CHECK: %[[WORST:.*]] = pm.reduce max [u=7, y=9] ins(%{{.*}} : !pm.field<[u=7], i64>)
// CHECK: arith.cmpi ult
// CHECK: pm.assert %{{.*}}, "there is no cell {:d} of 'x', which has 12; 'edge' defines the values beyond the ends"
// CHECK: pm.map [u=7, y=9] ins(%{{.*}} : !pm.field<[u=7], i64>)
// CHECK: pm.cell %{{.*}}[%{{.*}}, %{{.*}}] low [0, 0] high [0, 0] near [false, true]
output g = f[x = p]

// Beyond edges there is a cell for every int, but not for what is not a number, of which ints of fields are the least one.
// CHECK: pm.reduce max
// CHECK: arith.cmpi eq, %{{.*}}, %c-9223372036854775808_i64
// CHECK: pm.assert %{{.*}}, "the index of a cell is not a number, of which 'int' makes {:d}"
// CHECK: pm.cell
// CHECK: arith.select
output h = f[x = p + 9, edge = "zero"]

// CHECK: pm.bins [x=12, y=9]
// CHECK: -> !pm.field<[u=7, y=9], f64>
output b = bins q in f into (u, y) by (div(index(q, x), 2), index(q, y)) => f
