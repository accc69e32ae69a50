// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Dims that are printed alike, but differ: the message says in what.
dim x = 8, y = 8 over 10 Mpc/h
let a = white_noise[x, y](1)
let b = white_noise[y, x](2)
// CHECK: :[[#@LINE+1]]:20: error: '+' requires fields of the same dims, not complex field[kx, ky] and complex field[kx, ky]; the halved dim of the first one is 'ky', that of the second one 'kx'
let mixed = fft(a) + fft(fft(a, over = x), over = y)
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'inner' requires two numbers, fields of the same dims, tables, or tuples or records of them, not field[x, y] and field[y, x]; they have the same dims in another order
let turned = inner(a, b)
// Tangents may have their dims in any order, but these must be the same.
let along = jvp(f => sum(f^2))(a, tangent = b)
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'tangent' holds field[x] instead of one like field[x, y]
let across = jvp(f => sum(f^2))(a, tangent = white_noise[x](1))
// Said by the names already.
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'inner' requires two numbers, fields of the same dims, tables, or tuples or records of them, not field[x, y] and field[x] [PM0524]{{$}}
let other = inner(a, white_noise[x](1))
// A dim that a function was handed has its own name, not the parameter's.
// CHECK: :[[#@LINE+1]]:20: error: field[x, y] has no dim 'x/2'
fn ahead(f, d) = f[d = d + 1]
let finer = ahead(a, coarsen(x, 2))
