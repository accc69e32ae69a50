// RUN: %pmc %s -O0 -o %t --precision=f64 && %python %S/../../ranks/on_meshes.py %t %t.out 1e-10 1x1 3x1 2x2
// RUN: %python %S/check_corrections.py %t.out/1x1
// Corrections of particles agree with NumPy: potential gradient descent, and interpolated lattices of particles.

use fields, particles, nbody

dim x = 8, y = 7, z = 6 over 60 Mpc/h
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col

let s = {disp = for i in 0 .. 3 => 4 Mpc/h * white_noise[x, y, z](i),
         mom = for i in 0 .. 3 => 0 Mpc/h * white_noise[x, y, z](i)}
output disp = for u in s.disp => number(u, 1 Mpc/h)
let exact = potential_descent(s, 0.3, 0.2 h/Mpc, 0.5 h/Mpc, kernel = "exact")
let differences = potential_descent(s, 0.3, 0.2 h/Mpc, 0.5 h/Mpc, kernel = "fd2", window = "ngp", boost = 2)
output exact = for u in exact.disp => number(u, 1 Mpc/h)
output differences = for u in differences.disp => number(u, 1 Mpc/h)
output fourier = sheet_overdensity(s, factor = 3)
output linear = sheet_overdensity(s, boost = 2, interpolation = "linear")
assert max(abs(sheet_overdensity(s, factor = 1) - overdensity(s))) < 1e-12, "the factor 1"

// Derivatives with respect to displacements and parameters agree with differences and with each other.
let along = for i in 0 .. 3 => 1e-2 Mpc/h * white_noise[x, y, z](7 + i)
fn size(e) = {
  let moved = s with {disp = for i in 0 .. 3 => s.disp[i] + e * along[i]}
  let once = potential_descent(moved, 0.3 + e, (0.2 + 0.01 * e) * 1 h/Mpc, 0.5 h/Mpc, window = "tsc")
  sum(sheet_overdensity(once, window = "tsc")^2) +
    sum(sheet_overdensity(once, window = "tsc", interpolation = "linear")^2)
}
let (_, slope) = jvp(size)(0.0, tangent = 1.0)
let back = grad(size)(0.0)
let steps = (size(1e-5) - size(-1e-5)) / 2e-5
assert abs(slope - back) < 1e-9 * abs(back), "{} forward, {} backward", slope, back
assert abs(slope - steps) < 1e-5 * abs(slope), "{}, and {} by differences", slope, steps
