// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Vectors over dims are aligned by name: the order of their dims does not matter, but a missing name is an error.
use nufft
dim x = 4, y = 3, z = 2 over 1
dim p = 2
let g = map q in [z, y, x] => index(q, x)
let one = map q in [p] => 1.0
let v = for d in (x, y, z) => one
let w = for d in (z, y, x) => one
// Vectors that were not made over dims, and those over other dims, fit.
fn fits(u: vector field[p]) =
  sum(dot(v, u) + dot((one, one, one), u)) + sum(readout_at(g, w)) + sum(readout_at(g, (one, one, one)))
let good = fits(for d in (x, y, z) => v[d]) + inner({a = w}, {a = for d in (z, y, x) => v[d]})
// In any order.
let e1 = readout_at(g, (v))
let e2 = paint_at[p, z, y, x]((v), weight = one)
let e3 = paint((for d in (x, y, z) => 0 * g))
let e4 = readout(g, for d in (x, y, z) => 0 * g)
let e5 = dot(v, w)
let e6 = inner((1, v), (1, w))
let e7 = v + w
let e8 = { v } < { w }
let e9 = max(v, w)
let f1 = {a = v} * {a = w}
let f2 = loop u = v for i in 0 .. 3 => w
let f3 = if sum(one) > 0 then v else w
let f4 = jvp(u => sum(total(map q in one => u)))(v, tangent = w)
let f5 = vjp((u, a) => for d in (x, y, z) => a * u)(one, 2.0, cotangent = w)
let f6 = v with {[p = 0] = for d in (z, y, x) => 1}
let f7 = (for d in (x, y, z) => g)[x + 1, y + 1, edge = ("zero", for d in (z, y, x) => 1)]
let f8 = map k in fft(g) => dot(k, for d in (x, y, z) => 1)
let f9 = nufft(g + 0i, v)
let o = for d in (z, p, x) => one
// CHECK-NOT: error
// CHECK: :[[#@LINE+1]]:12: error: '-' of vectors with components over (x, y, z) and over (z, p, x), which do not have the same names; write for d in (x, y, z) => v[d] of a vector v that has them
let g1 = v - o
// CHECK: :[[#@LINE+1]]:10: error: 'dot' of vectors with components over (x, y, z) and over (z, p, x), which do not have the same names
let g2 = dot(v, o)
// CHECK: :[[#@LINE+1]]:10: error: 'inner' of vectors with components over (x, y, z) and over (z, p, x),
let g3 = inner((1, v), (1, o))
// CHECK: :[[#@LINE+1]]:24: error: the components are over (z, p, x), but the mesh has the dims [z, y, x]; each component needs one of these dims
let g4 = readout_at(g, o)
// CHECK: :[[#@LINE+3]]:19: error: what the loop begins with and what its body gives have components over (x, y, z) and over (z, p, x),
// CHECK: note: this has components over [x, y, z]
// CHECK: :[[#@LINE+1]]:40: note: this has components over [z, p, x]
let h1 = loop u = v for i in 0 .. 3 => o
// CHECK: :[[#@LINE+1]]:31: error: the branches of 'if' have components
let h2 = if sum(one) > 0 then v else o
// CHECK: :[[#@LINE+1]]:63: error: 'tangent' and the value that it belongs to have components
let h3 = jvp(u => sum(total(map q in one => u)))(v, tangent = o)
// CHECK: :[[#@LINE+1]]:28: error: the cells and what they become have components
let h4 = v with {[p = 0] = for d in (z, p, x) => 1}
// CHECK: :[[#@LINE+1]]:57: error: the field and the value beyond its edge have components
let h5 = (for d in (x, y, z) => g)[x + 1, y + 1, edge = ("zero", for d in (z, p, x) => 1)]
