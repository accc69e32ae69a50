// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Tables, control and derivatives keep units: 'sin' of what has one is an error that names it.
param v: f64 km/s = 3 km/s
param box: length = 100 Mpc/h
param steps: int = 3
dim x = 8, y = 8 over box
let f = v * white_noise[x, y](1)
let z = zeros[x, y]

// Tables.
let speeds = tabulate(r => v * r / box, from = 1 Mpc/h, to = box, points = 10)
// CHECK: :[[#@LINE+1]]:10: error: 'sin' requires a pure number, not f64 in km/s
let t1 = sin(interpolate(speeds, box))
// CHECK: :[[#@LINE+1]]:10: error: 'sin' requires a pure number, not f64 in km/s/(Mpc/h)
let t2 = sin(derivative(speeds, box))
// CHECK: :[[#@LINE+1]]:30: error: the table's x is in Mpc/h, this is in km/s
let t3 = interpolate(speeds, v)
// CHECK: :[[#@LINE+1]]:10: error: 'sin' requires a pure number, not f64 in Mpc/h
let t4 = sin(interpolate(transform(speeds, (x, y) => (y, x)), v))

// Control.
// CHECK: :[[#@LINE+1]]:10: error: 'sin' requires a pure number, not f64 in km/s
let c1 = sin(loop s = 0 for i in 0 .. steps => s + v)
// CHECK: :[[#@LINE+1]]:10: error: 'sin' requires a pure number, not f64 in km/s
let c2 = sin((loop (s, u) = (0, v) while u < 9 km/s => (u, u + v))[0])
// CHECK: :[[#@LINE+1]]:10: error: 'sin' requires a pure number, not f64 in km/s
let c3 = sin(loop s = zeros[x, y] for i in 0 .. steps => s + f)
// CHECK: :[[#@LINE+1]]:24: error: the branches of 'if' differ: f64 in km/s and f64 in Mpc/h
let c4 = if v > 0 then v else box
// CHECK: :[[#@LINE+1]]:38: error: the branches of 'if' differ: f64 in km/s and int
let c5 = map q in f => if f > 0 then f else 1
// CHECK: :[[#@LINE+1]]:12: error: '==' requires equal units, not km/s and Mpc/h
let c6 = v == box
// CHECK: :[[#@LINE+1]]:10: error: 'floor' requires a pure number, not f64 in km/s
let c7 = floor(v)
// CHECK: :[[#@LINE+1]]:18: error: '+' requires equal units, not 1 and km/s
let c8 = sign(v) + v
// Of 0 the zeroth power is 1, which is a pure number.
// CHECK: :[[#@LINE+1]]:12: error: '+' requires equal units, not km/s and 1
let c9 = f + z^0

// Derivatives: of the value over that of the argument; along directions.
fn energy(u, w) = sum(u^2 * w)
// CHECK: :[[#@LINE+1]]:10: error: 'sin' requires a pure number, not f64 in km/s
let d1 = sin(grad(energy)(f, 1.0))
// CHECK: :[[#@LINE+1]]:10: error: 'sin' requires a pure number, not f64 in km^2/s^2
let d2 = sin(grad(energy, wrt = w)(f, box))
// CHECK: :[[#@LINE+1]]:10: error: 'sin' requires a pure number, not f64 in km^2/s^2
let d3 = sin(jvp(energy)(f, 1.0, tangent = f)[1])
// CHECK: :[[#@LINE+1]]:10: error: 'sin' requires a pure number, not f64 in km/s
let d4 = sin(sum(vjp(energy)(f, 1.0, cotangent = 1.0)[1]))

// Fits: the history has the unit of the loss, and stages have one.
use optim
optimize w from 1.0 minimizing (w - 2)^2 * 1 km/s with gradient_descent(0.1 (km/s)^-1) for 3 iterations history losses
// CHECK: :[[#@LINE+1]]:10: error: 'sin' requires a pure number, not f64 in km/s
let o1 = sin(losses)
// CHECK: :[[#@LINE+2]]:12: error: 'for' requires equal units, not km/s and Mpc/h
optimize r from 1.0 minimizing (r - number(s, 1 km/s))^2 with gradient_descent(0.1)
  for s in (0, v, box), 3 iterations each
