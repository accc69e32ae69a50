// Simulations of particles that attract each other by gravity, on a particle mesh, by the steps of
// FastPM, BullFrog or COLA.
//
// Particles are a record `{disp, mom, a}`, as in `particles`. Steps are between scale factors.
// Forces have the sign of FastPM, g = ∇∇⁻²δ: the factor of `kick` is negative.
//
// Setup: use cosmology, power, fields, lpt, particles
//   dim x = 16, y = 16, z = 16 over 100 Mpc/h
//   dim state = 4
//   let c = flat_lcdm()
//   let P = spectrum(eisenstein_hu(c, points = 64, panels = 8))
//   let start = lpt(c, gaussian_field[x, y, z](P, 1), a = 0.1)
//   let times = steps_in_a(0.1, 1, 3)
//   let (zero, psi) = cola_start(c, start, 0.1)
//
// Internal: require_times force_at at_time in_the_middle exact_steps to_multiples

use math, cosmology, fields, particles

// The particles at the last of several steps, from the particles at the first one.
//
// Give either `from`, `to` and `steps`, or `times`. The method `"fastpm"` kicks from a to √(ab)
// with the force at a, drifts from a to b, and kicks from √(ab) to b with the force at b. Two kicks
// with one force make one. `"bullfrog"` is a sequence of `bullfrog_step`, and `"cola"` of
// `cola_cycle`.
// - c: cosmology
// - start: particles `{disp, mom}` at the first scale factor, such as those of `lpt`; a member `a`
//   must be this scale factor
// - from, to: scale factors above 0, the first and the last one
// - steps: int, the number of steps, which are equal in a
// - boost: int, mesh cells per particle along each side, for the force
// - window: window of the paint and the readout, `"ngp"`, `"cic"`, `"tsc"` or `"pcs"`
// - kernel: `"exact"`, `"fd2"`, `"fd4"` or `"fd6"`, the derivative of the force, as in
//   `gradient_kernel`
// - laplacian: `"exact"` or `"fd2"`, as in `inverse_laplacian_kernel`
// - checkpoint: int, the number of steps between the states that a program with `--checkpoint=DIR`
//   saves; 0 saves none
// - rounding: function that rounds the first state and every increment, such as `multiples(range)`;
//   COLA rounds increments only
// - force: function (mesh, scale) => scale ∇∇⁻² mesh, a vector field, such as `fourier_force()`,
//   `multigrid()` or `pyramid()`
// - times: record `{steps, at}` in place of `from`, `to` and `steps`, such as `steps_in_ln_a(0.1,
//   1, 5)`
// - method: `"fastpm"`, `"bullfrog"` or `"cola"`; COLA requires particles of `lpt` with the default
//   order
// - gravity: function (mesh, scale, a) => force, for a force that depends on the scale factor a, such
//   as `ndgp_force(c, 1)`; it replaces `force`
// - exact: bool, whether to round by `multiples` of a range that the particles are not expected to
//   exceed, so that the schedule `"reverse"` of derivatives is exact
// Value: record `{disp, mom, a}`, where a is the last scale factor. Fewer than one step, a scale
//   factor that is not above 0, and a first scale factor that differs from the member `a` of start
//   are errors.
// Source: Feng et al. (2016); Rampf, List & Hahn (2025); Tassev, Zaldarriaga & Eisenstein (2013)
// Cost: one force for each step, and one more for FastPM and COLA.
// Example: nbody(c, start, from = 0.1, to = 1, steps = 3).disp
fn nbody(c, start, from = 0, to = 0, steps: int = 0, boost: int = 1, kernel = "fd4", laplacian = "exact",
         window = "cic", checkpoint: int = 0, rounding = x => x,
         force = fourier_force(kernel, laplacian),
         times = {steps = steps, at = i => from + (to - from) * clamp(i, 0, steps) / steps}, method = "fastpm",
         gravity = (mesh, scale, a) => force(mesh, scale), exact = true) {
  assert times.steps > 0, "nbody: requires from, to and at least 1 step, or times; found {} steps", times.steps
  require_times("nbody", times, start)
  let today = raw_growth(c, 1)
  let a = times.at(times.steps)
  let round = if exact then exact_steps(c, start.disp, start.mom, times.at(0), a, today, method, rounding) else rounding
  if method == "cola" then {
    let (r, lpt) = cola_start(c, start, times.at(0), today)
    let s = loop s = r for i in -1 .. times.steps checkpoint every checkpoint =>
      cola_cycle(c, s, lpt, times.at, i + 1, boost, window, at_time(gravity, times.at(i + 1)), today, round).next
    cola_state(c, s, lpt, a, today)
  } else {
    let first = {disp = round(start.disp), mom = round(start.mom)}
    let s =
      if method == "fastpm" then
        loop s = first for i in -1 .. times.steps checkpoint every checkpoint =>
          nbody_cycle(c, s, times.at, i + 1, boost, window, at_time(gravity, times.at(i + 1)), today, round).next
      else if method == "bullfrog" then
        loop s = first for i in 0 .. times.steps checkpoint every checkpoint =>
          bullfrog_step(c, s, times.at, i, boost, window, in_the_middle(c, gravity, times.at, i, today), today,
                        round)
      else error("nbody: the method is \"fastpm\", \"bullfrog\" or \"cola\"")
    {disp = s.disp, mom = s.mom, a = a}
  }
}

