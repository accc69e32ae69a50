// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Ends of axes that a plot cannot have.
dim x = 8, y = 8 over 10 Mpc/h
let w = white_noise[x, y](1)
let line = sum(w, over = y)
// CHECK: :[[#@LINE+1]]:17: error: a map shows its whole sides; 'crange' gives the range of its colors
plot w xrange 0 .. 3
// CHECK: :[[#@LINE+1]]:34: error: 'crange' is for the colors of a map; these are curves, which have 'xrange' and 'yrange'
plot sum(w, over = (x)) crange 0 .. 3
// CHECK: :[[#@LINE+1]]:17: error: 'crange': the axis is a pure number, and an end of the range is in km
plot w crange 0 .. 3 km
// CHECK: :[[#@LINE+1]]:17: error: 'crange': expected a lower and a higher number
plot w crange 3 .. 3
// CHECK: :[[#@LINE+1]]:17: error: 'crange': the scale is logarithmic, which requires numbers above 0
plot w crange 0 .. 3 scale log
// CHECK: :[[#@LINE+1]]:17: error: 'crange': expected numbers that the compiler knows, found f64
plot w crange 0 .. mean(w)
// CHECK: :[[#@LINE+1]]:20: error: 'xrange': the axis is in Mpc/h, and an end of the range is a pure number
plot line xrange 1 .. 3
// CHECK: :[[#@LINE+1]]:21: error: 'yrange': the scale is logarithmic, which requires numbers above 0
plot line yrange -1 .. 3 yscale log
// CHECK-NOT: error
plot line yrange -1 .. 3 xrange 0 .. 3 Mpc/h xscale linear
