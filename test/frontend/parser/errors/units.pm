// RUN: not %pmc --emit=ast %s 2>&1 | FileCheck %s
// CHECK: :[[#@LINE+1]]:7: error: numbers cannot be stored in T
units T
// CHECK: note: 'units' lists units of length, time, temperature, mass and current: 'units um, ms'
// CHECK: :[[#@LINE+1]]:11: error: 'units' has two units of one kind
units mm, km
// CHECK: :[[#@LINE+1]]:7: error: 'units' has two units of one kind
units um, s
// CHECK: :[[#@LINE+1]]:13: error: expected a unit, found '3'
units mm, s,3
// CHECK: note: units are on the manual's page of units: mm, km/s, h/Mpc
if 1 > 0 {
  // CHECK: :[[#@LINE+1]]:3: error: 'units' is allowed only at the top level
  units mm
}
