// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet
// RUN: %pmc %s -o %t --precision=f32 -D tolerance=2e-6 && %t --out %t.out --quiet
// First and second derivatives at and near 0, where a quotient such as sin(x)/x cancels, against series.

use math
use special

const tolerance = 1e-14
dim i = 6

let x = (map q in [i] => if index(q, i) == 0 then 0 else 1e-9 * 25^(index(q, i) - 1)) + white_noise[i](1) * 0

fn check(name, f, value, first, second) {
  let slope = grad(x => sum(f(x)))
  let (d, d2) = jvp(slope)(x, tangent = 1 + 0 * x)
  fn wrong(found, expected) = max(abs(found - expected))
  assert wrong(f(x), value) < tolerance, "{} is off by {}", name, wrong(f(x), value)
  assert wrong(d, first) < tolerance, "the derivative of {} is off by {}", name, wrong(d, first)
  assert wrong(d2, second) < tolerance, "the second derivative of {} is off by {}", name, wrong(d2, second)
}
check("sinc", u => map q in u => sinc(u), 1 - x^2 / 6 + x^4 / 120, -x / 3 + x^3 / 30, -1 / 3 + x^2 / 10 - x^4 / 168)
check("j0", u => spherical_bessel(0, u), 1 - x^2 / 6 + x^4 / 120, -x / 3 + x^3 / 30, -1 / 3 + x^2 / 10 - x^4 / 168)
check("j1", u => spherical_bessel(1, u), x / 3 - x^3 / 30, 1 / 3 - x^2 / 10 + x^4 / 168, -x / 5 + x^3 / 42)
check("J0", bessel_j0, 1 - x^2 / 4 + x^4 / 64, -x / 2 + x^3 / 16, -1 / 2 + 3 * x^2 / 16 - 5 * x^4 / 384)
check("J1", bessel_j1, x / 2 - x^3 / 16, 1 / 2 - 3 * x^2 / 16 + 5 * x^4 / 384, -3 * x / 8 + 5 * x^3 / 96)

// On both sides of the end of the series.
let y = map q in [i] => 0.47 + 0.01 * index(q, i)
fn quotient(y) = map q in y => sin(y) / y
fn series(y) = map q in y => sinc(y)
assert max(abs(series(y) - quotient(y))) < tolerance, "sinc is off by {}", max(abs(series(y) - quotient(y)))
