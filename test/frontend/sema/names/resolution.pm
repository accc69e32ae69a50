// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// RUN: %pmc --emit=pm --precision=f64 %s -o /dev/null
// Positions and bins in f32 that cannot tell cells apart, beside the last ones that can.
dim a = 2097152, b = 2097153 over 100 Mpc/h
dim c = 16777216, d = 16777217
dim t = 8
let here = zeros[t]
let f = here + 0.5

let p = readout_at(zeros[a], here)
// CHECK: :[[#@LINE+1]]:30: error: positions in f32 cannot distinguish the 2097153 cells of 'b', only 2097152 (16777216 where the spacing is 1); compile with --precision=f64, or give displacements from a lattice, which keep their precision (paint, readout)
let q = readout_at(zeros[b], here)
let r = paint_at[c](f)
// CHECK: :[[#@LINE+1]]:21: error: positions in f32 cannot distinguish the 16777217 cells of 'd', only 16777216; compile with --precision=f64
let s = paint_at[d](f)
// CHECK: :[[#@LINE+1]]:32: error: positions in f32 cannot distinguish the 33554432 cells of
let u = paint_at[refine(c, 2)](f)
// Displacements may be in f32.
// CHECK-NOT: error
let v = readout(zeros[d], zeros[d] + 0.5)
let w = paint[b](zeros[b])

let g = bins q in f into 16777216 by f => 1
// CHECK: :[[#@LINE+1]]:40: error: the bin is computed in f32, from a field, and distinguishes at most 16777216 bins, not 16777217; compute it from ints, or coordinates and numbers, which are f64, or compile with --precision=f64
let h = bins q in f into 16777217 by 2 f => 1
// From coordinates, bins are f64.
// CHECK-NOT: error
let i = bins q in [t] into 16777217 by 0.5 * index(q, t) => 1
