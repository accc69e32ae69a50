// RUN: %pmc --emit=sharded %s | FileCheck %s
// A reverse step of an N-body simulation has four transforms: two for the potential, from which the force and its derivative are read together, and two for
// the cotangent of the density. The cotangents of the forces are painted into one mesh, that of the potential.
use cosmology, nbody, particles
dim x = 8, y = 8, z = 8 over 50
let start = for d in (x, y, z) => white_noise[x, y, z](if d == x then 1 else if d == y then 2 else 3)
fn misfit(u) = sum(overdensity(nbody(flat_lcdm(), {disp = u, mom = u, a = 0.1}, from = 0.1, to = 1, steps = 3))^2)
output slope = grad(misfit, schedule = "reverse")(start)[0]
// CHECK: :3 = pm.interpolate
// CHECK: = scf.for
// CHECK: %[[DENSITY:.*]] = pm.scatter cic
// CHECK: } -> !pm.field<[x=8, y=8, z=8], f32>
// CHECK-NEXT: pm.fft %[[DENSITY]]
// CHECK: %[[POTENTIAL:.*]] = pm.ifft
// CHECK-NOT: {{pm.i?fft}}
// CHECK: :12 = pm.interpolate cic(%[[POTENTIAL]] : {{.*}} taps
// CHECK-NOT: {{pm.i?fft}}
// CHECK: %[[COTANGENT:.*]] = pm.scatter cic
// CHECK: } taps [
// CHECK: } -> !pm.field<[x=8, y=8, z=8], f32>
// CHECK-NEXT: pm.fft %[[COTANGENT]]
// CHECK: pm.ifft
// CHECK: :3 = pm.interpolate
// CHECK-NOT: {{pm.i?fft}}
// CHECK: scf.yield
