// RUN: %pmc --emit=pm %s -o /dev/null 2>&1 | FileCheck %s
// A param that is not used is a warning at its name. Params of functions, dims, inputs and functions that are not called count as uses.
param steps: int in [1, 9] = 3
param seed: u64 = 1
param cells_of_another: int in [1, 9] = 2
// CHECK: :[[#@LINE+1]]:7: warning: the param 'box' is not used; the length of the dim 'x' is a number: write 'over box' [PM0705]
param box: length = 100 Mpc/h
// CHECK: :[[#@LINE+1]]:7: warning: the param 'tilt' is not used; remove it, or use it in the spec [PM0705]
param tilt = 0.96
// CHECK-NOT: warning
dim x = 8, y = 8 over 200
fn never(a) = a * cells_of_another
let f = loop f = white_noise[x, y](seed) for i in 0 .. steps => 0.5 * f
output f
