// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Edges of paints and readouts.
dim x = 8, y = 6, t = 3 over 1
dim p = 5
let f = white_noise[x, y](1)
let a = map q in [p] => 0.5
output fine = paint_at[x, y]((a, a), edge = "periodic") + paint_at[x, y]((a, a), edge = "zero")
// CHECK-NOT: error
// CHECK: :[[#@LINE+1]]:38: error: the edge of particles is "periodic", "zero", "clamp" or "reflect", not "zeros"
let b = readout_at(f, (a, a), edge = "zeros")
// CHECK: :[[#@LINE+1]]:38: error: the edge of particles is "periodic", "zero", "clamp" or "reflect", not int
let c = readout_at(f, (a, a), edge = 3)
// CHECK: :[[#@LINE+1]]:48: error: modes of 'kx' are periodic and have no edge
let d = readout_at(fft(f + 0i), (a, a), edge = "zero")
// CHECK: error: "reflect" reaches less far than the 3 cells of 't'
let e = readout_at(white_noise[t](1), (a,), edge = "reflect")
