// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet
// RUN: %pmc %s -o %t --precision=f32 -D tolerance=1e-5 && %t --out %t.out --quiet
// Redshift space multiplies the displacement of a growing plane wave by 1 + f along the line of sight and leaves the
// others alone (Kaiser 1987).

use cosmology, lpt, particles

const tolerance = 1e-12
dim x = 16, y = 16, z = 16 over 100 Mpc/h

let c = flat_lcdm()
let a = 0.6
let f = growth(c, a).f1
let kf = 2 pi / length(x)
let s = lpt(c, map q in [x, y, z] => 0.3 cos(kf * q[z]) + 0.3 cos(kf * q[x]), a, order = 1)
let r = redshift_space(c, s, a, z)

fn off(u, v) = number(max(abs(u - v)), 1 Mpc/h)

assert off(r.disp[z], (1 + f) * s.disp[z]) < tolerance, "along z: {}", off(r.disp[z], (1 + f) * s.disp[z])
assert off(r.disp[x], s.disp[x]) == 0, "across: {}", off(r.disp[x], s.disp[x])
assert off(r.disp[z], s.disp[z]) > 0.1, "nothing happened"
