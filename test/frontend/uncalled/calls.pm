// RUN: not %pmc check %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Calls and arguments in functions that no call reaches.
use fields, nbody
dim x = 16, y = 16, z = 16 over 100 Mpc/h
dim t = 8
const width = 4 Mpc/h
const speed = 200 km/s
let density = white_noise[x, y, z](1)
let cosmo = {omega = 0.3, h = 0.7}
output d = density
fn scaled(f, r: f64 Mpc/h) = f * r
// CHECK: :[[#@LINE+1]]:17: error: 'smooth' requires an argument 'R'
fn missing(a) = smooth(a)
// CHECK: :[[#@LINE+1]]:42: error: 'smooth' has 3 parameters, here are more arguments
fn too_many(a) = smooth(a, width, width, width, width)
// CHECK: :[[#@LINE+1]]:32: error: 'smooth' has no parameter 'radius_of_it'; its parameters are f, R, over
fn unknown_name(a) = smooth(a, radius_of_it = width)
// CHECK: :[[#@LINE+1]]:34: error: 'r' of 'scaled' must be f64 in Mpc/h, not f64 in s
fn wrong_argument(a) = scaled(a, 1 s)
// CHECK: :[[#@LINE+1]]:54: error: 'scaled' has 2 parameters, here are more arguments
fn too_many_of_own(a: field[D]) = scaled(a, 2 Mpc/h, 3)
// CHECK: :[[#@LINE+1]]:22: error: field[x, y, z] is not a function
fn field_called(a) = density(a)
// CHECK: :[[#@LINE+1]]:23: error: f64 is not a function
fn number_called(a) = width(a)
// CHECK: :[[#@LINE+1]]:31: error: f64 is not a function
fn parameter_called(a: f64) = a(1)
// CHECK: :[[#@LINE+1]]:56: error: the function has no parameter 'c'
fn no_parameter(a) = grad(b => sum(b * density), wrt = c)(a)
// CHECK: :[[#@LINE+1]]:34: error: kernel is "fd2", "fd4" or "fd6"
fn option(a) = force(a, kernel = "fd5")
// CHECK: :[[#@LINE+1]]:30: error: this must be a dim, not int
fn no_dim(a) = fft(a, over = 3)
// CHECK: :[[#@LINE+1]]:39: error: the field has no dim 't'; its dims are [x, y, z]
fn other_dim(a) = sum(density, over = t) * a
// CHECK: :[[#@LINE+1]]:29: error: this must be a dim, not int
fn dims_of_zeros(a) = zeros[3] + a
// CHECK: :[[#@LINE+1]]:31: error: this must be a dim, not int
fn cells_of_number(a) = cells(3)
// CHECK: :[[#@LINE+1]]:33: error: '+' does not work on string
fn operand(a) = readout(density + "a", a)
// CHECK: :[[#@LINE+1]]:21: error: 'a' of 'default' must be int, not f64
fn default(a: int = 1.5) = a
