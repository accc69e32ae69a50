// RUN: %pmc --emit=pm %s -o - | FileCheck %s
// RUN: not %pmc --emit=pm -D wrong=true %s 2>&1 | FileCheck --check-prefix=WRONG %s
// Loops of elements that read cells which these say are loops over fields.
dim x = 12, y = 9 over 1
const wrong = false
param n: int = 3
let f = white_noise[x, y](1)
let h = int(3 * f)
let table = tabulate(u => u, from = 0, to = 1, points = 3)

// The whole loop is, also where the cells are read by a loop in it; none is left in a map.
// CHECK: scf.for {{.*}} -> (!pm.field<[x=12, y=9], f32>) {
// CHECK: scf.for {{.*}} -> (!pm.field<[x=12, y=9], f32>) {
// CHECK: pm.reduce  max
// CHECK: pm.assert
// CHECK: pm.map
// CHECK: pm.cell
// CHECK-NOT: ^bb0{{.*}}scf.for
output a1 = map q in f => loop s = 0.0 for i in 0 .. n => loop s = s for j in 0 .. i => s + f[x = h + j]

// A loop that reads none stays one of the elements.
// CHECK: pm.map
// CHECK: scf.for {{.*}} -> (f32) {
output a2 = map q in f => loop s = 0.0 for i in 0 .. n => s + f

// WRONG: :[[#@LINE+1]]:56: error: a loop that reads a field at cells that elements compute carries numbers only
output a3 = if wrong then map q in f => (loop (t, s) = (table, 0) for i in 0 .. n => (t, s + f[x = h + i]))[1] else f
