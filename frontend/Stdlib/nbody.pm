// Particle-mesh N-body simulation as FastPM does it (Feng, Chu, Seljak & McDonald 2016), by BullFrog or by COLA.

use math, cosmology, fields, particles

// The particles at `to` (a scale factor) from the particles at `from`, in `steps` kick-drift-kick cycles, equally
// spaced in a. A cycle kicks from a to sqrt(a b) with the force at a, drifts from a to b, and kicks from sqrt(a b) to b
// with the force at b. The two kicks with one force make one. Therefore the loop has `steps` + 1 equal iterations: a
// force, a kick, a drift. Iteration -1 has no kick before its time, and iteration i >= 0 completes step i. The last one
// has no drift and no kick after it.
//
// times: in place of from, to and steps: steps_in_ln_a(...), steps_at((a0, a1, ...)) or a record like these.
// boost: force mesh cells a side for each particle a side; kernel, laplacian: see fields; window: of paint and readout.
// force: what makes the force of the painted mesh, in place of Fourier transforms with that kernel and laplacian:
// `multigrid(...)` of the module multigrid, or any function (mesh, scale) => scale grad laplacian^-1 mesh, a vector.
// checkpoint: iterations between the states that a program with --checkpoint=DIR keeps; 0: none.
// rounding: what is done to the first state and to every increment. With `multiples(range)`, `reverse` recovers every state
// of "fastpm" bit for bit.
// method: "fastpm"; "bullfrog", see bullfrog_step; "cola", see cola_cycle.
fn nbody(c, start, from = 0, to = 0, steps: int = 0, boost: int = 1, kernel = "fd4", laplacian = "exact",
         window = "cic", checkpoint: int = 0, rounding = x => x, force = fourier_force(kernel, laplacian),
         times = {steps = steps, at = i => from + (to - from) * clamp(i, 0, steps) / steps}, method = "fastpm") {
  assert times.steps > 0, "nbody: requires from, to and at least 1 step, or times; found {} steps", times.steps
  require_times("nbody", times, start)
  let today = raw_growth(c, 1)
  let a = times.at(times.steps)
  if method == "cola" then {
    let (r, lpt) = cola_start(c, start, times.at(0), today)
    let s = loop s = r for i in -1 .. times.steps checkpoint every checkpoint =>
      cola_cycle(c, s, lpt, times.at, i + 1, boost, window, force, today, rounding).next
    cola_state(c, s, lpt, a, today)
  } else {
    let first = {disp = rounding(start.disp), mom = rounding(start.mom)}
    let s =
      if method == "fastpm" then
        loop s = first for i in -1 .. times.steps checkpoint every checkpoint =>
          nbody_cycle(c, s, times.at, i + 1, boost, window, force, today, rounding).next
      else if method == "bullfrog" then
        loop s = first for i in 0 .. times.steps checkpoint every checkpoint =>
          bullfrog_step(c, s, times.at, i, boost, window, force, today, rounding)
      else error("nbody: the method is \"fastpm\", \"bullfrog\" or \"cola\"")
    {disp = s.disp, mom = s.mom, a = a}
  }
}

// The same with cells(T) - 1 steps, and what is seen of it at their ends, from `from` to `to`:
//
//   observe   {disp, mom, a} -> a field or a number, or a tuple or record of these; momenta at the time of the displacements
//
// Value: (particles, seen): seen has what observe made of step i in cell i of T.
fn nbody_observed[T](c, start, from = 0, to = 0, observe = s => error("nbody_observed: 'observe' is required"),
                     boost: int = 1, kernel = "fd4", laplacian = "exact", window = "cic",
                     force = fourier_force(kernel, laplacian),
                     times = {steps = cells(T[0]) - 1,
                              at = i => from + (to - from) * clamp(i, 0, cells(T[0]) - 1) / (cells(T[0]) - 1)},
                     method = "fastpm") {
  let t = T[0]
  assert cells(t) > 1, "nbody_observed: a run has at least two states, found a dim of {} cells", cells(t)
  assert cells(t) == times.steps + 1, "nbody_observed: {} steps have one state more, found a dim of {} cells",
         times.steps, cells(t)
  require_times("nbody_observed", times, start)
  let today = raw_growth(c, 1)
  let a = times.at(times.steps)
  if method == "cola" then {
    let (r, lpt) = cola_start(c, start, times.at(0), today)
    let (s, seen) = loop s = r for i in t => {
      let one = cola_cycle(c, s, lpt, times.at, i, boost, window, force, today)
      one.next stacking observe(one.here)
    }
    (cola_state(c, s, lpt, a, today), seen)
  } else {
    let (s, seen) = loop s = {disp = start.disp, mom = start.mom} for i in t => {
      let one = if method == "fastpm" then nbody_cycle(c, s, times.at, i, boost, window, force, today)
                else if method == "bullfrog" then {
                  next = bullfrog_step(c, s, times.at, i, boost, window, force, today)
                  here = {disp = s.disp, mom = s.mom, a = times.at(i)}
                } else error("nbody_observed: the method is \"fastpm\", \"bullfrog\" or \"cola\"")
      one.next stacking observe(one.here)
    }
    ({disp = s.disp, mom = s.mom, a = a}, seen)
  }
}

