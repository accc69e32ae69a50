// RUN: %pmc %s --emit=pm -o - | FileCheck %s
// Behind `in`, a name is a unit, also in parentheses and if a variable has the name.
// CHECK-DAG: pm.input "v" : {{.*}} {unit = "(m/s)"}
// CHECK-DAG: pm.input "w" : {{.*}} {unit = "nm^2"}
// CHECK-DAG: pm.param "r" {{.*}}unit = "(mm/s)"
units nm
dim x = 8 over 40 nm
let g = 2.0
let s = 3 g
input v: field[x] in (m/s)
input w: field[x] in (nm)^2
param r: f64 in (mm/s) in (0, 2] = 1 mm/s
param t: f64 in (0, 1) = 0.5
output e in (nm)^2 = w
print "{} {} {} {}", 2 kg in g, max(v) / r, 5 ms in (s), t + s