// The particles at the last of several steps, as `nbody`, and observations at the beginning of each
// step and at the end of the last one. There are cells(t) − 1 steps, for the dim t in brackets.
// - c: cosmology
// - start: particles `{disp, mom}` at the first scale factor, such as those of `lpt`; a member `a`
//   must be this scale factor
// - from, to: scale factors above 0, the first and the last one
// - observe: function of the particles `{disp, mom, a}`, whose momenta belong to the same time as
//   the displacements; its value is a field or a number, or a tuple or record of them
// - boost: int, mesh cells per particle along each side, for the force
// - window: window of the paint and the readout, `"ngp"`, `"cic"`, `"tsc"` or `"pcs"`
// - kernel: `"exact"`, `"fd2"`, `"fd4"` or `"fd6"`, the derivative of the force, as in
//   `gradient_kernel`
// - laplacian: `"exact"` or `"fd2"`, as in `inverse_laplacian_kernel`
// - force: function (mesh, scale) => scale ∇∇⁻² mesh, a vector field, such as `fourier_force()`,
//   `multigrid()` or `pyramid()`
// - times: record `{steps, at}` with cells(t) − 1 steps, in place of `from` and `to`
// - method: `"fastpm"`, `"bullfrog"` or `"cola"`
// - gravity: function (mesh, scale, a) => force, in place of `force`, as in `nbody`
// - exact: bool, whether to round as `nbody` does
// Value: tuple (particles, stack). Cell i of the dim t of the stack has the observation at the
//   beginning of step i, and the last cell that at the end. The errors are those of `nbody`, and a
//   dim t of one cell, or of another number of cells than `times` requires.
// Cost: one force for each step, and one more.
// Example: nbody_observed[state](c, start, from = 0.1, to = 1, observe = s => overdensity(s))[1]
fn nbody_observed[t](c, start, from = 0, to = 0, observe = s => error("nbody_observed: 'observe' is required"),
                     boost: int = 1, kernel = "fd4", laplacian = "exact", window = "cic",
                     force = fourier_force(kernel, laplacian),
                     times = {steps = cells(t) - 1,
                              at = i => from + (to - from) * clamp(i, 0, cells(t) - 1) / (cells(t) - 1)},
                     method = "fastpm", gravity = (mesh, scale, a) => force(mesh, scale), exact = true) {
  assert cells(t) > 1, "nbody_observed: a run has at least two states, found a dim of {} cells", cells(t)
  assert cells(t) == times.steps + 1, "nbody_observed: {} steps have one state more, found a dim of {} cells",
         times.steps, cells(t)
  require_times("nbody_observed", times, start)
  let today = raw_growth(c, 1)
  let a = times.at(times.steps)
  let round = if exact then exact_steps(c, start.disp, start.mom, times.at(0), a, today, method, x => x) else x => x
  if method == "cola" then {
    let (r, lpt) = cola_start(c, start, times.at(0), today)
    let (s, seen) = loop s = r for i in t => {
      let one = cola_cycle(c, s, lpt, times.at, i, boost, window, at_time(gravity, times.at(i)), today, round)
      one.next stacking observe(one.here)
    }
    (cola_state(c, s, lpt, a, today), seen)
  } else {
    let (s, seen) = loop s = {disp = round(start.disp), mom = round(start.mom)} for i in t => {
      let one = if method == "fastpm"
                then nbody_cycle(c, s, times.at, i, boost, window, at_time(gravity, times.at(i)), today, round)
                else if method == "bullfrog" then {
                  next = bullfrog_step(c, s, times.at, i, boost, window,
                                       in_the_middle(c, gravity, times.at, i, today), today, round)
                  here = {disp = s.disp, mom = s.mom, a = times.at(i)}
                } else error("nbody_observed: the method is \"fastpm\", \"bullfrog\" or \"cola\"")
      one.next stacking observe(one.here)
    }
    ({disp = s.disp, mom = s.mom, a = a}, seen)
  }
}

