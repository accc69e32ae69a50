// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// What of a half spectrum cannot be reduced, and what can instead.
dim x = 8, y = 8, z = 6
let f = white_noise[x, y](1)
let u = fft(f)
let line = fft(f + 0i, over = x)
// CHECK: :[[#@LINE+1]]:16: error: the transform of a real field that still has the Fourier dim 'kx'; make it complex: fft(f + 0i)
let a = ({ fft(norm2(line), over = y) })
// CHECK: :[[#@LINE+1]]:14: error: the halved dim is transformed last, or with the others, but 'kx' would stay
let b = ifft(u, over = y)
