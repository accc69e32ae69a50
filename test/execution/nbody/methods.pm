// RUN: %pmc %s -O0 -o %t --precision=f64 && %python %S/../ranks/on_meshes.py %t %t.out 1e-10 1x1 2x2 3x1
// RUN: %python %S/check_methods.py %t.out/1x1
// BullFrog and COLA against a replay in NumPy; on their way they show the states of shorter runs; of weak fields, BullFrog's few steps are
// those of many, as second-order perturbation theory is built in. Gradients through them and through third-order initial conditions against
// differences. On meshes of ranks.

use math, cosmology, fields, lpt, nbody, particles

const n = 12
dim x = n, y = n, z = n over 60 Mpc/h
dim t = 4, end = 2
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col

let c = cosmology(omega_m = 0.35, omega_k = 0.05, w0 = -0.9)
fn P(k) = 400 (Mpc/h)^3 / (1 + number(k, 0.2 h/Mpc)^2)
let delta = gaussian_field[x, y, z](P, 1)
let start = lpt(c, delta, a = 0.2, d2 = "true")
let frog = nbody(c, start, 0.2, 0.8, 3, method = "bullfrog")
let cola = nbody(c, start, 0.2, 0.8, 3, boost = 2, method = "cola")
output delta
output frog_disp = frog.disp
output frog_mom = frog.mom
output cola_disp = cola.disp
output cola_mom = cola.mom

fn same(name, a, b) {
  let off = max(abs(a - b))
  let size = max(abs(b))
  assert off <= 1e-11 * size and size > 0 / 1 * size, "{}: off by {} of {}", name, off, size
}
fn observed(method, boost: int, expected) {
  let (last, seen) =
    nbody_observed[t](c, start, 0.2, 0.8, p => (p.disp[1], p.mom[2], p.a), boost = boost, method = method)
  let shorter = nbody(c, start, 0.2, 0.6, 2, boost = boost, method = method)
  same("the end", last.mom[0], expected.mom[0])
  same("the beginning", seen[0][t = 0], start.disp[1])
  same("the momenta at the beginning", seen[1][t = 0], start.mom[2])
  same("after two steps", seen[0][t = 2], shorter.disp[1])
  same("momenta after two steps", seen[1][t = 2], shorter.mom[2])
  assert abs(seen[2][t = 2] - 0.6) < 1e-12 and last.a == 0.8, "the scale factor is {}", seen[2][t = 2]
}
observed("bullfrog", 1, frog)
observed("cola", 2, cola)
// Rounding receives each increment, and the first state.
let doubled = {disp = 2 * start.disp, mom = 2 * start.mom}
let frogged = bullfrog_step(c, start, i => 0.2 + 0.2 * i, 1, 1, "cic", fourier_force(), rounding = u => 0 * u)
same("bullfrog_step, rounding", frogged.disp[1], start.disp[1])
let still = cola_start(c, start, 0.2, today = raw_growth(c, 0.5))[0]
let one = cola_start(c, start, 0.2)[1]
let kept = cola_cycle(c, still, one, i => 0.2 + 0.2 * i, 1, 1, "cic", fourier_force(), rounding = u => 0 * u).next
assert max(abs(kept.mom[0])) == 0 Mpc/h, "cola_cycle, rounding: {}", max(abs(kept.mom[0]))
// Growth normalized to another time: psi1 and psi2 are those at that time.
let half = raw_growth(c, 0.5)
let other = cola_start(c, start, 0.2, today = half)[1]
same("cola_state, today", cola_state(c, still, other, 0.6, today = half).disp[0],
     cola_state(c, still, one, 0.6).disp[0])
fn cycled(lpt, today) =
  cola_cycle(c, still, lpt, i => 0.2 + 0.2 * i, 1, 1, "cic", fourier_force(), today = today).next.mom[0]
same("cola_cycle, today", cycled(other, half), cycled(one, raw_growth(c, 1)))
fn stepped(today) = bullfrog_step(c, start, i => 0.2 + 0.2 * i, 1, 1, "cic", fourier_force(), today = today).mom[0]
same("bullfrog_step, today", stepped(half), stepped(raw_growth(c, 1)))

// ---- a weak field of few modes, and a force without windows and lattice ----
fn few(f, most) {
  let fk = fft(f)
  ifft(map k in fk => if total(for d in dims(fk) => if abs(index(k, d)) > most then 1 else 0) > 0 then 0 else fk)
}
fn sharp(mesh, scale) {
  let dk = fft(mesh)
  for d in dims(dk) => few(ifft(map k in dk =>
    -1i * scale * gradient_kernel(k, d) * inverse_laplacian_kernel(k) / window_kernel(k, "pcs")^2 * dk), 4)
}
let weak = lpt(c, 0.4 * few(white_noise[x, y, z](2), 1), a = 0.1, d2 = "true")
fn to_end(times, method) = nbody(c, weak, times = times, method = method, force = sharp, window = "pcs", boost = 2)
let exact = to_end(steps_in_ln_a(0.1, 0.9, 40), "fastpm")
fn error_of(method) {
  let s = to_end(steps_in_a(0.1, 0.9, 2), method)
  sqrt(mean(norm2(s.disp - exact.disp)) / mean(norm2(exact.disp)))
}
let (fast, frogs) = (error_of("fastpm"), error_of("bullfrog"))
print "2 steps: FastPM is off by {:.2e}, BullFrog by {:.2e}", fast, frogs
assert frogs < 0.1 * fast and fast < 0.01, "FastPM is off by {}, BullFrog by {}", fast, frogs

// ---- gradients ----
fn everything(u, m) {
  let c = cosmology(omega_m = m, omega_k = 0.05)
  let begin = lpt(c, colour(u, P), a = 0.2, order = 3)
  let frog = nbody(c, begin, 0.2, 0.8, 2, window = "tsc", method = "bullfrog")
  let cola = nbody(c, begin, 0.2, 0.8, 2, window = "tsc", method = "cola")
  (overdensity(frog, window = "pcs"), frog.mom[0] / 1 Mpc/h, overdensity(cola, window = "pcs"), cola.mom[1] / 1 Mpc/h)
}
let w = white_noise[x, y, z](1)
let v = white_noise[x, y, z](3)
let (value, along) = jvp(everything, wrt = (u, m))(w, 0.3, tangent = (v, 0.2))
let (_, back) = vjp(everything, wrt = (u, m))(w, 0.3, cotangent = value)
let epsilon = 1e-5
fn at(e) = inner(everything(w + e * v, 0.3 + 0.2 * e), value)
let (_, ends) = loop u = 0.0 for i in end => { u stacking at((2 * i - 1) * epsilon) }
let difference = (ends[end = 1] - ends[end = 0]) / (2 epsilon)
let (forward, backward) = (inner(along, value), inner(back, (v, 0.2)))
let size = sqrt(inner(along, along) * inner(value, value))
print "J v {:.6e}, J^T w {:.6e}, by differences {:.6e}, of {:.3e}", forward, backward, difference, size
assert abs(forward - backward) < 1e-10 * size, "{} forward, {} backward", forward, backward
assert abs(difference - backward) < 1e-7 * size, "{} by differences, {} backward", difference, backward
output back = back[0]