// The function (mesh, scale) of a function (mesh, scale, a) at a fixed a.
fn at_time(gravity, a) = (mesh, scale) => gravity(mesh, scale, a)

// The same at the time of the mean growth of step i, because BullFrog kicks at this time.
fn in_the_middle(c, gravity, time, i, today) {
  let D = 0.5 * (growth(c, time(i), today = today).D1 + growth(c, time(i + 1), today = today).D1)
  fn excess(x) = growth(c, exp(x), today = today).D1 - D
  at_time(gravity, exp(newton(excess, x => growth(c, exp(x), today = today).dD1, 0.5 * log(time(i) * time(i + 1)),
                              steps = 4)))
}

fn require_times(name, times, start) {
  let (from, to) = (times.at(0), times.at(times.steps))
  assert from > 0, "{}: from = {}, expected a scale factor above 0, that of the particles in `start`", name, from
  require_time(name, "from", start, from)
  assert to > 0, "{}: to = {}, expected a scale factor above 0", name, to
}

// ---- exact reversal ----

// A function that rounds numbers, for the argument `rounding` of `nbody`. It rounds to multiples of a
// power of two between ε/2 and ε times the range, where ε is the `epsilon` of the number, for example
// 2⁻²³ in f32. Its derivative is 1.
//
// As long as no component of a displacement or a momentum exceeds the range, no sum of two of them
// is rounded. Therefore the schedule `"reverse"` of derivatives recovers every state of `"fastpm"`
// bit for bit. The force must have the same bits forward and backward. This holds on CPUs for lattices
// of two dims or more.
// - range: number above 0 in the unit of length
// Value: function of a number or field in the unit of length, or of a vector of them. A range that
//   is not above 0 is an error.
// Example: nbody(c, start, times = times, rounding = multiples(64 Mpc/h)).disp
fn multiples(range) {
  assert range > 0, "multiples: range = {}, expected a length above 0", range
  to_multiples(range)
}

fn to_multiples(range) {
  let next = unit_of(range) * 2^(-floor(-log(number(range, unit_of(range))) / log(2)))
  x => {
    let q = 0.5 * epsilon(x) * next
    q * rint(1 / q * x)
  }
}

// The rounding of `nbody` with `exact`, followed by the rounding of the caller. The range is 1.5 times the prediction of linear theory,
// and is above 0 also for particles at rest. BullFrog is not rounded, because its steps are not reversed.
fn exact_steps[D](c, disp: vector field[D], mom, from, to, today, method, rounding) =
  if method == "bullfrog" then rounding
  else {
    let (g, h) = (growth(c, from, today = today), growth(c, to, today = today))
    let speed = sqrt(max(max(norm2(disp) / g.D1^2, norm2(mom) / g.G^2)))
    let range = 1.5 * max(max(g.D1, g.G), max(h.D1, h.G)) * speed
    let own = to_multiples(max(range, 1e-6 * total(for d in D => spacing(d))))
    x => rounding(own(x))
  }

