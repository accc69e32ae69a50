// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.out --quiet --format=npy && %python %S/check_solver_orders.py %t.out
// RUN: %t --out %t.out --quiet --format=npy --mesh row=3 && %python %S/check_solver_orders.py %t.out
// RUN: %if fakecuda %{ %pmc %s -O0 --precision=f64 --target=cuda --emulate-gpu -o %t.gpu && %t.gpu --out %t.gpu.out --quiet --format=npy && %python %S/check_solver_orders.py %t.gpu.out %}
// RUN: %pmc %s -O0 --precision=f64 --emit=lowered | FileCheck %s --check-prefix=LOOPS
// Second and third derivatives of solutions by cg and of fixed points, in all combinations of modes, agree with linear algebra in NumPy.

// A gradient solves two systems, and stores no iterations.
// LOOPS-NOT: pm.save

use solvers

mesh ranks(row = 1)
layout x -> row
dim x = 15
let b = white_noise[x](1)
let s = white_noise[x](2)
let v = white_noise[x](3)
let w = white_noise[x](4)
output data (b, s, v, w) = (b, s, v, w)

fn A(u, s) = (3 + s^2) * u - u[x + 1] - u[x - 1]
fn solved(s) = sum(cg(u => A(u, s), b * (1 + s), tolerance = 1e-14, iterations = 60)^3)
output gradient = grad(solved)(s)
output tangent = jvp(solved)(s, tangent = v)[1]
output hessian_fr = jvp(grad(solved))(s, tangent = v)[1]
output hessian_ff = jvp(s => jvp(solved)(s, tangent = v)[1])(s, tangent = w)[1]
output hessian_rf = grad(s => jvp(solved)(s, tangent = v)[1])(s)
output hessian_rr = grad(s => inner(grad(solved)(s), v))(s)
output third = jvp(s => jvp(grad(solved))(s, tangent = v)[1])(s, tangent = w)[1]

fn map_of(u, s) = 0.4 * cos(u + s) + 0.1 * u[x + 1] * s
fn fixed(s) = sum(fixed_point(u => map_of(u, s), 0 * s, 1e-15, 200)^3)
output fixed_gradient = grad(fixed)(s)
output fixed_hessian_fr = jvp(grad(fixed))(s, tangent = v)[1]
output fixed_hessian_ff = jvp(s => jvp(fixed)(s, tangent = v)[1])(s, tangent = w)[1]
