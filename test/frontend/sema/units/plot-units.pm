// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// Units that a plot, a column or a table cannot have.
dim x = 8, y = 8 over 10 mm
dim c = 4
let w = 1 mm/s * white_noise[x, y](1)
let line = w[y = 0]
let coils = white_noise[c](1)
// CHECK: :[[#@LINE+1]]:11: error: 'in mm' requires a value in mm, found one in mm/s
plot w in mm
// CHECK: :[[#@LINE+1]]:14: error: 'cunit K' requires a value in K, found one in mm/s
plot w cunit K
// CHECK: :[[#@LINE+1]]:14: error: 'xunit ms' requires a value in s, found one in mm
plot w xunit ms
// CHECK: :[[#@LINE+1]]:18: error: 'xunit mm': 'c' has no length, and is drawn in cells
plot coils xunit mm
// CHECK: :[[#@LINE+1]]:17: error: 'cunit mm/s': no map here has a color bar in a unit of this kind
plot line cunit mm/s
// CHECK: :[[#@LINE+1]]:24: error: 'yunit mm': no y axis here is in a unit of this kind
plot w histogram yunit mm
// CHECK: :[[#@LINE+1]]:21: error: 'cunit m/s': the values have the unit of 'in m/s', or no map here has a color bar in a unit of this kind
plot w in m/s cunit m/s
// CHECK: :[[#@LINE+1]]:31: error: 'in K': no values here are in a unit of this kind
plot (w, sum(w, over = y)) in K
// CHECK: :[[#@LINE+1]]:24: error: 'in mm' requires a value in mm, found one in mm/s
plot w contours 2 w in mm
// CHECK: :[[#@LINE+1]]:31: error: 'in mm/s' is the unit of all columns, but a column has a unit of its own; write the unit of each column, or only this one
output both (a in cm/s, b) in mm/s = (w, w)
// CHECK: :[[#@LINE+1]]:20: error: 'in K' requires a value in K, found one in mm/s
output other (a in K, b) = (w, w)
// CHECK: :[[#@LINE+1]]:15: error: 3 columns are named, but there are 2 values
output three (a in m/s, b, c) = (w, w)
fn at(t: table(time in s, speed in mm/s), s) = interpolate(t, s)
input rate: table(time in ms, speed in m/s)
input plain: table
output speeds = (at(rate, 2 s), at(rate, 2 min))
// CHECK: :[[#@LINE+1]]:20: error: 't' of 'at' must be table(time in s, speed in mm/s), not table
output wrong = (at(plain, 2 s))
// CHECK-NOT: error:
