// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Windows of one's own, and batches.
param width = 3.0
dim x = 8, y = 8 over 2
dim t = 3, s = 4
let p = (zeros[t], zeros[t])
let f = zeros[x, y]
// CHECK: :[[#@LINE+1]]:35: error: the support of a window is a whole number of cells from 2 to 14, known when the spec is compiled
let a = readout_at(f, p, window = {support = 15, weight = u => 1})
// CHECK: :[[#@LINE+1]]:35: error: the support of a window is a whole number of cells from 2 to 14, known when the spec is compiled
let b = readout_at(f, p, window = {support = width, weight = u => 1})
// CHECK: :[[#@LINE+1]]:35: error: a window has a function, weight = u => …, of the distance from a particle to a cell in cells
let c = readout_at(f, p, window = {support = 4, weight = 1})
// CHECK: :[[#@LINE+1]]:35: error: the window's weight is a number that is known when the spec is compiled, not f64
let d = readout_at(f, p, window = {support = 4, weight = u => exp(-u^2 / width)})
// CHECK: :[[#@LINE+1]]:35: error: the window's weight is not smooth enough between cells: polynomials reach about 5.0e-04, not 1.0e-07, of its maximum; give an accuracy, or put its kinks where cells begin
let e = readout_at(f, p, window = {support = 3, weight = u => max(1 - abs(u), 0)})
// CHECK: :[[#@LINE+1]]:35: error: a window has a support, a weight and an accuracy, but no 'shape'
let g = readout_at(f, p, window = {support = 3, weight = u => 1, shape = 2})
// CHECK: :[[#@LINE+1]]:35: error: the accuracy of a window is a number between 0 and 1, known when the spec is compiled
let h = readout_at(f, p, window = {support = 3, weight = u => 1, accuracy = 0})
// CHECK: :[[#@LINE+1]]:23: error: the mesh has 2 dims, [x, y], but this has 1 component; dims that count a batch have no length, or the components name theirs: for d in (x, y) => ...
let j = readout_at(f, p[0])
// CHECK: :[[#@LINE+1]]:42: error: the weight is a number or a field of the particles, complex field[s, t], not complex field[t]
let k = paint_at[s, x, y](p, weight = 1i + zeros[t])
