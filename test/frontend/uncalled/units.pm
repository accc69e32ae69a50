// RUN: not %pmc check %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Units in functions that no call reaches.
use fields, nbody
dim x = 16, y = 16, z = 16 over 100 Mpc/h
dim t = 8
const width = 4 Mpc/h
const speed = 200 km/s
let density = white_noise[x, y, z](1)
let cosmo = {omega = 0.3, h = 0.7}
output d = density
// CHECK: :[[#@LINE+1]]:32: error: '+' requires equal units, not Mpc/h and km/s
fn sum_of_units(f) = f + width + speed
// CHECK: :[[#@LINE+1]]:35: error: '+' requires equal units, not km/s and Mpc/h
fn declared_unit(a: f64 km/s) = a + width
// CHECK: :[[#@LINE+1]]:39: error: 'exp' requires a pure number, not field[D] in Mpc/h
fn unit_of_field(a: field[D] Mpc/h) = exp(a)
// CHECK: :[[#@LINE+1]]:44: error: the value of 'result_unit' must be f64 in Mpc/h, not f64 in km/s
fn result_unit(a: f64 km/s) -> f64 Mpc/h = a
// CHECK: :[[#@LINE+1]]:30: error: '+' requires equal units, not km^(1/2)/s^(1/2) and Mpc/h
fn root(a) = sqrt(a + speed) + width
// CHECK: :[[#@LINE+1]]:17: error: 'min' requires equal units, not Mpc/h and km/s
fn smaller(a) = min(a + width, speed)
// CHECK: :[[#@LINE+1]]:51: error: '+' requires equal units, not km/s and Mpc/h
fn component_unit(a: vector field[D] km/s) = a[0] + width
// CHECK: :[[#@LINE+1]]:30: error: the exponent of '^' requires a pure number, not f64 in Mpc/h
fn exponent(a, b: length) = a^b
// CHECK: :[[#@LINE+1]]:41: error: '+' requires equal units, not Mpc and s
fn mean_unit(a: field[D] Mpc) = mean(a) + 3 s
// CHECK: :[[#@LINE+1]]:50: error: '+' requires equal units, not Mpc/h and km/s
fn in_map(a) = map q in a => index(q, x) + width + speed
// CHECK: :[[#@LINE+1]]:53: error: '+' requires equal units, not Mpc/h and km/s
fn in_loop(a) = loop s = width for i in 0 .. a => s + speed
// CHECK: :[[#@LINE+1]]:36: error: '+' requires equal units, not Mpc/h and km/s
fn in_for(a) = for d in a => width + speed
// CHECK: :[[#@LINE+1]]:31: error: '+' requires equal units, not 1 and Mpc/h
fn in_lambda(a) = (a => a + 1 + width + speed)(a)
// CHECK: :[[#@LINE+1]]:39: error: '+' requires equal units, not Mpc/h and km/s
fn in_branch(a) = if a > 0 then width + speed else 0
// CHECK: :[[#@LINE+1]]:42: error: '+' requires equal units, not km/s and Mpc/h
fn in_table(a) = tabulate(k => k + speed + width, a, 1, 100)
// CHECK: :[[#@LINE+1]]:37: error: '+' requires equal units, not Mpc/h and km/s
fn in_record(a) = a with {b = width + speed}
// CHECK: :[[#@LINE+1]]:46: error: '+' requires equal units, not Mpc/h and km/s
fn in_bins(a) = bins q in a into 16 by width + speed => 1
