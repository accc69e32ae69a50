// RUN: not %pmc %s --emit=pm -o %t 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning

// A number before a name that is a unit and a variable could mean either, so it is an error, inside of functions and outside.

// CHECK: :[[#@LINE+3]]:15: error: 'm' is a unit and a variable here: write '* m' for the variable; for the unit, give the variable another name
// CHECK-NEXT: fn twice(m) = 2 m
// CHECK: :[[#@LINE+1]]:10: note: the variable is defined here
fn twice(m) = 2 m
// CHECK: :[[#@LINE+1]]:16: error: 'm' is a unit and a variable here
fn square(m) = 1.5 m^2
// Units of several names are not mistaken, nor are dims, by which no number is multiplied.
fn fine(m, h) = 3 km / (1 km) * h + 2 * m * (100 h/Mpc) * (1 Mpc/h) + 2 (m) + 3 m/km
fn over[s](f) = 2 s
dim ms = 4
let pause = 2 ms
// CHECK: :[[#@LINE+3]]:9: error: 's' is a unit and a variable here
// CHECK: :[[#@LINE+1]]:5: note: the variable is defined here
let s = 3.0
let t = 5 s
let K = 3.0
// CHECK: :[[#@LINE+1]]:13: error: 'K' is a unit and a variable here
print "{}", 2 K
fn T(k) = k^2
// CHECK: :[[#@LINE+1]]:13: error: 'T' is a unit and a variable here
print "{}", 2 T (3.0)
param cm = 3.0
// CHECK: :[[#@LINE+1]]:13: error: 'cm' is a unit and a variable here
print "{}", 2 cm
const mm = 2
// CHECK: :[[#@LINE+1]]:10: error: 'mm' is a unit and a variable here
let u = (4 mm^-1 * 2)
unit inch = 25.4 mm
input inch: field[ms]
// CHECK: :[[#@LINE+1]]:9: error: 'inch' is a unit and a variable here
let v = 2 inch
let w = map mT in [ms] => {
  let kHz = 3.0
  // CHECK: :[[#@LINE+1]]:3: error: 'kHz' is a unit and a variable here
  2 kHz
}
// The place of the variable does not matter.
// CHECK: :[[#@LINE+1]]:9: error: 'Hz' is a unit and a variable here
let a = 2 Hz
let Hz = 2
