// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Names of other languages, and of library modules that are not used: the message says what exists.
dim x = 8
let f = white_noise[x](1)
// CHECK: :[[#@LINE+1]]:9: error: there is no 'stack': a tuple (f, g) holds several fields; with 'use fields', field_of((f, g), c) is a field over a dim c, too
let a = stack(f, f)
// CHECK: :[[#@LINE+1]]:9: error: there is no 'cumsum': write 'use fields' for sums along dims, cumsum(f, over = x); a loop carries a sum of numbers: loop s = 0.0 for i in 0 .. n => s + …
let b = cumsum(f)
// CHECK: :[[#@LINE+1]]:9: error: there is no 'fmod': write x - b * floor(x / b), or mod(a, b) of ints
let c = fmod(3, 2)
// CHECK: :[[#@LINE+1]]:9: error: there is no 'trunc': int(x) and floor(x) round down
let d = trunc(2.5)
// CHECK: :[[#@LINE+1]]:9: error: there is no 'transpose': a map gives a field the dims in another order: map q in [y, x] => f
let e = transpose(f)
// CHECK: :[[#@LINE+1]]:9: error: there is no 'where': write if c then a else b; of fields, map q in c => if c then a else b
let g = where(f > 0, f, 0)
// CHECK: :[[#@LINE+1]]:9: error: there is no 'std': write sqrt(mean((f - mean(f))^2))
let h = std(f)
// CHECK: :[[#@LINE+1]]:9: error: undefined name 'adam'; it is in the module 'optim': add 'use optim'
let i = adam(0.1)
// CHECK: :[[#@LINE+1]]:9: error: undefined name 'clamp'; it is in the module 'math': add 'use math'
let j = clamp(2, 0, 1)
// CHECK: :[[#@LINE+1]]:9: error: undefined name 'overdensity'; it is in the module 'particles': add 'use particles'
let k = overdensity(f)