// ---- time steps ----

// Steps that are equal in a, for the argument `times` of `nbody`.
// - from, to: scale factors, the first and the last one
// - steps: int, at least 1
// Value: record `{steps, at}`: the number of steps, and the function i => scale factor at the
//   beginning of step i. Before the first step it is that of the start, and after the last one that
//   of the end.
// Example: steps_in_a(0.1, 1, 5).at(1)
fn steps_in_a(from, to, steps: int) {
  assert steps > 0, "steps_in_a: requires at least 1 step, found {}", steps
  {steps = steps, at = i => from + (to - from) * clamp(i, 0, steps) / steps}
}

// Steps that are equal in ln a, for the argument `times` of `nbody`.
// - from, to: scale factors above 0, the first and the last one
// - steps: int, at least 1
// Value: record `{steps, at}`, as of `steps_in_a`.
// Example: nbody(c, start, times = steps_in_ln_a(0.1, 1, 5)).disp
fn steps_in_ln_a(from, to, steps: int) {
  assert steps > 0, "steps_in_ln_a: requires at least 1 step, found {}", steps
  assert from > 0 and to > 0, "steps_in_ln_a: from a = {} to {}, expected scale factors above 0", from, to
  {steps = steps, at = i => from * exp(log(to / from) * clamp(i, 0, steps) / steps)}
}

// Steps between the scale factors of a list, for the argument `times` of `nbody`.
// - list: tuple of scale factors, one more than there are steps
// Value: record `{steps, at}`, as of `steps_in_a`.
// Example: nbody(c, start, times = steps_at((0.1, 0.2, 0.5, 1))).disp
fn steps_at(list) {
  let n = total(for a in list => 1)
  {steps = n - 1, at = i => {
    let j = clamp(i, 0, n - 1)
    total(for k in 0 .. n => if j == k then list[k] else 0)
  }}
}

// Round i of FastPM: a force at time(i), a kick, and a drift to time(i + 1). The momenta of a state
// belong to √(time(i − 1) time(i)).
// - c: cosmology
// - s: state `{disp, mom}`
// - time: function of the number of a step: the scale factor at its beginning, such as the member
//   `at` of `steps_in_a(0.1, 1, 5)`
// - i: int, the number of the step
// - boost: int, mesh cells per particle along each side, for the force
// - window: window of the paint and the readout, `"ngp"`, `"cic"`, `"tsc"` or `"pcs"`
// - force: function (mesh, scale) => scale ∇∇⁻² mesh, a vector field, such as `fourier_force()`,
//   `multigrid()` or `pyramid()`
// - today: growth before normalization at a = 1; compute it once before the loop
// - rounding: function that rounds displacements and momenta, such as `multiples(range)`
// Value: record `{next, here}`: the next state `{disp, mom}`, and the particles `{disp, mom, a}` at
//   time(i), with momenta at this time.
// Source: Feng et al. (2016)
// Cost: one force.
// Example: nbody_cycle(c, start, times.at, 0, 1, "cic", fourier_force()).here.disp
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

// The particles after step i of BullFrog: half a drift, a kick in the middle, and half a drift. The
// factors are exact for second-order perturbation theory.
//
// The time is the growth D = D1, in which the velocity is v = dx/dD = p/G. The kick is v := α v −
// (1 − α) g/D with D in the middle of the step, α = (E′_next − F)/(E′_now − F) and F = (E_now +
// E′_now ΔD/2)/D − D, where E = −3/7 D2, E′ = dE/dD and ΔD is the length of the step.
// - c: cosmology
// - s: particles `{disp, mom}` at time(i)
// - time: function of the number of a step: the scale factor at its beginning, such as the member
//   `at` of `steps_in_a(0.1, 1, 5)`
// - i: int, the number of the step
// - boost: int, mesh cells per particle along each side, for the force
// - window: window of the paint and the readout, `"ngp"`, `"cic"`, `"tsc"` or `"pcs"`
// - force: function (mesh, scale) => scale ∇∇⁻² mesh, a vector field, such as `fourier_force()`,
//   `multigrid()` or `pyramid()`
// - today: growth before normalization at a = 1; compute it once before the loop
// - rounding: function that rounds displacements and momenta, such as `multiples(range)`
// Value: record `{disp, mom}` at time(i + 1).
// Source: Rampf, List & Hahn (2025)
// Cost: one force.
// Example: bullfrog_step(c, start, times.at, 0, 1, "cic", fourier_force()).disp
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

