// RUN: not %pmc check %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Options and forms of builtins in functions that no call reaches.
use fields, nbody, cosmology
dim x = 16, y = 16, z = 16 over 100 Mpc/h
dim t = 8
const width = 4 Mpc/h
let density = white_noise[x, y, z](1)
// CHECK: :[[#@LINE+1]]:43: error: there is no window "cicc"; did you mean 'cic'?
fn window_of_paint(a) = paint(a, window = "cicc")
// CHECK: :[[#@LINE+1]]:50: error: there is no window "spline"
fn window_of_readout(a) = readout(a, a, window = "spline")
// CHECK: :[[#@LINE+1]]:46: error: there is no edge "zeroo"; did you mean 'zero'?
fn edge_of_shift(a) = shift(a, x = 1, edge = "zeroo")
// CHECK: :[[#@LINE+1]]:23: error: write shift(f, x = 1), or shift(f, x = 1, y = -2, edge = "zero")
fn form_of_shift(a) = shift(a, 1)
// CHECK: :[[#@LINE+1]]:23: error: write slice(f, z = a .. b)
fn form_of_slice(a) = slice(a, 1 .. 2)
// CHECK: :[[#@LINE+1]]:26: error: the factor of 'refine' is an int, not f64
fn factor(a) = refine(a, 2.5)
// CHECK: :[[#@LINE+1]]:37: error: the factor of 'coarsen' is an int, not f64 in Mpc/h
fn factor_with_unit(a) = coarsen(a, width)
// CHECK: :[[#@LINE+1]]:37: error: the schedule is "keep", "revolve" or "reverse", not "reverze"
fn schedule(a) = grad(a, schedule = "reverze")
// CHECK: :[[#@LINE+1]]:20: error: the dim 'x' is twice in field[x, x]
fn dims_twice(a) = constant[x, x](a)
// CHECK: :[[#@LINE+1]]:26: error: 'stored' requires "bf16" (8 bits of mantissa, the range of f32) or "f16" (11 bits, up to 65504)
fn format(a) = stored(a, "bf17")
// CHECK: :[[#@LINE+1]]:42: error: an order is "ascending" or "descending", not "down"
fn order_of_sort(a) = sort(a, x, order = "down")
// CHECK: :[[#@LINE+1]]:37: error: the offset of a neighbor is an int, not f64 in Mpc/h
fn offset_with_unit(a) = a[x + 1, y + width]
// CHECK: :[[#@LINE+1]]:20: error: the offset of a neighbor is an int, not f64
fn offset(a) = a[x + 0.5]
// CHECK: :[[#@LINE+1]]:55: error: the condition of 'if' is a bool, not field[D]
fn condition_of_fields(a: field[D], b: field[D]) = if a then b else a
// CHECK: :[[#@LINE+1]]:29: error: field[x, y, z] has no dim 't'
fn cell(a) = density with {[t = 0] = a}
// CHECK: :[[#@LINE+1]]:51: error: the condition of 'collect' is a bool, not f64
fn condition_of_collect(a) = collect q in a where width into 16 => 1
// CHECK: :[[#@LINE+1]]:40: error: the number of bins is an int, not f64
fn count_of_bins(a) = bins q in a into 2.5 by q => 1
// CHECK: :[[#@LINE+1]]:37: error: kernel is "fd2", "fd4", "fd6" or "exact"
fn kernel(a) = gradient(a, kernel = "fd5")
// CHECK: :[[#@LINE+1]]:37: error: the value of 'result_field' must be f64, not field[x, y, z]
fn result_field(a) -> f64 = density * 2
// CHECK: :[[#@LINE+1]]:68: error: nbody: requires from, to and at least 1 step, or times; found 0 steps
fn no_steps(a) = nbody(flat_lcdm(), a, from = 0.1, to = 1, times = {steps = 0, at = i => 0.1})
