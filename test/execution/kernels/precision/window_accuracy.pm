// A window's `accuracy` bounds the error of its polynomials relative to the largest weight, although the coefficients decrease slowly.
// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet --format=npy && %python %S/check_window_accuracy.py %t.out
// RUN: %pmc %s -o %t && %t --out %t.out --quiet --format=npy && %python %S/check_window_accuracy.py %t.out
dim x = 12
dim j = 1001

let near = {support = 2, accuracy = 0.01, weight = u => 1 / (abs(u) + 0.02)}
let wide = {support = 4, accuracy = 0.001, weight = u => 1 / (abs(u) + 0.05)}
let center = {support = 3, accuracy = 0.01, weight = u => 1 / (1 + 40 * u^2)}

let one = map q in [x] => if index(q, x) == 6 then 1.0 else 0.0
let places = map q in [j] => 4 + 0.004 * index(q, j)
output places
output near = readout_at(one, (places), window = near)
output wide = readout_at(one, (places), window = wide)
output center = readout_at(one, (places), window = center)
