// RUN: %pmc %s -o %t && %t --out %t.out --quiet
// Tables at, between and beyond their rows: on a row the piece to the right, beyond the ends the outer pieces.

let t = transform(tabulate(x => x, from = 0, to = 4, points = 5), (x, y) => (x^2, (y - 2)^3))  // rows at 0, 1, 4, 9, 16
fn near(a, b) = abs(a - b) < 1e-12

assert near(interpolate(t, 4), 0) and near(interpolate(t, 0), -8) and near(interpolate(t, 16), 8), "rows"
assert near(interpolate(t, 2.5), -0.5) and near(interpolate(t, 12.5), 4.5), "between: {} {}", interpolate(t, 2.5),
       interpolate(t, 12.5)
assert near(interpolate(t, -1), -15) and near(interpolate(t, 23), 15), "beyond: {} {}", interpolate(t, -1),
       interpolate(t, 23)
assert near(derivative(t, 4), 0.2) and near(derivative(t, 3.999), 1 / 3) and near(derivative(t, 0), 7), "slopes {} {}",
       derivative(t, 4), derivative(t, 3.999)
assert near(derivative(t, 16), 1) and near(derivative(t, 99), 1) and near(derivative(t, -9), 7), "slopes beyond {}",
       derivative(t, 99)

dim x = 3000 over 30
let f = map q in [x] => interpolate(t, q[x] - 2)
let exact = map q in [x] => {
  let u = q[x] - 2
  if u < 1 then -8 + 7 u else if u < 4 then -1 + (u - 1) / 3 else if u < 9 then (u - 4) / 5 else 1 + (u - 9)
}
assert max(abs(f - exact)) < 1e-5, "read in a map it is off by {}", max(abs(f - exact))
