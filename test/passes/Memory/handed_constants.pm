// RUN: %pmc --emit=lowered %s | FileCheck %s
// Constants that loops and branches begin with and hand on are computed anew: no field is kept alive to be copied.
// CHECK-NOT: pm.copy
param n: int = 4
dim x = 16, y = 16 over 1
let f = white_noise[x, y](1)
let (a, b) = loop (a, b) = (f, zeros[x, y]) for i in 0 .. n => (a * b, zeros[x, y])
output a
output b
let (d, e) = loop (d, e) = (white_noise[x, y](2), zeros[x, y] + 1) while sum(d) < 4 => (e^2, zeros[x, y] + 1)
output d
output e
let g = if n > 3 then zeros[x, y] else zeros[x, y] + 1
output g
