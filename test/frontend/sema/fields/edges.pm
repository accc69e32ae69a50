// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// What cannot lie beyond an edge, and modes that cannot be read.
param p: int = 1
dim x = 12, y = 9 over 1
dim t = 4
let f = white_noise[x, y](1)
let v = (f, 2 f)
// CHECK: :[[#@LINE+1]]:13: error: a field and the value beyond its edge differ: f64 and f64 in Mpc/h
output b5 = f[x + 1, edge = 2 Mpc/h]
// CHECK: :[[#@LINE+1]]:13: error: a field and the value beyond its edge differ: f64 and bool
output b6 = f[x + 1, edge = true]
// CHECK: :[[#@LINE+1]]:36: error: beyond the edge of vector field[x, y] cannot be vector int
output b7 = v[x + 1, y + 1, edge = ((1, 2, 3), "zero")]
// CHECK: :[[#@LINE+2]]:43: error: the value beyond the edge must be the same for all elements of the map, or a field
// CHECK: note: the map begins here
output b8 = map q in f => f[x + 1, edge = q[x]]
// CHECK: :[[#@LINE+1]]:27: error: beyond the modes of 'kx' is "periodic", "zero" or a value, not "clamp"
output c0 = fft(f + 0i)[x + 1, edge = "clamp"]
// CHECK: :[[#@LINE+1]]:47: error: the index reads 4 modes from 3 on, and 'kx' has -6 to 5; 'edge' defines the values beyond the ends
output d7 = norm2(fft(f + 0i, over = x)[x = t + 3])
// CHECK: :[[#@LINE+1]]:47: error: the offset of an index of modes must be known when the spec is compiled
output d8 = norm2(fft(f + 0i, over = x)[x = t + p])
// CHECK: :[[#@LINE+1]]:45: error: there is no mode 6 of 'kx', which has -6 to 5
output d9 = norm2(fft(f + 0i, over = x)[x = 6])
// The other edge is not looked at then.
let mask = f > 0
let (p1, p2) = map q in f => (int(index(q, x)) - 1, int(index(q, y)) - 1)
// CHECK: :[[#@LINE+1]]:13: error: a field and the value beyond its edge differ: bool and int
output e1 = mask[x = p1, y = p2, edge = ("zero", 5)]
