// RUN: %pmc %s -o %t && %t --quiet --out %t.out --scale=1 | FileCheck %s
// RUN: %t --quiet --out %t.out --scale=1e22 | FileCheck %s
// RUN: %t --quiet --out %t.out --scale=1e36 | FileCheck %s
// RUN: %t --quiet --out %t.out --scale=1e36 --mesh=row=2 --transport=threads | FileCheck %s
// RUN: %t --quiet --out %t.out --scale=1e-24 | FileCheck %s --check-prefix=SMALL
// In f32, gradients whose squares are too large for it, or too small: steps do not depend on how large they are. (The abs of complex numbers has
// the range of squares: there the gradient is clipped.)

use optim

param scale = 1.0
dim x = 12, c = 2
mesh ranks(row = 1)
layout x -> row
let t = white_noise[x](1)
fn loss(s) = scale * (sum((s.a - t)^2) + sum(norm2(s.c - 2i)) + (s.n - 1)^2)
let start = {a = zeros[x], c = zeros[c] + 0i, n = 3.0}
fn after(method, steps) = minimize(loss, start, method, iterations = steps)[0]
fn real_loss(s) = scale * (sum((s.a - t)^2) + (s.n - 1)^2)
fn real_after(method, steps) = minimize(real_loss, {a = start.a, n = start.n}, method, iterations = steps)[0]

// A step of length 0.1 along the gradient, which is the way to the minimum; and one that is shorter than allowed.
let way = start with {a = start.a - t, c = start.c - 2i, n = 2.0}
let clipped = after(sgd(0.1, momentum = 0, clip = 1), 1)
let wanted = start - 0.1 / sqrt(inner(way, way)) * way
let off = clipped - wanted
let whole = clip_gradient(scale * way, 1e3 * scale) - scale * way
// CHECK: clipped 1 1
print "clipped {} {}", inner(off, off) < 1e-12, sqrt(inner(1 / scale * whole, 1 / scale * whole)) < 1e-6
// The first steps of Adam are as long as the rate in every component.
let step = real_after(adamw(0.1, decay = 0, epsilon = 1e-30), 1)
let far = real_after(adamw(0.1, decay = 0, epsilon = 1e-30), 30)
let first = real_after(adam(0.1, epsilon = 1e-30), 1)
let other = after(adamw(0.1, decay = 0, epsilon = 1e-30, clip = 1e10), 1)
let layers = real_after(lamb(0.1, decay = 0, epsilon = 1e-30), 30)
// CHECK: steps 1 1 1 1 1
// SMALL: steps 1 1 {{[01]}} 1 1
print "steps {} {} {} {} {}", max(abs(abs(step.a) - 0.1)) < 1e-5, max(abs(abs(first.a) - 0.1)) < 1e-5,
      max(abs(abs(other.c) - 0.1)) < 1e-5,
      real_loss(far) < 0.2 * real_loss(start), layers.n < 2
