// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet
// RUN: %t --out %t.out --quiet --mesh row=2,col=1 && %t --out %t.out --quiet --mesh row=2,col=2 && %t --out %t.out --quiet --mesh row=3,col=1
// `each` runs a function of one image over a batch: what it gives is what the slices give, also where the batch is split, and has derivatives.

use fields, spectra

mesh ranks(row = 1, col = 1)
layout c -> row, x -> col
dim c = 5
dim x = 8, y = 6, z = 10 over 40 Mpc/h

let f = white_noise[c, x, y, z](1)
let g = white_noise[x, y, z, c](2)
fn one(a) = sqrt(norm2(gradient(a)))
let done = each c in f => one(f)
let all = each c in (f, g) => {
  let (k, P, modes) = power_spectrum(f + g[x + 1])
  {spectrum = P, number = sum(f * g), picture = fft(f)}
}
for_all(0)
for_all(4)
fn for_all(i) {
  let (a, b) = (f[c = i], g[c = i])
  // Plans of a batch may round in another order.
  assert max(abs(done[c = i] - one(a))) < 1e-13 * max(done), "slice {}: {}", i, max(abs(done[c = i] - one(a)))
  assert max(abs(all.spectrum[c = i] - power_spectrum(a + b[x + 1])[1])) <
         number(1e-9 * max(all.spectrum), 1 (Mpc/h)^3) * 1 (Mpc/h)^3, "spectrum {}", i
  assert abs(all.number[c = i] - sum(a * b)) < 1e-10, "number {}", i
  assert sum(norm2(all.picture[c = i] - fft(a))) < 1e-24, "transform {}", i
}

// `each` is a name elsewhere.
let each = 3
fn cost(a, width) = sum((each c in a => smooth(a^3, width))^2) + each
let (by_field, by_width) = grad(cost, wrt = (a, width))(f, 3 Mpc/h)
let v = white_noise[c, x, y, z](3)
let h = 1e-5
let difference = (cost(f + h * v, 3 Mpc/h * (1 + h)) - cost(f - h * v, 3 Mpc/h * (1 - h))) / (2 * h)
let along = inner(by_field, v) + 3 Mpc/h * by_width
assert abs(along / difference - 1) < 1e-8, "{} and {}", along, difference
let (value, forwards) = jvp(cost)(f, 3 Mpc/h, tangent = v)
assert abs(forwards / inner(by_field, v) - 1) < 1e-12, "{} and {}", forwards, inner(by_field, v)
