// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// One mode of half a spectrum: all transformed dims are named, by ints that are the same for all elements of a map.
param n: int = 2
dim x = 8, y = 6, c = 2 over 1
let f = white_noise[x, y](1)
let k = fft(f)
output fine (a, b) = (real(k[x = -4, y = 3]), imag(k[y = n, x = n]))
// CHECK-NOT: error
// CHECK: :[[#@LINE+1]]:15: error: there is no mode 4 of 'kx', which has -4 to 3
let a = k[x = 4, y = 0]
// CHECK: :[[#@LINE+1]]:22: error: there is no mode -3 of 'ky', which has -2 to 3
let b = k[x = 0, y = -3]
// CHECK: :[[#@LINE+1]]:15: error: a mode is picked by an int, not f64
let d = k[x = 0.5, y = 0]
// CHECK: :[[#@LINE+2]]:42: error: the mode is the same for all elements of a map; here each has its own
// CHECK: note: the map begins here
let g = map q in [c] => abs(k[x = 0, y = int(index(q, c))])
// CHECK: :[[#@LINE+1]]:11: error: the transform of a real field keeps half of its modes, and modes of 'kx' are not read at others; one mode is fk[x = 1, y = 2] with all dims that are transformed, or transform a complex field: fft(f + 0i)
let h = k[x = 1]
