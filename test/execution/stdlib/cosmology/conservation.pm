// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet
// RUN: %pmc %s -o %t --precision=f32 -D tolerance=1e-5 && %t --out %t.out --quiet
// Painting keeps the mass, whatever the window and the mesh, also of particles far from their lattice; reading a
// constant gives the constant; and the particle-mesh force moves no total momentum.

use cosmology, power, fields, lpt, nbody, particles

const tolerance = 1e-12
dim x = 32, y = 32, z = 32 over 100 Mpc/h

let c = flat_lcdm()
let delta = gaussian_field[x, y, z](spectrum(eisenstein_hu(c)), 3)
let s = lpt(c, delta, a = 1.0)
let far = for d in (x, y, z) => 3 * s.disp[d] + 170 Mpc/h

fn check(window, boost) {
  let near_mass = mean(overdensity(s, boost = boost, window = window))
  let far_mass = mean(mesh_overdensity(far, boost, window))
  assert abs(near_mass) < tolerance, "mass is off by {}", near_mass
  assert abs(far_mass) < tolerance, "mass of far particles is off by {}", far_mass
  let one = readout(constant[x, y, z](1.0), far, window = window)
  assert max(abs(one - 1)) < tolerance, "a constant is off by {}", max(abs(one - 1))

  let g = force(s.disp, boost = boost, window = window)
  let total_force = sqrt(norm2(for d in (x, y, z) => sum(g[d])))
  let size = sqrt(sum(norm2(g)))
  assert total_force / size < tolerance, "the sum of all forces is {} of their norm", total_force / size
  0
}

let checked = (check("ngp", 1), check("cic", 1), check("tsc", 1), check("pcs", 1), check("cic", 2), check("tsc", 2))
