// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Vectors over dims are indexed by name, but combined by position: their dims must have one order.
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
// CHECK-NOT: error
// CHECK: :[[#@LINE+1]]:25: error: the components are over (x, y, z), but the mesh has the dims [z, y, x], and components are taken by position; write for d in (z, y, x) => v[d] to put the components of v in that order
let e1 = readout_at(g, (v))
// CHECK: :[[#@LINE+1]]:32: error: the components are over (x, y, z), but the mesh has the dims [z, y, x],
let e2 = paint_at[p, z, y, x]((v), weight = one)
// CHECK: :[[#@LINE+1]]:17: error: the components are over (x, y, z), but the mesh has the dims [z, y, x],
let e3 = paint((for d in (x, y, z) => 0 * g))
// CHECK: :[[#@LINE+1]]:21: error: the components are over (x, y, z), but the mesh has the dims [z, y, x],
let e4 = readout(g, for d in (x, y, z) => 0 * g)
// CHECK: :[[#@LINE+1]]:10: error: 'dot' of vectors with components over (x, y, z) and over (z, y, x), which are combined by position; write for d in (x, y, z) => v[d] to put the components of v in that order
let e5 = dot(v, w)
// CHECK: :[[#@LINE+1]]:10: error: 'inner' of vectors with components over (x, y, z) and over (z, y, x),
let e6 = inner((1, v), (1, w))
// CHECK: :[[#@LINE+1]]:12: error: '+' of vectors with components over (x, y, z) and over (z, y, x),
let e7 = v + w
// CHECK: :[[#@LINE+1]]:16: error: '<' of vectors with components
let e8 = { v } < { w }
// CHECK: :[[#@LINE+1]]:10: error: 'max' of vectors with components
let e9 = max(v, w)
// CHECK: :[[#@LINE+1]]:18: error: '*' of vectors with components
let f1 = {a = v} * {a = w}
// CHECK: :[[#@LINE+3]]:19: error: what the loop begins with and what its body gives have components over (x, y, z) and over (z, y, x),
// CHECK: note: this has components over [x, y, z]
// CHECK: :[[#@LINE+1]]:40: note: this has components over [z, y, x]
let f2 = loop u = v for i in 0 .. 3 => w
// CHECK: :[[#@LINE+1]]:31: error: the branches of 'if' have components
let f3 = if sum(one) > 0 then v else w
// CHECK: :[[#@LINE+1]]:63: error: 'tangent' and what it belongs to have components
let f4 = jvp(u => sum(total(map q in one => u)))(v, tangent = w)
// CHECK: :[[#@LINE+1]]:75: error: 'cotangent' and what it belongs to have components
let f5 = vjp((u, a) => for d in (x, y, z) => a * u)(one, 2.0, cotangent = w)
// CHECK: :[[#@LINE+1]]:28: error: the cells and what they become have components
let f6 = v with {[p = 0] = for d in (z, y, x) => 1}
// CHECK: :[[#@LINE+1]]:57: error: the field and what lies beyond its edge have components
let f7 = (for d in (x, y, z) => g)[x + 1, y + 1, edge = ("zero", for d in (z, y, x) => 1)]
// CHECK: :[[#@LINE+1]]:29: error: 'dot' of vectors with components over (z, y, x) and over (x, y, z),
let f8 = map k in fft(g) => dot(k, for d in (x, y, z) => 1)
// CHECK: :[[#@LINE+2]]:24: error: '*' of vectors with components over (z, y, x) and over (x, y, z),
// CHECK: note: found here, in 'components'
let f9 = nufft(g + 0i, v)
// One name in common at another place is a mismatch, too.
// CHECK: :[[#@LINE+1]]:12: error: '-' of vectors with components over (x, y, z) and over (z, p, x),
let g1 = v - (for d in (z, p, x) => one)
