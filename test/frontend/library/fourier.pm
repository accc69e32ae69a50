// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// What transforms refuse, at the call.
use fourier
dim x = 8, y = 1
dim k = 64
let f = white_noise[x, y](1)
// CHECK: :[[#@LINE+1]]:23: error: dct: the norm must be "backward" or "ortho"
let a = dct(f, norm = "forward")
// CHECK: :[[#@LINE+1]]:24: error: idct: the norm must be "backward" or "ortho"
let b = idct(f, norm = "forward")
// CHECK: :[[#@LINE+1]]:23: error: dst: the norm must be "backward" or "ortho"
let c = dst(f, norm = "forward")
// CHECK: :[[#@LINE+1]]:24: error: idst: the norm must be "backward" or "ortho"
let d = idst(f, norm = "forward")
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: a cosine transform has the type 1, 2, 3 or 4
let e = dct(f, type = 5)
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: a sine transform has the type 1, 2, 3 or 4
let g = dst(f, type = 0)
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: a cosine transform of type 1 requires at least two cells
let h = dct(f, type = 1)
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: the degree of a multipole must be even and not negative
let i = correlation_multipole[k](k => exp(-k), 3, 1e-3, 1e3)