fn require_times(name, times, start) {
  let (from, to) = (times.at(0), times.at(times.steps))
  assert from > 0, "{}: from = {}, expected a scale factor above 0, that of the particles in `start`", name, from
  require_time(name, "from", start, from)
  assert to > 0, "{}: to = {}, expected a scale factor above 0", name, to
}

// ---- exact reversal ----

// A rounding for `nbody`: to multiples of range 2^-24 or up to twice that, a power of two. As long as no component of a
// displacement or momentum exceeds range, a length, no sum of two of them is rounded, in f32 or f64. Its derivative is 1.
// The force must have the same bits forwards and backwards: on CPUs, for lattices of two dims or more.
fn multiples(range) {
  assert range > 0, "multiples: range = {}, expected a length above 0", range
  let q = unit_of(range) * 2^(-24 - floor(-log(number(range, unit_of(range))) / log(2)))
  x => q * rint(x / q)
}

// ---- when ----

// {steps, at}: how many, and the scale factor at the beginning of step i; before the first one and behind the last one
// that of the ends. Equally spaced in a, or in ln a, or as listed, one more than there are steps.
fn steps_in_a(from, to, steps: int) {
  assert steps > 0, "steps_in_a: requires at least 1 step, found {}", steps
  {steps = steps, at = i => from + (to - from) * clamp(i, 0, steps) / steps}
}

fn steps_in_ln_a(from, to, steps: int) {
  assert steps > 0, "steps_in_ln_a: requires at least 1 step, found {}", steps
  {steps = steps, at = i => from * exp(log(to / from) * clamp(i, 0, steps) / steps)}
}

fn steps_at(list) {
  let n = total(for a in list => 1)
  {steps = n - 1, at = i => {
    let j = clamp(i, 0, n - 1)
    total(for k in 0 .. n => if j == k then list[k] else 0)
  }}
}

// Round i of these: the state `next` behind it, and the one that it begins with, its momenta kicked to time(i), `here`.
fn nbody_cycle(c, s, time, i, boost: int, window, force, today = raw_growth(c, 1), rounding = x => x) {
  let now = growth(c, time(i), today = today)
  let before = growth(c, sqrt(time(i - 1) * time(i)), today = today)
  let after = growth(c, sqrt(time(i) * time(i + 1)), today = today)
  let next = growth(c, time(i + 1), today = today)
  let g = force_at(s.disp, boost, window, force)
  let mom = s.mom + rounding(kick(now, before, after) * g)
  {next = {disp = s.disp + rounding(drift(after, now, next) * mom), mom = mom}
   here = {disp = s.disp, mom = s.mom + kick(now, before, now) * g, a = time(i)}}
}

// Step i of BullFrog (Rampf, List & Hahn 2025): half a drift, a kick, half a drift, with the growth D as time, in which the
// velocity is v = dx/dD = p/G. The kick is v := alpha v - (1 - alpha) g/D in the middle of the step, with alpha such that particles of second-order
// Lagrangian perturbation theory stay particles of it: with E = -3/7 D2 and E' = dE/dD,
//
//   alpha = (E'_next - F)/(E'_now - F),  F = (E_now + E'_now dD/2)/D - D
fn bullfrog_step(c, s, time, i, boost: int, window, force, today = raw_growth(c, 1), rounding = x => x) {
  let now = growth(c, time(i), "true", today)
  let next = growth(c, time(i + 1), "true", today)
  let D = 0.5 * (now.D1 + next.D1)
  let half = 0.5 * (next.D1 - now.D1)
  fn slope(g) = -3 / 7 * g.f2 * g.D2 / g.dD1
  let F = (-3 / 7 * now.D2 + slope(now) * half) / D - D
  let alpha = (slope(next) - F) / (slope(now) - F)
  let middle = s.disp + rounding(half / now.G * s.mom)
  let g = force_at(middle, boost, window, force)
  let mom = rounding(alpha * next.G / now.G * s.mom - (1 - alpha) * next.G / D * g)
  {disp = middle + rounding(half / next.G * mom), mom = mom}
}

