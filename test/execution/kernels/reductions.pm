// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet && %python %S/check_reductions.py %t.out 1e-13
// RUN: %t --out %t.one --quiet --threads=1 && diff %t.out/column.h5 %t.one/column.h5 && diff %t.out/power.h5 %t.one/power.h5
// RUN: %pmc %s -o %t && %t --out %t.out --quiet && %python %S/check_reductions.py %t.out 1e-6
// Sums and extremes over every choice of dims and bins over a half spectrum, with odd and even sides, against NumPy's.

dim x = 5, y = 6, z = 70 over 7 Mpc/h
dim t = 40, v = 301, w = 220
dim a = 4, b = 200, c = 300

let f = white_noise[x, y, z](1)
let g = white_noise[t, v, w](2)
let odd = fft(white_noise[y, z, x](3))
let even = fft(f)

output f
output g

output sum_x = sum(f, over = x)
output sum_y = sum(f, over = y)
output sum_z = sum(f, over = z)
output column = sum(f, over = (x, y))
output sum_xz = sum(f, over = (x, z))
output sum_yz = sum(f, over = (y, z))
// Values of one sign, so that 0 is none of the extremes. Threads keep chunks of them along c.
let above = 1 + white_noise[a, b, c](4)^2
output above
output least_above = min(above, over = a)
output largest_below = max(-above, over = a)
output least_of_b = min(above, over = b)
output wide = sum(g, over = t)
output largest = max(g, over = (v, w))
output least = min(f, over = (x, y))
output extremes (least, largest, total) = (min(f), max(f), sum(f))

output even_re = real(even)
output even_im = imag(even)
output odd_re = real(odd)
output odd_im = imag(odd)
fn radius(k) = sqrt(index(k, x)^2 + index(k, y)^2 + index(k, z)^2)
let (p, modes) = bins k in even into 9 by radius(k) => (norm2(even), 1)
let (q, odd_modes) = bins k in odd into 40 by radius(k) => (norm2(odd), 1)
output power (p, modes) = (p, modes)
output odd_power (p, modes) = (q, odd_modes)
