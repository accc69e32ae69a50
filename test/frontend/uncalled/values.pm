// RUN: not %pmc check %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Values, conditions and names in functions that no call reaches.
use fields, nbody
dim x = 16, y = 16, z = 16 over 100 Mpc/h
dim t = 8
const width = 4 Mpc/h
const speed = 200 km/s
let density = white_noise[x, y, z](1)
let cosmo = {omega = 0.3, h = 0.7}
output d = density
// CHECK: :[[#@LINE+1]]:22: error: record {omega, h} has no member 'omega_m'; did you mean 'omega'?
fn member(a) = cosmo.omega_m * a
// CHECK: :[[#@LINE+1]]:52: error: record {one, two} has no member 'three'
fn own_member(a) = { let r = {one = a, two = 2}; r.three }
// CHECK: :[[#@LINE+1]]:30: error: 2 names for 3 values
fn names(a) = { let (b, c) = (a, 1, 2); b }
// CHECK: :[[#@LINE+1]]:29: error: the index of a component must be from 0 to 2, not 3
fn component(a) = (1, 2, 3)[3] * a
// CHECK: :[[#@LINE+1]]:30: error: int has no members, so no 'b'
fn member_of_int(a: int) = a.b
// CHECK: :[[#@LINE+1]]:30: error: there is no edge "perodic"; did you mean 'periodic'?
fn edge(a) = a[x + 1, edge = "perodic"]
// CHECK: :[[#@LINE+1]]:21: error: '+' does not work on string
fn text(a) = "text" + a
// CHECK: :[[#@LINE+1]]:42: error: '+' does not work on string
fn text_parameter(a, kernel: string) = a + kernel
// CHECK: :[[#@LINE+1]]:18: error: 'not' works on bools, not on a number in Mpc/h
fn negation(a) = not (a + 1 Mpc/h)
// CHECK: :[[#@LINE+1]]:42: error: 'not' works on bools, not on field[D] in Mpc
fn negation_of_field(a: field[D] Mpc) = (not a)
// CHECK: :[[#@LINE+1]]:29: error: the condition of 'if' is a bool, not f64
fn condition(a: f64) = if a + 1 then a else 0
// CHECK: :[[#@LINE+1]]:54: error: the condition of 'while' is a bool, not a number
fn condition_of_loop(a, n: int) = loop s = a while s + 1 => s
// CHECK: :[[#@LINE+1]]:35: error: complex numbers have no order; compare their parts or norm2
fn order(a: complex field[D]) = a < 1
// CHECK: :[[#@LINE+1]]:27: error: the text has more {} than there are values (1)
fn values_of_print(a) = { print "{} {}", a; a }
// CHECK: :[[#@LINE+1]]:31: error: this value is not used, and nothing is changed in place; name it with 'let', or leave it out
fn unused(a) = { let b = a; a + 1; b }
// CHECK: :[[#@LINE+1]]:41: error: the map over [x, y] has no coordinate 't'
fn coordinate(a) = map q in [x, y] => q[t] * a
// CHECK: :[[#@LINE+1]]:50: error: '+' requires equal units, not Mpc/h and km/s
fn local_function(a) = { fn inner(b) = b + width + speed; inner }
// CHECK: :[[#@LINE+1]]:38: error: '+' requires equal units, not Mpc/h and km/s
fn assertion(a) = { assert a > width + speed; a }
