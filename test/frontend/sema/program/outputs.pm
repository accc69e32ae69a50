// RUN: not %pmc --emit=pm %s 2>&1 | FileCheck %s
// output and plot.
param t: bool = true
dim x = 8, y = 8, z = 8
let w = white_noise[x, y](1)
let u = white_noise[x, y, z](1)
let r = {first = w, second = "two"}
// CHECK: :[[#@LINE+1]]:8: error: 'output' of a record writes fields and numbers, and its member 'second' is string
output r
// CHECK: :[[#@LINE+1]]:1: error: the members of a record have their own names; leave the columns out
output r2 (k) flatten = {a = w}
// CHECK: :[[#@LINE+1]]:21: error: 'flatten' makes columns of the fields of a record, and its member 'b' is int
output r3 flatten = {a = w, b = 3}
// CHECK: :[[#@LINE+1]]:12: error: 'output' requires fields, or numbers, not both
output a = (w, 3)
// CHECK: :[[#@LINE+1]]:12: error: 'output' requires fields of the same dims, not [x, y] and [x, y, z]
output b = (w, u)
// CHECK: :[[#@LINE+1]]:11: error: 2 columns are named, but there are 1 values
output c (one, two) = w
// CHECK: :[[#@LINE+1]]:12: error: 'output' requires fields or numbers, not string
output d = "text"
// CHECK: :[[#@LINE+1]]:12: error: 'output' requires fields or numbers, not a string in a tuple
output e = (w, "text")
// CHECK: :[[#@LINE+1]]:1: error: 'flatten' joins the dims of fields; these are numbers
output f flatten = 3
// CHECK: :[[#@LINE+1]]:12: error: 'output' requires fields of the same dims, not [x, y] and [kx, ky]
output g = (w, fft(w))
output w
// CHECK: :[[#@LINE+2]]:8: error: there are two outputs 'w'
// CHECK: :[[#@LINE-2]]:8: note: the first one
output w = 2 w
// CHECK: :[[#@LINE+1]]:6: error: 'plot' draws a real field of 2 dims, or a tuple of fields of 1 dim (x, then curves), not field[x, y, z]; take a slice, or draw its 'histogram'
plot u
plot w scale log
// CHECK: :[[#@LINE+1]]:6: error: 'plot' draws real fields, not complex field[kx, ky]; draw abs(f), real(f) or imag(f) of a complex field f
plot fft(w)
// CHECK: :[[#@LINE+1]]:6: error: 'plot' draws a real field of 2 dims, or a tuple of fields of 1 dim (x, then curves), not int
plot 3
// CHECK: :[[#@LINE+1]]:15: error: a picture has no scales of its own for x and y; 'scale' is that of its colors
plot w xscale log
// CHECK: :[[#@LINE+1]]:32: error: 'colors' are those of a picture
plot sum(w, over = (x)) colors gray
// CHECK: :[[#@LINE+1]]:32: error: clabel: these are curves, which have no color bar; 'xlabel' and 'ylabel' name their axes
plot sum(w, over = (x)) clabel "w"
plot m = w
// CHECK: :[[#@LINE+2]]:6: error: there are two plots 'm'
// CHECK: :[[#@LINE-2]]:6: note: the first one
plot m = w
fn doubled(f) = 2 f
// CHECK: :[[#@LINE+1]]:8: error: 'doubled' is a function; write its value as an output with another name: output made = doubled(w)
output doubled (w)
if t {
  // CHECK: :[[#@LINE+1]]:14: error: 'output' requires fields or numbers, not a function
  output k = unknown_dims
}
fn unknown_dims() = 3
