// RUN: %pmc %s -o %t && %t --out %t.out --quiet
// Accelerated gradients restart at the same iterations whatever the size of the unknown: an unknown times a power of two has all
// iterates times that, to the bit, also where squares leave the range of f32.
use solvers
dim x = 32
let weight = map q in [x] => 0.01 + (index(q, x) / 32)^2
let b = white_noise[x](1)
fn f(s, data) = 0.5 * sum(weight * (s - data)^2)
fn slope(s, data) = weight * (s - data)
fn plain(scale, restart) =
  fista(s => slope(s, scale * b), (v, t) => v, 0 * b, 0.9, iterations = 60, restart = restart).x
fn optimized(scale, restart) =
  pogm(s => slope(s, scale * b), (v, t) => v, 0 * b, 0.9, iterations = 60, restart = restart).x
fn same(found, expected, scale) {
  let apart = max(abs(1 / scale * found - expected))
  assert apart == 0, "at a scale of {} the result differs by {}", scale, apart
}
fn check(scale) {
  same(plain(scale, true), plain(1.0, true), scale)
  same(optimized(scale, true), optimized(1.0, true), scale)
  scale
}
// Restarts are what makes the difference.
assert max(abs(plain(1.0, true) - plain(1.0, false))) > 1e-3, "fista does not restart here"
assert max(abs(optimized(1.0, true) - optimized(1.0, false))) > 1e-3, "pogm does not restart here"
let all = check(pow(2.0, -20)) + check(pow(2.0, -80)) + check(pow(2.0, 70)) + check(pow(2.0, 100))
print "{}", all
