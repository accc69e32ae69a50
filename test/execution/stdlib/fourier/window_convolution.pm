// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.one --quiet --format=npy && %python %S/check_window_convolution.py %t.one
// RUN: %t --out %t.ranks --quiet --format=npy --mesh row=2,col=2 --transport=threads --threads=1 && %python %S/check_window_convolution.py %t.ranks
// RUN: %t --out %t.three --quiet --format=npy --mesh row=3 --transport=threads --threads=1 && %python %S/check_window_convolution.py %t.three
// RUN: %pmc %s -O0 -D single=1 -o %t.f32 && %t.f32 --out %t.single --quiet --format=npy && %python %S/check_window_convolution.py %t.single single
// RUN: not %pmc %s -D odd=1 -o %t.odd 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: not %pmc %s -D odd=2 -o %t.odd 2>&1 | FileCheck %s --check-prefix=MEAN
// RUN: not %pmc run %s -O0 -D odd=3 -- --quiet --out %t.odd 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: window_at: the separations of the bins do not increase; bins without values are 0: use wider bins
// RUN: not %pmc run %s -O0 -D odd=4 -- --quiet --out %t.odd 2>&1 | FileCheck %s --check-prefix=WAVES
// RUN: not %pmc run %s -O0 -D odd=5 -- --quiet --out %t.odd 2>&1 | FileCheck %s --check-prefix=SEPARATIONS
// WAVES: error: window_convolved: the wave numbers do not increase; bins without values are 0: use wider bins
// SEPARATIONS: error: window_convolved: the separations do not increase; bins without values are 0: use wider bins
// ODD: error: window_convolved: degrees must be even
// MEAN: error: window_convolved: the degrees must contain 0 for a constrained mean
// The convolution of multipoles with the window of a survey against NumPy and against Gaussians, whose convolution is known; 3j symbols against
// integrals; derivatives against differences.

use fields, surveys, special

const single = 0
const odd = 0
mesh ranks(row = 1, col = 1)
layout sep -> row, wave -> col
dim sep = 300, wave = 400, few = 12

let s = map q in [sep] => 3 Mpc/h * index(q, sep) * (1 + index(q, sep) / 600)
let k = map q in [wave] => 1e-3 h/Mpc * (0.2 + index(q, wave) * (0.4 + index(q, wave) / 200))
let some = map q in [few] => 0.01 h/Mpc * (1 + index(q, few))
let volume = 1 (Mpc/h)^3
let P = (2e4 * volume * exp(-k^2 * 200 (Mpc/h)^2), 1e4 * volume * k * 10 Mpc/h * exp(-k^2 * 150 (Mpc/h)^2),
         3e3 * volume * k^2 * 100 (Mpc/h)^2 * exp(-k^2 * 120 (Mpc/h)^2))
let R = 120 Mpc/h
let Q = (exp(-s^2 / (4 R^2)), 0.4 * (s / R)^2 * exp(-s^2 / (3 R^2)), 0.1 * (s / R)^4 * exp(-s^2 / (2 R^2)))
output scales = number(s, 1 Mpc/h)
output waves = number(k, 1 h/Mpc)
output places = number(some, 1 h/Mpc)
output model (a, b, c) = (number(P[0], volume), number(P[1], volume), number(P[2], volume))
output window (a, b, c) = Q
fn table(v) = for f in v => number(f, volume)
output convolved (a, b, c) = table(window_convolved(P, k, Q, s, at = some))
output constrained (a, b) =
  table(window_convolved((P[0], P[1]), k, Q, s, ells = (0, 2), at = some, constrained = true))
output at_model = table(window_convolved(P, k, Q, s))[1]
output hexadecapole =
  table(window_convolved((P[2],), k, (Q[2], Q[0]), s, ells = (4,), window_ells = (4, 0), at = some))[0]
output alone = table(window_convolved((P[0],), k, (Q[0],), s, ells = (0,), window_ells = (0,), at = some))[0]
output symbols = (wigner_3j_squared(0, 2, 2), wigner_3j_squared(2, 2, 4), wigner_3j_squared(4, 4, 8),
                  wigner_3j_squared(1, 2, 3), wigner_3j_squared(1, 2, 2), wigner_3j_squared(1, 2, 4))
