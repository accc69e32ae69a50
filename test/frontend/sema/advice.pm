// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Messages that say what to do about a common mistake.
use nufft, sampling
dim x = 8, y = 8 over 1 mm
dim s = 16
dim draw = 4
let f = white_noise[x, y](1)
let v = (1.0, 2.0)
// CHECK: :[[#@LINE+1]]:13: error: {} shows a number, not vector f64; show one component, such as v[0]. 'max', 'min', 'sum' and 'mean' of a vector apply to each component; the largest of two is max(v[0], v[1])
print "{}", max(v)
// CHECK: :[[#@LINE+1]]:37: error: only fields have neighbors, not f64; in a function that is differentiated inside of a map there are only numbers, such as one element of a field; make a field of it before, or take the derivative of a function of the whole field, outside of the map
let g = map q in f => grad(a => a * f[x + 1])(f)
let k = for d in (x, y) => 1 / (1 mm) * white_noise[s](1)
// CHECK: :[[#@LINE+1]]:23: error: this is in mm^-1, not a pure number
let h = nufft(f + 0i, k)
// CHECK: :[[#@LINE+1]]:43: error: nuts: depth must be at least 1; a trajectory has at most 2^depth - 1 steps
let i = sample[draw](a => 0.5 * a^2, 1.0, nuts(depth = -1), seed = 2)
// CHECK-NOT: error:
