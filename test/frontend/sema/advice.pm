// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Messages that say what to do about a common mistake.
use nufft, optim, sampling
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
dim t = 5
let time = map i in [t] => 10 ms * (1 + index(i, t))
let decay = map q in [x, t] => exp(-20 / (1 s) * time)
fn model(p, t) = p[0] * exp(-p[1] * t)
// CHECK: :[[#@LINE+1]]:37: error: 'for' runs over dims, a vector or a range, not over f64
let j = least_squares(model, decay, 1.0, time)
// CHECK: note: 'start' of 'least_squares': tuple of up to 16 real numbers or fields over the voxels, in any units; a 0 has its unit, too: (1.0, 0 / (1 s))
// CHECK: :[[#@LINE+1]]:37: error: 'for' runs over dims, a vector or a range, not over record {a, b}
let l = least_squares(model, decay, {a = 1.0, b = 15 / (1 s)}, time)
// CHECK: note: 'start' of 'least_squares': tuple of up to 16 real numbers
// CHECK: :[[#@LINE+1]]:23: error: 'value_and_grad' requires a function whose value is a real number, not complex; see 'vjp' for others
let n = least_squares(model, decay, (1.0 + 1i, 15 / (1 s)), time)
// CHECK: note: 'model' of 'least_squares': function (p, a) => real number in the unit of the data; it is called in a map, and differentiated there
// CHECK-NOT: error:
