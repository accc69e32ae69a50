// RUN: %pmc %s -O0 -o %t --precision=f64 && %python %S/../ranks/on_meshes.py %t %t.out 1e-10 1x1 2x2 3x1
// RUN: %python %S/check_sunyaev_zeldovich.py %t.out/1x1
// Maps of the kinetic and the thermal Sunyaev-Zel'dovich effect against sums in NumPy, and their derivatives against differences. On
// meshes of ranks.

use cosmology, fields, lensing, sunyaev_zeldovich

dim x = 12, y = 12, z = 12 over 90 Mpc/h
dim u = 9, v = 7 over 10 deg
dim pix = 48
dim end = 2
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col, u -> row, v -> col
let c = flat_lcdm(omega_m = 0.31, h = 0.7, omega_b = 0.05)
fn noise(seed) = smooth(white_noise[x, y, z](seed), 12 Mpc/h)
fn number_of(d) = if d == x then 1 else if d == y then 2 else 3
let disp = for d in (x, y, z) => 40 Mpc/h * noise(number_of(d))
let move = for d in (x, y, z) => 20 Mpc/h * noise(3 + number_of(d))
output disp = disp
output move = move
let time = equal_shells(c, 250 Mpc/h, 2, near = 60 Mpc/h)
fn light_at(disp, move, i) = light_of(disp, move, shell_of(c, time, i), turned_copies(2), 4)
let light = light_at(disp, move, 0)
let nearer = light_at(disp, move, 1)
let depth = electron_depth(c)
fn temperature(light) = map q in light.disp[0] => 1e-6 * (1 + index(q, x) + 2 * index(q, y))
output numbers (depth, other, a0, a1, a2) =
  (number(depth, 1 h/Mpc), number(electron_depth(c, hydrogen = 0.7, free = 0.8), 1 h/Mpc), time(0), time(1), time(2))
output flat (ksz, tsz, ksz_tsc, tsz_tsc) =
  (ksz_particles[u, v](depth)(light), tsz_particles[u, v](depth, temperature)(light),
   ksz_particles[u, v](depth, window = "tsc")(nearer), tsz_particles[u, v](depth, temperature, window = "tsc")(nearer))
let corner = (0.3, 0.6, 0.5)
output sphere (ksz, tsz) =
  (ksz_sphere[pix](depth, observer = corner, most = 3)(light_of(disp, move, shell_of(c, time, 0), same_copies, 4)),
   tsz_sphere[pix](depth, temperature, observer = corner,
                   most = 3)(light_of(disp, move, shell_of(c, time, 0), same_copies, 4)))
output gas (cic, tsc) = (polytrope(2e-7, 5 / 3)(light), polytrope(2e-7, 1.3, window = "tsc")(light))
let delta = noise(9)
let flow = 300 km/s * noise(10)
output delta
output flow
output boxes (ksz, tsz) = (ksz_box(depth, delta, flow, 0.4, y), tsz_box(depth, delta, 1e-6 * (1 + delta)^2, 0.4, y))

// ---- derivatives ----
// Those of the full sky leave out the change from pixel to pixel, which does not change the sum over all pixels.
fn everything(e, b) {
  let moved = for d in (x, y, z) => disp[d] + e * (if d == z then 1 Mpc/h else 2 Mpc/h)
  let faster = for d in (x, y, z) => (1 + b * e) * move[d]
  let light = light_at(moved, faster, 0)
  (ksz_particles[u, v](b * depth, window = "pcs")(light),
   tsz_particles[u, v](depth, polytrope(1e-4, 1 + b, window = "tsc"), window = "pcs")(light),
   ksz_box(depth, delta * b, flow * (1 + e), 0.4, y), tsz_box(depth, delta, 1e-4 * (1 + e), 0.4 * b, y))
}
fn of_sky(e, b) {
  let moved = for d in (x, y, z) => disp[d] + e * (if d == z then 1 Mpc/h else 2 Mpc/h)
  let faster = for d in (x, y, z) => (1 + b * e) * move[d]
  let light = light_of(moved, faster, shell_of(c, time, 0), same_copies, 4)
  (sum(ksz_sphere[pix](b * depth, observer = corner, most = 3)(light)),
   sum(tsz_sphere[pix](depth, polytrope(1e-4, 1 + b), observer = corner, most = 3)(light)))
}
let direction = 0.1 * noise(11)
let none = 0 * direction
fn check(f, weight) {
  let (value, along) = jvp(f, wrt = (e, b))(none, 1.2, tangent = (direction, 0.3))
  let w = weight(value)
  let (_, back) = vjp(f, wrt = (e, b))(none, 1.2, cotangent = w)
  fn at(t) = inner(f(t * direction, 1.2 + 0.3 t), w)
  let epsilon = 1e-5
  let (_, ends) = loop t = 0.0 for i in end => { t stacking at((2 * i - 1) * epsilon) }
  let difference = (ends[end = 1] - ends[end = 0]) / (2 epsilon)
  let (forward, backward) = (inner(along, w), inner(back, (direction, 0.3)))
  let size = sqrt(inner(along, along) * inner(w, w))
  print "J v {:.6e}, J^T w {:.6e}, by differences {:.6e}, of {:.3e}", forward, backward, difference, size
  assert abs(forward - backward) < 1e-11 * size, "{} forward, {} backward", forward, backward
  assert abs(difference - backward) < 1e-7 * size, "{} by differences, {} backward", difference, backward
  back[0]
}
let back_of_maps = check(everything, value => value)
// Both sums count, although the kinetic one is smaller.
let back_of_sky = check(of_sky, value => (1 / value[0], 1 / value[1]))
let back_of_ksz = check((e, b) => of_sky(e, b)[0], value => value)
fn of_sphere(depth) = sum(ksz_sphere[pix](depth, most = 3)(light_of(disp, move, shell_of(c, time, 0), same_copies, 4)))
assert abs(grad(of_sphere)(depth) * depth - of_sphere(depth)) < 1e-11 * abs(of_sphere(depth)),
       "the sphere is not linear"
output back (maps, sky, ksz) = (back_of_maps, back_of_sky, back_of_ksz)
