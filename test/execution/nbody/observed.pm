// RUN: %pmc --precision=f64 %s -o %t 2>&1 | FileCheck %s --allow-empty --check-prefix=QUIET
// RUN: %t --quiet --out %t.out | FileCheck %s
// RUN: %t --quiet --out %t.out --mesh row=2,col=2 --transport=threads | FileCheck %s
// What is seen of a simulation on its way is what shorter ones end with; its gradient recovers the states.
use cosmology, power, fields, lpt, nbody, particles
dim x = 12, y = 10, z = 8 over 60 Mpc/h
dim t = 4
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
let c = flat_lcdm()
fn begin(s) = lpt(c, colour(s, spectrum(eisenstein_hu(c))), a = 0.1)
let s = white_noise[x, y, z](1)
let (last, seen) = nbody_observed[t](c, begin(s), 0.1, 0.7, p => (p.disp, p.mom[1], p.a, overdensity(p)))
let whole = nbody(c, begin(s), 0.1, 0.7, steps = 3)
let third = nbody(c, begin(s), 0.1, 0.3, steps = 1)
fn far(a, b) = max(abs(a - b)) / max(abs(b))
print "ends {}",
      far(last.disp[0], whole.disp[0]) < 1e-14 and far(seen[0][2][t = 3], whole.disp[2]) < 1e-14 and
        far(seen[1][t = 3], whole.mom[1]) < 1e-14
// CHECK: ends 1
print "begins {}", far(seen[0][0][t = 0], begin(s).disp[0]) < 1e-14 and far(seen[1][t = 0], begin(s).mom[1]) < 1e-14
// CHECK-NEXT: begins 1
print "between {}",
      far(seen[0][1][t = 1], third.disp[1]) < 1e-13 and far(seen[1][t = 1], third.mom[1]) < 1e-13 and
        far(seen[3][t = 1], overdensity(third)) < 1e-12
// CHECK-NEXT: between 1
print "{:.3f}", sum(seen[2])
// CHECK-NEXT: 1.600

fn sights(s) = nbody_observed[t](c, begin(s), 0.1, 0.7, overdensity)[1]
let w = white_noise[t, x, y, z](2)
let v = white_noise[x, y, z](3)
let forward = inner(jvp(sights)(s, tangent = v)[1], w)
print "{}", abs(inner(v, vjp(sights, schedule = "reverse")(s, cotangent = w)[1]) / forward - 1) < 1e-9
// CHECK-NEXT: 1
print "{}", abs(inner(v, vjp(sights, schedule = "revolve", snapshots = 2)(s, cotangent = w)[1]) / forward - 1) < 1e-12
// CHECK-NEXT: 1

// Steps in ln a, and any others.
let factor = exp(log(7) / 3)
let logs = nbody(c, begin(s), times = steps_in_ln_a(0.1, 0.7, 3))
let listed = nbody(c, begin(s), times = steps_at((0.1, 0.1 * factor, 0.1 * factor^2, 0.7)))
let even = nbody(c, begin(s), times = steps_at((0.1, 0.3, 0.5, 0.7)))
let (same, at) = nbody_observed[t](c, begin(s), observe = p => p.a, times = steps_in_ln_a(0.1, 0.7, 3))
print "times {}",
      far(listed.disp[0], logs.disp[0]) < 1e-12 and far(even.mom[1], whole.mom[1]) < 1e-13 and
        far(same.disp[2], logs.disp[2]) < 1e-14
// CHECK-NEXT: times 1
print "{}", abs(sum(at) - 0.1 * (1 + factor + factor^2 + factor^3)) < 1e-14 and far(logs.disp[0], whole.disp[0]) > 1e-4
// CHECK-NEXT: 1
fn last_step(a) = sum(nbody(c, begin(s), times = steps_at((0.1, a, 0.7))).disp[0]^3)
let h = 1e-5
print "{}", abs(grad(last_step)(0.3) * 2 h / (last_step(0.3 + h) - last_step(0.3 - h)) - 1) < 1e-5
// CHECK-NEXT: 1
// QUIET-NOT: warning
