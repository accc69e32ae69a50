// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Which dims are directions in space, and which count a batch.
use fields
dim x = 8, y = 8 over 10 Mpc/h
dim c = 3, d = 4
dim u = 6
let batch = white_noise[c, x, y](1)
fn count(list) = total(for d in list => 1)
// The dims with a length; of a transform, what was transformed; what was declared together.
assert count(directions(batch)) == 2 and directions(batch)[0] == x and count(dims(batch)) == 3
assert count(directions(fft(batch, over = c))) == 1 and directions(fft(batch, over = c))[0] == c
assert count(directions(white_noise[c, d](1))) == 2 and count(directions(white_noise[u](1))) == 1
assert count(directions(gradient(batch))) == 2 and count(directions((c, x))) == 1
// CHECK: :[[#@LINE+1]]:16: error: which dims of [c, u] are directions in space, and which count a batch? none has a length; declare those of space in one statement and with a length, dim x = 32, y = 32 over 1, or name them: over = (x, y)
let a = smooth(white_noise[c, u](1), 1)
let b = smooth(white_noise[c, u](1), 1, over = u)
// The coordinates of a batch are no wave numbers.
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'norm2' mixes the position along 'c' with the wave number 'kx'; of the wave numbers alone it is norm2(for d in directions(k) => k[d])
let e = map k in fft(batch, over = (x, y)) => norm2(k)
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'total' mixes the position along 'c' with the wave number 'kx'
let g = map k in fft(batch, over = (x, y)) => total(k)
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'directions' requires a field, not int
let h = directions(3)
