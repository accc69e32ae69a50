// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet && %python %S/check_sphere.py %t.out
// RUN: %pmc %s -o %t --precision=f64 && %python %S/../ranks/on_meshes.py %t %t.out 1e-11 1x1 2x1 2x2 3x1
// Light from all around: overdensities and kappa of a shell of copies of a box, against NumPy; derivatives by pairs and differences.

use cosmology, lensing

const n = 10
const epsilon = 1e-7
dim x = n, y = n, z = n over 100 Mpc/h
dim pixel = 768
dim shells = 2
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col, pixel -> row

let c = flat_lcdm()
let time = equal_shells(c, 210 Mpc/h, 3)
let observer = (0.5, 0.4, 0.55)
fn noise(k, scale) = for i in 0 .. 3 => scale * white_noise[x, y, z](k + i)
let disp = noise(1, 9 Mpc/h)
let move = noise(4, 3 Mpc/h)
output disp (x, y, z) = (disp[0], disp[1], disp[2])
output move (x, y, z) = (move[0], move[1], move[2])

fn light(k, move) = light_of(disp, move, shell_of(c, time, k), same_copies, 3)
let sources = source_planes(c, (0.06, 0.3))
output overdensity =
  keep_shells[shells, pixel](observer)(light(0, move)) + keep_shells[shells, pixel](observer)(light(1, move))
fn seen(move) {
  let (a, b) =
    (born_sphere[pixel](c, sources, observer)(light(1, move)), born_sphere[pixel](c, sources, observer)(light(2, move)))
  (a[0] + b[0], a[1] + b[1])
}
let kappa = seen(move)
output kappa (near, far) = kappa
let s = shell_of(c, time, 1)
output shell (far, near, a_far, a_near, d1, d2) =
  (s.far, s.near, s.a_far, s.a_near, comoving_distance(c, 1 / 1.06), comoving_distance(c, 1 / 1.3))

let along = noise(7, 1 Mpc/h)
let w = (white_noise[pixel](10), white_noise[pixel](11))
let (value, back) = vjp(seen)(move, cotangent = w)
let forward = inner(jvp(seen)(move, tangent = along)[1], w)
let difference =
  inner(seen(move + epsilon * along), w) / (2 epsilon) - inner(seen(move - epsilon * along), w) / (2 epsilon)
print "{} forward, {} backward, {:.4e} by differences", forward, inner(back, along), difference
assert abs(forward - inner(back, along)) < 1e-12 * abs(forward)
assert abs(forward - difference) < 1e-5 * abs(forward)
