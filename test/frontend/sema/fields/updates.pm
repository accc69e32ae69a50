// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s --implicit-check-not=error:
dim x = 8, y = 4, plane = 3
let f = white_noise[x, y](1)
let flags = f > 0

// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: there is no cell 8 of 'x', which has 8
output a1 = f with {[x = 8] = 0}
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: a cell is named by an int, not f64
output a2 = f with {[x = 1.5] = 0}
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: field[x, y] has no dim 'plane'
output a3 = f with {[plane = 0] = 0}
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: cells of field[x, y] that are fields[y] cannot become
output a4 = f with {[x = 0] = f}
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: only fields have cells, not
output a5 = (2) with {[x = 0] = 1}
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: cells of {{.*}} cannot become
output a6 = (f, f) with {[x = 0] = (1, 2, 3)}
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: '+' requires equal units
output a7 = f with {[x = 0] += 1 Mpc/h}
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: 'with' changes members of a record, not of field[x, y]; cells are changed by [dim = cell]
output a8 = f with {x = 1}
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}an update of cells
output a9 = map q in f => (f with {[x = 0] = 1}) + f

// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: a loop that stacks runs over the cells of a dim: for i in z
output b1 = (loop s = f for i in 0 .. 3 => s stacking s)[1]
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: a loop that stacks runs over the cells of a dim: for i in z
output b2 = (loop s = f while mean(s) > 1 => s stacking s)[1]
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: a loop runs over the cells of a dim, or from a .. b, not over int
output b3 = loop s = f for i in 3 => s
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: a stack is made of numbers and fields of numbers, not of
output b4 = (loop s = f for i in plane => s stacking s > 0)[1]
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: the dim 'x' is twice in field
output b5 = (loop s = f for i in x => s stacking s)[1]
// CHECK: :[[@LINE+2]]:{{[0-9]+}}: error: 'stacking' must be the last expression of a loop's body
fn wrong(f) {
  f stacking f
}
output b6 = wrong(f)