// Round i of COLA, as `nbody_cycle`: a force at time(i), a kick, and a drift to time(i + 1), of the
// displacements and momenta relative to second-order perturbation theory.
//
// The kick and the drift are those of equations A15 and A16 of the paper, where momenta grow as aⁿ
// with n = −2.5. With a the scale factor of step i, b that of step i + 1, m = √(ab) and l the
// middle of step i − 1 likewise, p += −3/2 omega_m/(a² E) (mⁿ − lⁿ)/(n aⁿ⁻¹) (g − g_lpt), where
// g_lpt = −(D1 ψ1 + (D2 + 7/3 D1²) ψ2), and r += p m⁻ⁿ ∫ tⁿ dt/(t³ E(t)) from a to b.
// - c: cosmology
// - s: state `{disp, mom}` relative to perturbation theory
// - lpt: displacements `{psi1, psi2}`, as of `cola_start`
// - time: function of the number of a step: the scale factor at its beginning, such as the member
//   `at` of `steps_in_a(0.1, 1, 5)`
// - i: int, the number of the step
// - boost: int, mesh cells per particle along each side, for the force
// - window: window of the paint and the readout, `"ngp"`, `"cic"`, `"tsc"` or `"pcs"`
// - force: function (mesh, scale) => scale ∇∇⁻² mesh, a vector field, such as `fourier_force()`,
//   `multigrid()` or `pyramid()`
// - today: growth before normalization at a = 1; compute it once before the loop
// - rounding: function that rounds displacements and momenta, such as `multiples(range)`
// Value: record `{next, here}`: the next state `{disp, mom}`, and the particles `{disp, mom, a}` at
//   time(i).
// Source: Tassev, Zaldarriaga & Eisenstein (2013)
// Cost: one force.
// Example: cola_cycle(c, zero, psi, times.at, 0, 1, "cic", fourier_force()).here.disp
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

// The first state of COLA, and the displacements of first and second order at D1 = D2 = 1, from
// particles of `lpt`. D2 is D1² in matter domination.
// - c: cosmology
// - start: particles `{disp, mom}` of `lpt` with the default order
// - a: scale factor of the particles
// - today: growth before normalization at a = 1; compute it once before the loop
// Value: tuple (state, lpt): the state `{disp, mom}`, which is 0, and `{psi1, psi2}`.
// Source: Tassev, Zaldarriaga & Eisenstein (2013)
// Example: cola_start(c, start, 0.1)[1].psi1
fn cola_start(c, start, a, today = raw_growth(c, 1)) {
  let g = growth(c, a, "true", today)
  let velocity = 1 / (a^2 * E(c, a)) * start.mom
  let lpt = {psi1 = 1 / (g.D1 * (g.f2 - g.f1)) * (g.f2 * start.disp - velocity)
             psi2 = 1 / (g.D2 * (g.f2 - g.f1)) * (velocity - g.f1 * start.disp)}
  ({disp = 0 * start.disp, mom = 0 * start.mom}, lpt)
}

// The particles that belong to a state of COLA: the state plus second-order perturbation theory at
// a.
// - c: cosmology
// - s: state `{disp, mom}` relative to perturbation theory
// - lpt: displacements `{psi1, psi2}`, as of `cola_start`
// - a: scale factor
// - today: growth before normalization at a = 1; compute it once before the loop
// Value: record `{disp, mom, a}`.
// Source: Tassev, Zaldarriaga & Eisenstein (2013)
// Example: cola_state(c, zero, psi, 0.2).disp
fn cola_state(c, s, lpt, a, today = raw_growth(c, 1)) {
  let g = growth(c, a, "true", today)
  let w = a^2 * E(c, a)
  {disp = s.disp + g.D1 * lpt.psi1 + g.D2 * lpt.psi2
   mom = s.mom + w * g.f1 * g.D1 * lpt.psi1 + w * g.f2 * g.D2 * lpt.psi2, a = a}
}

