// RUN: %pmc %s -O0 -o %t --precision=f64 && %t --out %t.out && %python %S/check_growth.py %t.out
// Simulations with gravity that depends on time: a uniform force against quadrature, and small waves in nDGP and f(R) against linear growth.

use cosmology, fields, lpt, modified_gravity, nbody, particles, spectra

dim x = 24, y = 24, z = 24 over 300 Mpc/h
dim state = 4
let c = flat_lcdm(omega_m = 0.31)

// ---- a uniform force, at the times of three steps ----
let delta = 1e-3 * smooth(white_noise[x, y, z](1), 20 Mpc/h)
let start = lpt(c, delta, a = 0.1)
let rest = {disp = 0 * start.disp, mom = 0 * start.mom, a = 0.1}
fn uniform_force(mesh, scale, a) = for d in (x, y, z) => (if d == x then 1 Mpc/h else 2 Mpc/h) * (a^2 + 0 * mesh)
let times = steps_at((0.1, 0.3, 0.5, 0.9))
let fastpm = nbody(c, rest, times = times, gravity = uniform_force)
let bullfrog = nbody(c, rest, times = times, gravity = uniform_force, method = "bullfrog")
fn first(f) = sum(slice(slice(slice(f, x = 0), y = 0), z = 0))
fn at_corner(s) = (s.disp[0][x = 0, y = 0, z = 0], s.mom[0][x = 0, y = 0, z = 0])
let (of_fastpm, of_bullfrog) = (at_corner(fastpm), at_corner(bullfrog))
output numbers (disp, mom, bullfrog_disp, bullfrog_mom) =
  (number(of_fastpm[0], 1 Mpc/h), number(of_fastpm[1], 1 Mpc/h), number(of_bullfrog[0], 1 Mpc/h),
   number(of_bullfrog[1], 1 Mpc/h))
// COLA also stores the particles of perturbation theory.
let cola = nbody(c, start, times = times, gravity = uniform_force, method = "cola")
let still =
  nbody(c, start, times = times, gravity = (mesh, scale, a) => for d in (x, y, z) => 0 Mpc/h * mesh, method = "cola")
output cola (disp, mom) = (cola.disp[1] - still.disp[1], cola.mom[1] - still.mom[1])

fn same(name, a, b) {
  assert max(abs(a - b)) <= 1e-12 * max(abs(b)), "{}: off by {} of {}", name, max(abs(a - b)), max(abs(b))
}
fn observe(s) = s.disp[0] + 2 * s.mom[0]
fn check(method) {
  let (s, seen) =
    nbody_observed[state](c, start, observe = observe, times = times, method = method, gravity = uniform_force)
  let expected = nbody(c, start, times = times, method = method, gravity = uniform_force)
  same("nbody_observed, gravity", slice(seen, state = 3), observe(expected))
  let plain = nbody(c, start, times = times, method = method)
  same("gravity that is force",
       nbody(c, start, times = times, method = method,
             gravity = (mesh, scale, a) => fourier_force()(mesh, scale)).mom[1], plain.mom[1])
}
check("fastpm")
check("bullfrog")
check("cola")

// ---- small waves ----
fn power_of(gravity, boost: int) = power_spectrum(overdensity(nbody(c, start, times = steps_in_a(0.1, 1, 20),
                                                                    boost = boost, window = "tsc", gravity = gravity),
                                                              window = "tsc"))
let (k, P2, modes) = power_of((mesh, scale, a) => fourier_force()(mesh, scale), 2)
let (_, P_ndgp, _) = power_of(ndgp_force(c, 1, cycles = 3), 2)
// The mesh of f(R) is as coarse as the lattice, or finer.
let (_, P_fine, _) = power_of(hu_sawicki_force(c, 1e-5, cycles = 3), 2)
let (_, P, _) = power_of((mesh, scale, a) => fourier_force()(mesh, scale), 1)
let (_, P_f, _) = power_of(hu_sawicki_force(c, 1e-5, cycles = 3), 1)
fn linear(mesh, scale, a) {
  let dk = fft(mesh)
  let strength = hu_sawicki_strength(c, 1e-5)
  let phi = ifft(map q in dk => {
    let inverse = inverse_laplacian_kernel(q)
    let mu = if inverse == 0 then 1 else strength(1 / sqrt(inverse), a)
    -(scale * mu * inverse) * dk
  })
  for d in dims(mesh) => central_difference(phi, d, "fd4")
}
let (_, P_linear, _) = power_of(linear, 1)
fn ratio_of(a, b) = map m in a => if b > 0 then a / b else 0
output ratios (k, ndgp, hu_sawicki, linear, fine) =
  (k, ratio_of(P_ndgp, P2), ratio_of(P_f, P), ratio_of(P_linear, P), ratio_of(P_fine, P2))
