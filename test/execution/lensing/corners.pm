// RUN: %pmc -O0 %s -o %t --precision=f64 && %t --out %t.out --quiet
// Light meets a particle near the corner of a box that moves along the diagonal: the moves of its components are shorter than it.

use lensing

dim x = 4, y = 4, z = 4 over 100 Mpc/h

// The outermost particle is 0.1 Mpc/h from three sides.
let disp = for d in (x, y, z) => constant[x, y, z](24.9 Mpc/h)
let move = for d in (x, y, z) => constant[x, y, z](8 Mpc/h)
let shell = {far = 115 Mpc/h, near = 95 Mpc/h, chi = 105 Mpc/h, a_far = 0.95, a = 0.96, a_near = 0.97, number = 0,
             curvature = 0 / (1 Mpc/h)^2}
let light = light_of(disp, move, shell, same_copies, 3)
fn met(seen) = sum(map q in seen.met => if seen.met then 1 else 0)

// All copies that could matter, without a choice among them.
let all = loop sum = 0.0 for j in 0 .. 27 => {
  let n = (div(j, 9) - 1, mod(div(j, 3), 3) - 1, mod(j, 3) - 1)
  sum + met(crossing_sphere(light, for i in 0 .. 3 => (n[i] - 0.5) * 100 Mpc/h))
}
let own = met(crossing_sphere(light, for i in 0 .. 3 => -50 Mpc/h))
let chosen = all_around(light, seen => met(seen), 0.0, most = 1)
assert own == 1, "{} particles of the observer's box are met, expected the one at its corner", own
assert chosen == all, "{} particles are met, expected {}", chosen, all