// COLA (Tassev, Zaldarriaga & Eisenstein 2013): what is integrated are displacements r and momenta from those of second-order Lagrangian
// perturbation theory, {psi1, psi2} of cola_start. Round i as that of nbody_cycle, with the kick and drift of their eqs. A15 and A16,
// where momenta are taken to grow as a^n, n = -2.5:
//
//   p += -1.5 omega_m/(at^2 E) (to^n - from^n)/(n at^(n - 1)) (g - g_lpt),  g_lpt = -(D1 psi1 + (D2 + 7/3 D1^2) psi2)
//   r += p at^-n int a^n da/(a^3 E)
fn cola_cycle(c, s, lpt, time, i, boost: int, window, force, today = raw_growth(c, 1), rounding = x => x) {
  let n = -2.5
  let (now, next) = (time(i), time(i + 1))
  let (before, after) = (sqrt(time(i - 1) * now), sqrt(now * next))
  fn push(from, to) = -1.5 * c.omega_m / (now^2 * E(c, now)) * (pow(to, n) - pow(from, n)) / (n * pow(now, n - 1))
  let way = integrate(a => pow(a / after, n) / (a^3 * E(c, a)), from = now, to = next, panels = 4)
  let here = cola_state(c, s, lpt, now, today)
  let g = growth(c, now, "true", today)
  let pull = force_at(here.disp, boost, window, force) + g.D1 * lpt.psi1 + (g.D2 + 7 / 3 * g.D1^2) * lpt.psi2
  let mom = s.mom + rounding(push(before, after) * pull)
  {next = {disp = s.disp + rounding(way * mom), mom = mom}
   here = here with {mom = here.mom + push(before, now) * pull}}
}

// ({disp, mom} of 0, {psi1, psi2}): the displacements of first and second order, at D1 = D2 = 1, that the particles at `a` have, if
// they are of lpt(c, delta, a). D2 is D1^2 in matter domination.
fn cola_start(c, start, a, today = raw_growth(c, 1)) {
  let g = growth(c, a, "true", today)
  let velocity = 1 / (a^2 * E(c, a)) * start.mom
  let lpt = {psi1 = 1 / (g.D1 * (g.f2 - g.f1)) * (g.f2 * start.disp - velocity)
             psi2 = 1 / (g.D2 * (g.f2 - g.f1)) * (velocity - g.f1 * start.disp)}
  ({disp = 0 * start.disp, mom = 0 * start.mom}, lpt)
}

// {disp, mom, a} at a, of what is integrated and of perturbation theory.
fn cola_state(c, s, lpt, a, today = raw_growth(c, 1)) {
  let g = growth(c, a, "true", today)
  let w = a^2 * E(c, a)
  {disp = s.disp + g.D1 * lpt.psi1 + g.D2 * lpt.psi2
   mom = s.mom + w * g.f1 * g.D1 * lpt.psi1 + w * g.f2 * g.D2 * lpt.psi2, a = a}
}

// g_d = FT^-1[-i k~_d k^-2 delta_k] at the particles: FastPM's sign, `kick` has another minus. delta is their
// overdensity on a mesh of boost cells a side for each of them (its mean does not matter).
fn force(disp, boost: int = 1, kernel = "fd4", laplacian = "exact", window = "cic") =
  force_at(disp, boost, window, fourier_force(kernel, laplacian))

// The same with what makes the force of the mesh (see nbody).
fn force_at[D](disp: vector field[D], boost: int, window, force) {
  let own = if total(for u in disp => 1) == total(for d in D => 1) then disp
            else error("displacements have one component for each dim; of a batch of particles, take one set at a time: slice(f, c = i)")
  let mesh = paint[refine(D, boost)](own, window = window)
  readout(force(mesh, boost^total(for d in D => 1)), disp, window = window)
}

// A force for `nbody`: scale grad laplacian^-1 mesh. Finite differences are taken of the potential in real space, with one
// transform back in place of one for each component; the exact gradient has no such form.
fn fourier_force(kernel = "fd4", laplacian = "exact") = (mesh, scale) => {
  let dk = fft(mesh)
  if kernel == "exact" then
    for d in dims(dk) => ifft(map k in dk =>
      -1i * (scale * gradient_kernel(k, d, kernel) * inverse_laplacian_kernel(k, laplacian)) * dk)
  else {
    let phi = ifft(map k in dk => -(scale * inverse_laplacian_kernel(k, laplacian)) * dk)
    for d in dims(mesh) => central_difference(phi, d, kernel)
  }
}
