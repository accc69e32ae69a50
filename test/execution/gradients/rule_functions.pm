// Tangents by hand of functions that take functions. A captured value of such a function also has a tangent, before the tangents of the next parameters.
// RUN: %pmc %s -o %t && %t --quiet | FileCheck %s
param p = 2.0
param r = 3.0
dim x = 4

@tangent(applied_tangent)
fn applied(f, u) = f(u)
fn applied_tangent(f, u, t) = 10 * t[1] + t[0]

// CHECK: one number 70
fn one(a, u) = jvp(u => applied(v => a * v, u))(u, tangent = 7)[1]
print "one number {}", one(p, 1.5)

// CHECK: two numbers 70
fn two(a, b, u) = jvp(u => applied(v => a * v + b * v^2, u))(u, tangent = 7)[1]
print "two numbers {}", two(p, r, 1.5)

// CHECK: computed 70
fn computed(u) {
  let (a, b, c) = (p * p, r + p, r * p)
  jvp(u => applied(v => a * v + b * v^2 + c, u))(u, tangent = 7)[1]
}
print "computed {}", computed(1.5)

@tangent(between_tangent)
fn between(u, f, v) = f(u) + v
fn between_tangent(u, f, v, t) = 100 * t[0] + 10 * t[2]

// CHECK: between 730
fn around(a, b, g, u, w) =
  jvp((u, w) => between(u, s => a * s + b * sum(g) * s, w), wrt = (u, w))(u, w, tangent = (7, 3))[1]
print "between {}", around(p, r, white_noise[x](1), 1.5, 2.5)
