// RUN: %pmc %s --emit=pm -o %t 2>&1 | FileCheck %s --implicit-check-not=warning
// RUN: %pmc %s --precision=f64 --emit=pm -o %t 2>&1 | count 0

// Numbers that f32 does not have: fields would be 0 or infinite, without a word.

unit g = 5.0279e-34 Msun
dim x = 64 over 100 Mpc/h
let delta = 0.1 * white_noise[x](1)
// CHECK: :[[#@LINE+1]]:27: warning: a number here, 9.45e-48 in working units, is 0 in f32, which begins at 1.2e-38; --precision=f64 keeps it, and so may other units
let rho = 1.88e-29 g/cm^3 * (1 + delta)
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: a number here, 1e-60 in working units, is 0 in f32
let tiny = map q in [x] => 1e-60 * delta
// CHECK: :[[#@LINE+1]]:20: warning: a number here, 1e+60 in working units, is infinite in f32, which ends at 3.4e38
fn times(f) = 1e60 * f
output huge = times(delta)
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: a number here, 1e-39 in working units, is inexact in f32
output few = 1e-39 * delta
output fine = 1e-37 * delta + 1e38
output rho
output tiny
// Of numbers alone, which are f64.
print "{}", 1e-60 * mean(delta)
