// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Catalogs that there cannot be.
param most: int = 5
dim x = 12, y = 9 over 1
dim star = 30
let f = white_noise[x, y](1)
// CHECK: :[[#@LINE+1]]:32: error: the condition of 'collect' is a bool, not f64
let a = collect q in f where 2 + f into 8 => f
// CHECK: :[[#@LINE+1]]:41: error: the number of elements must be known when the spec is compiled
let b = collect q in f where f > 1 into most => f
// CHECK: :[[#@LINE+1]]:41: error: a catalog has one dim, not [x, star]
let c = collect q in f where f > 1 into (x, star) => f
// CHECK: :[[#@LINE+1]]:48: error: a catalog holds real numbers, not complex; take real(…) or norm2(…)
let d = collect q in f where f > 1 into 8 => f + 1i
// CHECK: :[[#@LINE+1]]:9: error: 'collect' runs over space dims, and 'kx' is a Fourier dim
let e = collect k in fft(f) where true into 8 => index(k, x)
// CHECK: :[[#@LINE+1]]:28: error: a map works on whole fields and cannot be inside of a map
let g = map q in f => sum((collect r in f where f > 1 into 8 => f)[0])
// CHECK: :[[#@LINE+1]]:41: error: the number of elements must be from 1 to 1073741824, not 0
let h = collect q in f where f > 1 into 0 => f
