// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Dims that are printed alike, but differ: the message says in what.
dim x = 8, y = 8 over 10 Mpc/h
let a = white_noise[x, y](1)
let b = white_noise[y, x](2)
// CHECK: :[[#@LINE+1]]:20: error: '+' wants fields of the same dims, not complex field[kx, ky] and complex field[kx, ky]; the halved dim of the first one is 'ky', that of the second one 'kx'
let mixed = fft(a) + fft(fft(a, over = x), over = y)
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'inner' wants two numbers, fields of the same dims, tables, or tuples or records of them, not field[x, y] and field[y, x]; they have the same dims in another order
let turned = inner(a, b)
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'tangent' holds field[y, x] where there should be one like field[x, y]; they have the same dims in another order
let along = jvp(f => sum(f^2))(a, tangent = b)
// Said by the names already.
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'inner' wants two numbers, fields of the same dims, tables, or tuples or records of them, not field[x, y] and field[x]{{$}}
let other = inner(a, white_noise[x](1))
