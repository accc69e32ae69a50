// Particle-mesh N-body simulation as FastPM does it (Feng, Chu, Seljak & McDonald 2016).

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
// bit for bit.
fn nbody(c, start, from = 0, to = 0, steps: int = 0, boost: int = 1, kernel = "fd4", laplacian = "exact",
         window = "cic", checkpoint: int = 0, rounding = x => x, force = fourier_force(kernel, laplacian),
         times = {steps = steps, at = i => from + (to - from) * clamp(i, 0, steps) / steps}) {
  assert times.steps > 0, "nbody: requires from, to and at least 1 step, or times; found {} steps", times.steps
  require_times("nbody", times, start)
  let today = raw_growth(c, 1)
  let s = loop s = {disp = rounding(start.disp), mom = rounding(start.mom)}
    for i in -1 .. times.steps checkpoint every checkpoint =>
      nbody_cycle(c, s, times.at, i + 1, boost, window, force, today, rounding).next
  {disp = s.disp, mom = s.mom, a = times.at(times.steps)}
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
                              at = i => from + (to - from) * clamp(i, 0, cells(T[0]) - 1) / (cells(T[0]) - 1)}) {
  let t = T[0]
  assert cells(t) > 1, "nbody_observed: a run has at least two states, found a dim of {} cells", cells(t)
  assert cells(t) == times.steps + 1, "nbody_observed: {} steps have one state more, found a dim of {} cells",
         times.steps, cells(t)
  require_times("nbody_observed", times, start)
  let today = raw_growth(c, 1)
  let (s, seen) = loop s = {disp = start.disp, mom = start.mom} for i in t => {
    let one = nbody_cycle(c, s, times.at, i, boost, window, force, today)
    one.next stacking observe(one.here)
  }
  ({disp = s.disp, mom = s.mom, a = times.at(times.steps)}, seen)
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