// The force g_d = FT⁻¹[−i k̃_d k⁻² δ_k] at the particles, where δ is their overdensity on a mesh.
// - disp: vector of fields over the lattice, the displacements of the particles
// - boost: int, mesh cells per particle along each side
// - kernel: `"exact"`, `"fd2"`, `"fd4"` or `"fd6"`, the derivative of the force, as in
//   `gradient_kernel`
// - laplacian: `"exact"` or `"fd2"`, as in `inverse_laplacian_kernel`
// - window: window of the paint and the readout, `"ngp"`, `"cic"`, `"tsc"` or `"pcs"`
// Value: vector of fields like disp. A batch of particles is an error.
// Cost: one paint, one readout, and the transforms of `fourier_force`.
// Example: force(start.disp)
fn force(disp, boost: int = 1, kernel = "fd4", laplacian = "exact", window = "cic") =
  force_at(disp, boost, window, fourier_force(kernel, laplacian))

// Particles with the correction of potential gradient descent (PGD), which sharpens the halos of
// simulations with few steps or coarse meshes: x − α ∇∇⁻² [exp(−k_long²/k² − k⁴/k_short⁴) δ].
//
// For α > 0, the particles move along the attraction by the filtered density. The filter removes
// large scales, which are correct already, and scales that the mesh does not resolve. Fit α, k_long
// and k_short to a simulation with a higher resolution.
// - s: particles
// - alpha: number, α
// - k_long: number in 1/length; the filter removes waves with smaller wave numbers
// - k_short: number in 1/length; the filter removes waves with larger wave numbers
// - boost: int, mesh cells per particle along each side
// - kernel: `"exact"`, `"fd2"`, `"fd4"` or `"fd6"`, the derivative, as in `gradient_kernel`
// - window: window of the paint and the readout, `"ngp"`, `"cic"`, `"tsc"` or `"pcs"`
// Value: particles like s with other displacements.
// Source: Dai, Feng & Seljak (2018), eqs. 7 to 9
// Cost: one `force`, and two transforms.
// Example: potential_descent(start, 0.1, 0.3 h/Mpc, 1 h/Mpc).disp
fn potential_descent(s, alpha, k_long, k_short, boost: int = 1, kernel = "fd4", window = "cic") {
  let g = force_at(s.disp, boost, window, (mesh, scale) => {
    let force = fourier_force(kernel)
    let modes = fft(mesh)
    force(ifft(map k in modes => {
      let k2 = norm2(k)
      let own = if k2 == 0 then unit_of(k2) else k2
      (if k2 == 0 then 0 else exp(-k_long^2 / own - (k2 / k_short^2)^2)) * modes
    }), scale)
  })
  s with {disp = for d in directions(s.disp) => s.disp[d] - alpha * g[d]}
}

// The same with what makes the force of the mesh (see nbody).
fn force_at[D](disp: vector field[D], boost: int, window, force) {
  let own = if total(for u in disp => 1) == total(for d in D => 1) then disp
            else error("displacements have one component for each dim; of a batch of particles, take one set at a time: slice(f, c = i)")
  let mesh = paint[refine(D, boost)](own, window = window)
  readout(force(mesh, boost^total(for d in D => 1)), disp, window = window)
}

// A force for the argument `force` of `nbody`, by Fourier transforms. Finite differences are taken
// of the potential in real space.
// - kernel: `"exact"`, `"fd2"`, `"fd4"` or `"fd6"`, the derivative of the force, as in
//   `gradient_kernel`
// - laplacian: `"exact"` or `"fd2"`, as in `inverse_laplacian_kernel`
// Value: function (mesh, scale) => scale ∇∇⁻² mesh, a vector of fields like mesh.
// Cost: two transforms for `"fd2"`, `"fd4"` and `"fd6"`; one for each dim and one more for
//   `"exact"`.
// Example: nbody(c, start, times = times, force = fourier_force("exact")).disp
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
