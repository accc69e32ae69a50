// RUN: %pmc %s --emit=pm -o %t 2>&1 | FileCheck %s --implicit-check-not=warning

// What stands behind a number is a unit, whatever else has its name.

// CHECK: :[[#@LINE+1]]:15: warning: 'm' behind a number is the unit, not the variable: write a '*' in front of that
fn twice(m) = 2 m
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: 'm' behind a number is the unit
fn square(m) = 1.5 m^2
fn fine(m, h) = 3 km / (1 km) * h + 2 * m * (100 h/Mpc) * (1 Mpc/h)
let s = 3.0
let t = 5 s
print "{} {} {} {}", number(twice(5.0), 1 m), number(square(1.0), 1 m^2), fine(1.0, 1.0), number(t, 1 s) + s
