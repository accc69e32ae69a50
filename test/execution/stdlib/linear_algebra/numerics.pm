// RUN: %pmc %s -o %t && %t --out %t.out --quiet
// Quadrature, Runge-Kutta and roots against known values.

use math

fn close(x, y, tolerance) = abs(x - y) < tolerance

assert close(integrate(x => x^9, 0, 1, panels = 1), 0.1, 1e-15), "int x^9 {}", integrate(x => x^9, 0, 1, panels = 1)
assert close(integrate(exp, from = 0, to = 2), exp(2) - 1, 1e-13), "int exp {}", integrate(exp, from = 0, to = 2)
assert close(integrate(x => x, 1, 0), -0.5, 1e-15), "backwards {}", integrate(x => x, 1, 0)

let y = rk4((t, y) => -y, 1.0, from = 0, to = 1, steps = 100)
assert close(y, exp(-1), 1e-10), "decay {}", y
let fourth = rk4((t, y) => t^3, 0.0, from = 0, to = 1, steps = 1)  // cubics are exact: Simpson's rule
assert close(fourth, 0.25, 1e-15), "int t^3 {}", fourth
let (u, v) = rk4((t, s) => (s[1], -s[0]), (0.0, 1.0), from = 0, to = pi, steps = 200)
assert close(u, 0, 1e-8) and close(v, -1, 1e-8), "half a circle {}, {}", u, v

let decay = gragg((t, y) => -y, 1.0, from = 0, to = 1, steps = 8)
assert close(decay, exp(-1), 1e-12), "decay by Gragg's method {}", decay
let eighth = gragg((t, y) => t^7, 0.0, from = 0, to = 1, steps = 1)  // of order 8: exact
assert close(eighth, 0.125, 1e-15), "int t^7 {}", eighth
let (u8, v8) = gragg((t, s) => (s[1], -s[0]), (0.0, 1.0), from = 0, to = pi, steps = 8)
let (u16, v16) = gragg((t, s) => (s[1], -s[0]), (0.0, 1.0), from = 0, to = pi, steps = 16)
assert close(u16, 0, 1e-11) and close(v16, -1, 1e-11), "half a circle by Gragg's method {}, {}", u16, v16
assert abs(u8) > 200 abs(u16) and abs(u8) < 600 abs(u16), "half the step leaves {} of the error, expected 1/256",
       u16 / u8

assert close(bisect(x => x^2 - 2, 0, 2), sqrt(2), 1e-15), "bisect {}", bisect(x => x^2 - 2, 0, 2)
assert close(bisect(x => 2 - x^2, 0, 2), sqrt(2), 1e-15), "bisect, falling {}", bisect(x => 2 - x^2, 0, 2)
// A root at one end of the interval, where the function rises and where it falls.
fn root_at_end(name, f, low, high, root) {
  let found = bisect(f, low, high)
  assert close(found, root, 1e-15), "bisect, {}: found {}, expected {}", name, found, root
}
root_at_end("rising, low end", x => x - 2, 2, 5, 2)
root_at_end("rising, high end", x => x - 5, 2, 5, 5)
root_at_end("falling, low end", x => 2 - x, 2, 5, 2)
root_at_end("falling, high end", x => 5 - x, 2, 5, 5)
let none = bisect(x => x^2 + 1, 0, 1)
let beyond = bisect(x => x - 5, 0, 1)
assert none != none and beyond != beyond, "bisect finds {} and {} where there is no root", none, beyond
let cube_root = newton(x => x^3 - 5, x => 3 x^2, 2)
assert close(cube_root, pow(5, 1 / 3), 1e-15), "newton {}", cube_root
assert clamp(3, 0, 2) == 2 and clamp(-1, 0, 2) == 0 and clamp(1, 0, 2) == 1, "clamp"
assert sinc(0) == 1 and close(sinc(2), sin(2) / 2, 1e-15), "sinc {}", sinc(2)
// The function sinc of a whole field.
dim s = 400
let at = map q in [s] => 0.01 * (index(q, s) - 200)
let quotient = map q in at => if at == 0 then 1 else sin(at) / (if at == 0 then 1 else at)
assert max(abs(sinc(at) - quotient)) < 1e-6, "sinc of a field is off by {}",
       max(abs(sinc(at) - quotient))
