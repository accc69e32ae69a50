// RUN: %pmc --emit=pm %s | FileCheck %s
// output, plot, print, assert, given.
param box: length = 8 Mpc/h
param flag: bool = true
param n: int = 3
dim x = 8, y = 8 over box
dim z = 4
input maybe: field[x, y] optional
let w = white_noise[x, y](1)

// CHECK: %[[G:.*]] = pm.given "maybe"
// CHECK: %[[W:.*]] = pm.white_noise
// CHECK: pm.output "w"(%[[W]] : !pm.field<[x=8, y=8], f32>){{$}}
output w
// CHECK: pm.output "v"(%{{.*}}, %{{.*}} : {{.*}}) {columns = ["a", "b"], flatten, unit = "Mpc/h"}
output v (a, b) flatten = (w * 1 Mpc/h, 2 w * 1 Mpc/h)
// The value has the output's name from here on.
// CHECK: %[[T:.*]] = pm.map
// CHECK: pm.output "twice"(%[[T]]
// CHECK: pm.map {{.*}} ins(%[[T]]
output twice = 2 w
output fourfold = 2 twice
// CHECK: pm.output "numbers"(%{{.*}}, %{{.*}} : f64, f64) {columns = ["k", "l"]}
output numbers (k, l) = (n, 2.5)
// Bools are written as 0 and 1, f32 beside f64 as f64.
// CHECK: -> !pm.field<[x=8, y=8], i1>
// CHECK: -> !pm.field<[x=8, y=8], f32>
output positive = w > 0
// CHECK: pm.output "mixed"(%{{.*}}, %{{.*}} : !pm.field<[bin=8], f64>, !pm.field<[bin=8], f64>)
let counts = bins q in w into 8 by index(q, x) => 1
output mixed = (counts, map b in counts => 1)

// What figures say follows from how things are called.
// CHECK: pm.plot "plot1"(%[[W]]{{.*}} {figure = {axes = ["Mpc/h", "Mpc/h"], labels = ["w"], title = "w", units = [""]}}
plot w
// CHECK: pm.plot "picture" log
plot picture = w^2 scale log
// CHECK: pm.plot "plot3"(%{{.*}}, %{{.*}} : !pm.field<[bin=8], f64>, !pm.field<[bin=8], f64>) {figure = {axes = ["1"], bins = "bins", labels = ["counts", "2 counts"], title = "Counts", units = ["", ""], xscale = "log"}}
plot (counts, 2 counts) title "Counts" xscale log
// CHECK: pm.plot "cut"({{.*}}labels = ["white_noise[x, y, z](2) * 1 Mpc/h"], subtitle = "z = 0 .. 2", title = "cut", units = ["Mpc/h"]
plot cut = slice(white_noise[x, y,
                             z](2) * 1 Mpc/h, z = 0 .. 2)

// CHECK: pm.print "text {{[{][{]x[}][}]}} {:.3f} {:d} exact {}"
print "text {{x}} {:.3f} {} {} {}", 1.5, n, "exact", flag
// CHECK: %[[OK:.*]] = arith.cmpi sgt
// CHECK: pm.assert %[[OK]], "n is {:d}"(%{{.*}})
assert n > 0, "n is {}", n
// Known when compiling: nothing to do.
// CHECK-NOT: pm.assert
assert 2 > 1
// CHECK: scf.if %[[G]]
// CHECK: pm.input_value "maybe" -> !pm.field<[x=8, y=8], f32>
output chosen = if given(maybe) then maybe else w
// Not known to be reached: left to the program.
fn positive(u) { assert u > 0, "{} is not positive", u; u }
// CHECK: %[[FALSE:.*]] = arith.constant false
// CHECK: pm.assert %[[FALSE]], "here"
if flag { assert false, "here" }
