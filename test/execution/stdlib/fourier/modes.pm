// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.first --quiet && %t --out %t.out --quiet --spectrum=%t.first/half_modes.h5 --whole=%t.first/all_modes.h5
// RUN: %t --out %t.out --quiet --spectrum=%t.first/half_modes.h5 --whole=%t.first/all_modes.h5 --mesh row=2,col=2
// RUN: %t --out %t.out --quiet --spectrum=%t.first/half_modes.h5 --whole=%t.first/all_modes.h5 --mesh row=3,col=1
// Fields over dims of modes: made by a map, taken by functions, read from files.

mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
dim c = 2
dim x = 8, y = 7, z = 6 over 10 Mpc/h
input spectrum: complex field[c, dual(x), dual(y), half(z)] optional
input whole: complex field[dual(x), dual(y), dual(z)] optional

let f = white_noise[c, x, y, z](1)
let g = white_noise[x, y, z](2) + 1i * white_noise[x, y, z](3)
fn wide(k: complex field[b, dual(u), dual(v), half(w)], R) =
  map q in k => exp(-0.5 * R^2 * (q[u]^2 + q[v]^2 + q[w]^2)) * k
let bell = map k in [dual(x), dual(y), half(z)] => exp(-0.5 * (3 Mpc/h)^2 * norm2(k))
let smoothed = ifft(bell * fft(f, over = (x, y, z)), over = (x, y, z))
assert max(abs(smoothed - ifft(wide(fft(f, over = (x, y, z)), 3 Mpc/h), over = (x, y, z)))) < 1e-14
// It stands for all modes, as what transforms make does.
assert abs(sum(bell) - sum(map k in [dual(x), dual(y), dual(z)] => exp(-0.5 * (3 Mpc/h)^2 * norm2(k)))) < 1e-12
assert max(abs(zeros[dual(x), half(y)])) == 0
let transformed = fft(f, over = (x, y, z))
if not given(spectrum) {
  output half_modes = transformed
  output all_modes = fft(g)
} else {
  assert sum(norm2(spectrum - transformed)) < 1e-26, "off by {}", sum(norm2(spectrum - transformed))
  assert sum(norm2(whole - fft(g))) < 1e-26
  assert max(abs(ifft(spectrum, over = (x, y, z)) - f)) < 1e-13
}
