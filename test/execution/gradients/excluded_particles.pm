// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet && %t --out %t.out --quiet --mesh row=3 --transport=threads
// Particles that do not count change no derivative of a paint, also if their weights are infinite or not numbers.
mesh ranks(row = 1)
layout x -> row
dim x = 9, y = 8
param zero = 0.0
let f = white_noise[x, y](1)
let s = (0.3 * f, 0.2 * f)
let v = (white_noise[x, y](3), white_noise[x, y](4))
let counts = map q in [x, y] => index(q, x) != 3 and index(q, y) != 5
let target = white_noise[x, y](2)
fn loss(s, w) = sum(target * paint[x, y](s, window = "cic", weight = w, where = counts)^2)
fn weight(other) = map q in [x, y] => if counts then 1 + 0.1 * f else other
let (by_place, by_weight) = grad(loss, wrt = (s, w))(s, weight(0.0))
let (value, along) = jvp(loss, wrt = (s))(s, weight(0.0), tangent = v)
fn check(other) {
  let (p, w) = grad(loss, wrt = (s, w))(s, weight(other))
  let (found, slope) = jvp(loss, wrt = (s))(s, weight(other), tangent = v)
  assert max(abs(p[0] - by_place[0])) < 1e-12 and max(abs(p[1] - by_place[1])) < 1e-12,
         "by positions, with weights of {}: {}", other, sum(p[0]^2)
  assert max(abs(w - by_weight)) < 1e-12, "by weights, with weights of {}: {}", other, sum(w^2)
  assert abs(found - value) < 1e-12 and abs(slope - along) < 1e-12, "forward, with weights of {}: {} {}", other, found,
         slope
  sum(p[0]^2)
}
assert sum(by_place[0]^2) > 1 and max(map q in f => if counts then 0 else abs(by_place[0])) == 0,
       "those that do not count have no gradient"
print "{} {} {} {}", check(1.0), check(1 / zero), check(-1 / zero), check(zero / zero)