if odd == 1 { print "{}", max(window_convolved((P[0],), k, (Q[0],), s, ells = (1,), window_ells = (0,))[0] / volume) }
if odd ==
  2 {
  print "{}",
        max(window_convolved((P[0],), k, (Q[0],), s, ells = (2,), window_ells = (0,), constrained = true)[0] / volume)
}

// The mean of mock surveys in a Gaussian window agrees with the model, but for the Monte Carlo error.
dim x = 32, y = 32, z = 32 over 1000 Mpc/h
dim mock = 60, radius = 250, mode = 400
let mask = map q in [x, y, z] => exp(-norm2(for d in (x, y, z) => q[d] - 500 Mpc/h) / (2 * R^2))
let observer = (500 Mpc/h, 500 Mpc/h, -9000 Mpc/h)
let I = sum(mask^2) * (1000 Mpc/h)^3 / 32^3
fn law(k) = 1e5 * volume * k * 10 Mpc/h * exp(-k * 30 Mpc/h)
fn measured(seed) =
  survey_multipoles(mask * gaussian_field[x, y, z](law, seed), observer, ells = (0, 2), normalization = I)
let bins_of = survey_correlation(mask, observer, 16 Mpc/h, 32 Mpc/h, 15, normalization = I)
let fine = map q in [radius] => 2 Mpc/h * index(q, radius)
let coarse = map q in [mode] => 5e-4 h/Mpc * (0.5 + index(q, mode))
let expected = window_convolved((law(coarse), 0 * law(coarse)), coarse, window_at(bins_of[1], bins_of[0], fine), fine,
                                ells = (0, 2), at = measured(1)[0])
let (last, mocks) = loop n = 0.0 for i in mock => n stacking measured(100 + i)[1]
for l in 0 .. 2 {
  let m = mean(mocks[l], over = mock)
  let error = sqrt((mean(mocks[l]^2, over = mock) - m^2) / (cells(mock) - 1))
  let worst = max(map q in m => if index(q, dims(m)[0]) < 1 or index(q, dims(m)[0]) > 13 then 0
                                else abs(m - expected[l]) / error)
  assert worst < 4.5, "P_{} of mock surveys differs from the model by {} standard errors", 2 * l, worst
}
// Linear between bins, from 1 or 0 on.
let steps = map q in [few] => 10 Mpc/h * index(q, few)
let places = map q in [sep] => 4 Mpc/h * index(q, sep)
output between (a, b) =
  window_at((exp(-((steps + 10 Mpc/h) / R)^2), (steps + 10 Mpc/h) / R), steps + 10 Mpc/h, places, ells = (0, 2))

if odd == 3 { print "{}", max(window_at((0 * steps / R,), 0 * steps, places, ells = (0,))[0]) }

fn alone_of(k, s) =
  max(window_convolved((P[0],), k, (Q[0],), s, ells = (0,), window_ells = (0,), at = some)[0] / volume)
if odd == 4 { print "{}", alone_of(-1 * k, s) }
if odd == 5 { print "{}", alone_of(k, 0 * s) }

fn size_of(v) = total(for f in v => sum(number(f, volume)^2))
fn check(name, f, at) {
  let h = 1e-4
  let (slope, along) = (grad(f)(at), (f(at + h) - f(at - h)) / (2 * h))
  assert abs(slope / along - 1) < 1e-6, "derivatives by {} are {}, expected {}", name, slope, along
}
if single == 0 {
  check("the model", b => size_of(window_convolved((b * P[0], b^2 * P[1], P[2]), k, Q, s, at = some)), 1.3)
  check("the window", b => size_of(window_convolved(P, k, (b * Q[0], Q[1] + b * Q[2], Q[2]), s, at = some)), 0.7)
  check("the scale", b => size_of(window_convolved(P, k, Q, s, at = b * some)), 1.1)
}
