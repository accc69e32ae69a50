// Weak gravitational lensing by particles: light cones, lens planes, Born approximation, rays
// through many planes, and maps of the flat and the full sky.
//
// The line of sight is the third direction of the box. The observer sees copies of the box: copy n
// is from the comoving distance n L to (n + 1) L. Angles are in radians, distances are comoving in
// Mpc/h. On a flat sky, a ray of direction θ is at Sθ on the plane at the distance χ, where S is
// `transverse_distance(c, chi)`, which is χ in flat space. In curved space, boxes are treated as
// flat, because they are small compared with the radius of curvature.
//
// A shell is the space between the distances where a step begins and ends. A lens plane is a
// record `{sigma, chi, a, number}`: sigma is the overdensity integrated along the line of sight
// through the shell, a field [P, Q] in Mpc/h; chi and a are the distance and the scale factor of
// the middle of the shell; number is 0 for the farthest plane. Planes are as wide as the box, and
// periodic.
//
// An efficiency is a function of the distance χ. Its value is the mean of S(χ_s − χ)/S(χ_s) over
// the sources behind χ, which is 1 − χ/χ_s in flat space: a number, or a vector of numbers for
// several maps. An observer is a function of the light of one step, as of `light_of`; `light_cone`
// adds its values.
//
// Setup: use cosmology, power, fields, lpt, healpix
//   dim x = 8, y = 8, z = 8 over 100 Mpc/h
//   dim p = 8, q = 8 over 100 Mpc/h
//   dim plane = 3, list = 512
//   dim u = 8, v = 8 over 5 deg
//   dim pix = 48
//   let c = flat_lcdm()
//   let time = equal_shells(c, 150 Mpc/h, 3)
//   let P = spectrum(eisenstein_hu(c, points = 64, panels = 8))
//   let start = lpt(c, gaussian_field[x, y, z](P, 1), a = time(0), order = 1)
//   let theta = rays[u, v]()
//   let sources = source_planes(c, (0.1, 0.5))
//   let stack = zeros[plane, p, q] * 1 Mpc/h
//   let none = 0 * theta[0]
//   let move = 0.1 * start.disp
//   let light = light_of(start.disp, move, shell_of(c, time, 0), same_copies, 3)
//
// Internal: require_map place_on_map light_speed

use math, cosmology, fields, nbody, particles, healpix

// ---- distances ----

// The Hubble distance c/H₀.
// Value: number in Mpc/h.
// Example: hubble_distance()
fn hubble_distance() = 2997.92458 Mpc/h

// The scale factor when light that is seen today left from a comoving distance: the inverse of
// `comoving_distance`.
// - c: cosmology
// - chi: number in Mpc/h
// Value: number. It is NaN beyond the horizon, from which no light has arrived.
// Cost: nine steps of Newton's method, with an integral each.
// Example: scale_factor(c, 1000 Mpc/h)
fn scale_factor(c, chi) =
  exp(newton(x => number(comoving_distance(c, exp(x)) - chi, hubble_distance()), x => -1 / (exp(x) * E(c, exp(x))),
             -2 log(1 + chi / (2 * hubble_distance())), steps = 9))

// The scale factors of steps that are equally thick in comoving distance, for the argument `time`
// of `light_cone`.
// - c: cosmology
// - far: number in Mpc/h, the distance where the first step begins
// - steps: int
// - near: number in Mpc/h, the distance where the last step ends
// Value: function from the number of a step to a scale factor. It is an error if the distances are
//   not 0 ≤ near < far < horizon.
// Example: equal_shells(c, 300 Mpc/h, 4)(1)
fn equal_shells(c, far, steps: int, near = 0 Mpc/h) {
  let horizon = comoving_distance(c, 1e-8)
  assert near >= 0 Mpc/h and near < far, "equal_shells: near is {}, expected 0 or more, and less than far, which is {}",
         near, far
  assert far < horizon, "equal_shells: far is {}, expected less than the distance of the horizon, {}", far, horizon
  i => scale_factor(c, far + (near - far) * i / steps)
}

// ---- light cone ----

// The place of copy n of the box on the line of sight: turn, the rows of a matrix, and shift, in units of the box. A point
// x of the box is seen at turn x + shift, wrapped into the box. For light_cone.

// Copies of the box without a change, for the argument `copies` of `light_cone`.
//
// A point x of the box, in units of its sides, is seen at turn · x + shift in copy n, wrapped into
// the box.
// - n: number of the copy
// Value: record `{turn, shift}`: the rows of a matrix, and a vector.
// Example: same_copies(2).shift
fn same_copies(n) = {turn = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), shift = (0.0, 0.0, 0.0)}

// Copies of a cubic box that are rotated and shifted, for the argument `copies` of `light_cone`.
// Therefore structure does not repeat along the line of sight. There are 24 rotations and no
// reflections.
//
// Rotations and shifts are additive recurrences of n and the seed, which distribute them evenly
// (Roberts 2018).
// - seed: number, a whole one
// Value: function from the number n of a copy to a record `{turn, shift}`, as of `same_copies`.
// Example: turned_copies(3)(1).shift
fn turned_copies(seed = 0) = n => {
  let m = n + 1 + 64 * seed
  fn part(x) = x - floor(x)
  let r = floor(24 * part(0.5 + m * 0.6180339887498949))
  let p = floor(r / 4)
  let first = if r - 4 p < 2 then 1.0 else -1.0
  let second = if r - 2 floor(r / 2) < 1 then 1.0 else -1.0
  let third = (if p < 3 then 1.0 else -1.0) * first * second
  // Row j has its only entry in column place(j): orders 0, 1, 2 are even, 3, 4, 5 odd.
  fn place(j) {
    let t = if p < 3 then j + p else p - j
    t - 3 floor(t / 3)
  }
  fn row(j, value) = for i in 0 .. 3 => if place(j) == i then value else 0.0
  {turn = (row(0, first), row(1, second), row(2, third)),
   shift = (part(m * 0.8191725133961645), part(m * 0.6710436067037893), part(m * 0.5497004779019703))}
}

// Particles on the light cone. They move from time(0) to time(steps) in kick-drift-kick steps with
// FastPM's factors, as in `nbody`. Each particle is seen where light meets it on its way through
// the step.
//
// In step i, the light that is seen today travels from the distance χᵢ of time(i) to χᵢ₊₁. A
// particle moves on a straight line from x to x + m. Light meets it at the fraction s of the step
// with x_z + s m_z = χᵢ − s (χᵢ − χᵢ₊₁), 0 ≤ s < 1. Therefore every copy of it is seen once,
// except for particles that cross the border between two turned copies in a step: they may be seen
// twice or not at all.
//
// These end the program with an error: a start that does not belong to time(0); a particle that
// moves farther in a step than light; a step that meets more than `candidates` copies; turned
// copies of a box that is not a cube.
// - c: cosmology
// - start: particles `{disp, mom}` at time(0)
// - time: function from the number of a step to a scale factor, increasing, as of `equal_shells`
// - steps: int
// - first: the value of the sum before the first step: a field, or a vector of fields
// - observe: observer, such as `keep_planes[T, P, Q]()`, `on_planes[P, Q](f)` or
//   `born_particles[U, V](c, efficiency)`
// - copies: function n => the place of copy n of the box
// - candidates: int, the number of copies that the light of one step may meet; a step is at most
//   candidates − 2 boxes thick
// - boost: int, mesh cells per particle along each side, for the force
// - kernel: `"exact"`, `"fd2"`, `"fd4"` or `"fd6"`, the derivative of the force, as in
//   `gradient_kernel`
// - laplacian: `"exact"` or `"fd2"`
// - window: the window of paint and readout
// Value: record `{seen, particles}`: first + observe(light of step 0) + …, and the particles at
//   time(steps).
// Cost: one force and one call of the observer for each step.
// Example: light_cone(c, start, time, 3, stack, keep_planes[plane, p, q]()).particles.a
fn light_cone(c, start, time, steps: int, first, observe, copies = same_copies, candidates: int = 3,
              boost: int = 1, kernel = "fd4", laplacian = "exact", window = "cic") {
  require_time("light_cone", "time(0)", start, time(0))
  let today = raw_growth(c, 1)
  let (s, seen) = loop (s, seen) = ({disp = start.disp, mom = start.mom}, first) for i in 0 .. steps => {
    let now = growth(c, time(i), today = today)
    let next = growth(c, time(i + 1), today = today)
    let before = growth(c, sqrt(time(max(i - 1, 0)) * time(i)), today = today)
    let after = growth(c, sqrt(time(i) * time(i + 1)), today = today)
    let kicked = if i == 0 then kick(now, now, after) else kick(now, before, after)
    let mom = s.mom + kicked * force(s.disp, boost, kernel, laplacian, window)
    let move = drift(after, now, next) * mom
    // Seen before they move, so that they can move in place.
    let more = observe(light_of(s.disp, move, shell_of(c, time, i), copies, candidates))
    ({disp = s.disp + move, mom = mom}, seen + more)
  }
  let last = growth(c, time(steps), today = today)
  let before = growth(c, sqrt(time(steps - 1) * time(steps)), today = today)
  let g = force(s.disp, boost, kernel, laplacian, window)
  {seen = seen, particles = {disp = s.disp, mom = s.mom + kick(last, before, last) * g, a = time(steps)}}
}

// The shell of step i.
// - c: cosmology
// - time: function from the number of a step to a scale factor
// - i: int, the number of the step
// Value: record `{far, near, chi, a_far, a, a_near, number, curvature}`: the distances of its ends
//   and its middle, the scale factors there, i, and the curvature of space.
// Example: shell_of(c, time, 1).chi
fn shell_of(c, time, i) {
  let far = comoving_distance(c, time(i))
  let near = comoving_distance(c, time(i + 1))
  assert near > -1e-6 * far and far > near, "the shell of step {} lies from {} to {} Mpc/h: is it one of the steps?", i,
         near, far
  let chi = 0.5 (far + near)
  {far = far, near = near, chi = chi, a_far = time(i), a = scale_factor(c, chi), a_near = time(i + 1), number = i,
   curvature = space_curvature(c)}
}

// The light of a shell while particles move from disp to disp + move.
// - disp: vector of fields, the displacements of the particles in Mpc/h
// - move: vector of fields like disp
// - shell: record of `shell_of`
// - copies: function n => the place of copy n of the box
// - candidates: int, the number of copies that light may meet
// Value: record `{shell, density, sides, disp, move, reach, each, fold, images}`. `density` is the
//   number of particles per (Mpc/h)³. `sides` are the lengths of the box across the line of sight,
//   and `reach` is the largest move. each(f, none) is the sum of f(crossing) over the copies of the
//   box that light meets, where `none` is a zero like the value of f. fold(f, start) calls
//   f(state, crossing) for each of these copies. Each call returns the next state, and the value is
//   the last one. images(f, start, beyond) calls f(state, crossing, n) for each copy n that light
//   meets, including the distance `beyond` before and behind the copy. If `beyond` is not 0, there
//   are three calls for a copy: for the copy and for its periodic images before and behind it.
// Example: light_of(start.disp, move, shell_of(c, time, 0), same_copies, 3).reach
fn light_of(disp, move, shell, copies, candidates: int) {
  let box = directions(disp)
  let L = length(box[2])
  let reach = sqrt(max(map q in move[0] => norm2(move)))
  assert reach < shell.far - shell.near, "light_cone: a particle moves {} Mpc/h while light goes {}", reach,
         shell.far - shell.near
  // Particles that begin the step in the previous copy may meet the light in the next one.
  fn first_within(beyond) = floor((shell.near - reach - beyond) / L)
  fn require_copies(beyond) {
    let count = floor((shell.far + beyond) / L) + 1 - first_within(beyond)
    assert count <= candidates,
           "light_cone: a step from {} to {} Mpc/h meets {:.0f} copies of the box, more than candidates = {}; write candidates = {:.0f}, or take more steps",
           shell.near, shell.far, count, candidates, count
  }
  let first = first_within(0 Mpc/h)
  fn crossing_of(n) = crossing(disp, move, shell.far - n * L, shell.far - shell.near, copies(n))
  {shell = shell, density = 1 / product(for d in box => spacing(d)), sides = (length(box[0]), length(box[1])),
   disp = disp, move = move, reach = reach,
   each = (f, none) => {
     require_copies(0 Mpc/h)
     loop sum = none for j in 0 .. candidates => {
       let n = first + j
       sum + (if n * L <= shell.far then f(crossing_of(n)) else none)
     }
   },
   fold = (f, start) => {
     require_copies(0 Mpc/h)
     loop state = start for j in 0 .. candidates => {
       let n = first + j
       if n * L <= shell.far then f(state, crossing_of(n)) else state
     }
   },
   images = (f, start, beyond) => {
     require_copies(beyond)
     let first = first_within(beyond)
     let images = if beyond > 0 Mpc/h then 3 else 1
     loop state = start for j in 0 .. candidates * images => {
       let n = first + div(j, images)
       let image = n + (if images == 3 then mod(j, 3) - 1 else 0)
       if n * L - beyond <= shell.far then
         f(state, crossing(disp, move, shell.far - image * L, shell.far - shell.near, copies(n)), n)
       else state
     }
   }}
}

// Where light meets the particles of one copy of the box, as it travels from the distance `front`
// behind the near side of the copy towards the observer by `depth`.
// - disp, move: vectors of fields, the displacements and the moves of the particles in Mpc/h
// - front, depth: numbers in Mpc/h
// - copy: record `{turn, shift}`, as of `same_copies`
// Value: record `{at, fraction, along, met}`: the position (x, y) across the line of sight, the
//   fraction of the step, the part of the move along the line of sight, away from the observer, and
//   whether light meets the particle at all. If not, the other members have no meaning.
// Example: crossing(start.disp, move, 50 Mpc/h, 50 Mpc/h, same_copies(0)).fraction
fn crossing(disp, move, front, depth, copy) {
  let box = directions(disp)
  let turned = for i in 0 .. 3 => total(for j in 0 .. 3 => abs(copy.turn[i][j]) * length(box[j]))
  assert turned[0] == length(box[0]) and turned[1] == length(box[1]) and turned[2] == length(box[2]),
         "light_cone: copies are turned, but the sides of the box are {}, {} and {} Mpc/h", length(box[0]),
         length(box[1]), length(box[2])
  let (x, y, fraction, along, met) = map q in disp[0] => {
    let box = directions(disp)
    let from = for d in box => (q[d] + disp[d]) / length(d)
    let begin = for i in 0 .. 3 => length(box[i]) * wrap(dot(copy.turn[i], from) + copy.shift[i], 1)
    let path = for i in 0 .. 3 => dot(copy.turn[i], move)
    let s = (front - begin[2]) / (path[2] + depth)
    (begin[0] + s * path[0], begin[1] + s * path[1], s, path[2], s >= 0 and s < 1)
  }
  {at = (x, y), fraction = fraction, along = along, met = met}
}

// ---- catalogs ----

// An observer that keeps a catalog of the particles that light meets, while the simulation runs.
// Each particle has the place where light meets it, and its velocity there. The first dim in
// brackets has a cell for each step, the farthest first. The second one has the particles of a step.
//
// The particles of a step are in the order of the copies of the box, and in a copy in the order of
// the lattice. If a step has more particles than the second dim has cells, the program ends with an
// error.
//
// The matter in two neighboring turned copies is not continuous at their border, so that halos are
// cut there. With `beyond` = the largest size of a halo, the catalog also has the periodic images of
// each copy, up to this distance from its ends. Then a group of friends among the particles of one
// copy is complete if its center is in the copy. Leave out groups with their center in an image.
// - select: function (x, y, chi) of the place of a particle, which is true for particles that are
//   kept
// - beyond: number in Mpc/h from 0 to the side of the box, the distance up to which images are kept
// Value: function from light to a record `{pos, velocity, copy, exists}` like that of
//   `empty_catalog`. `pos` is the vector (x, y, χ) in Mpc/h. x and y are across the line of sight,
//   from 0 to the sides of the box. `velocity` is the peculiar velocity in km/s along the line of
//   sight, positive away from the observer. It is c move_z/Δχ, the mean over the step. `copy` is the
//   number n of the copy of the box, which extends from L n to L (n + 1). `exists` is 1 for cells with
//   a particle, which are the first ones of each step. It is 0 for the other cells, in which all
//   members are 0. Derivatives pass through places and velocities, but not through the selection.
// Cost: a `collect` for each copy of the box, or three with images.
// Example: keep_catalog[plane, list]((x, y, chi) => chi > 140 Mpc/h)(light).pos[2]
fn keep_catalog[T, list](select = (x, y, chi) => true, beyond = 0 Mpc/h) = light => {
  let shell = light.shell
  let depth = shell.far - shell.near
  let L = length(directions(light.disp)[2])
  assert shell.number < cells(T), "keep_catalog: the first dim has {} cells, expected one for each step", cells(T)
  assert beyond >= 0 Mpc/h and beyond <= L, "keep_catalog: beyond is {}, expected 0 to the side of the box, {}", beyond,
         L
  let none = zeros[list]
  let (at, count) = light.images((state, seen, n) => {
    let (kept, before) = state
    let (x, y) = seen.at
    let (low, high) = if beyond > 0 Mpc/h then (n * L - beyond, (n + 1) * L + beyond)
                      else (shell.near - L, shell.far + L)
    let (found, more) = collect i in x where {
      let chi = shell.far - seen.fraction * depth
      seen.met and chi >= low and chi < high and select(x, y, chi)
    } into list => (x, y, shell.far - seen.fraction * depth, light_speed() * seen.along / depth, 1.0 * n)
    assert before + more <= cells(list),
           "keep_catalog: step {} has {} particles, expected at most the {} cells of the dim",
           shell.number, before + more, cells(list)
    let appended = for m in 0 .. 5 => map i in [list] =>
      if index(i, list) < before then kept[m] else (found[m])[list = int(max(index(i, list) - before, 0))]
    (appended, before + more)
  }, ((none * 1 Mpc/h, none * 1 Mpc/h, none * 1 Mpc/h, none * 1 km/s, none), 0), beyond)
  let exists = map i in [list] => if index(i, list) < count then 1.0 else 0.0
  {pos = for m in 0 .. 3 => (zeros[T, list] * 1 Mpc/h) with {[T = shell.number] = at[m]}
   velocity = (zeros[T, list] * 1 km/s) with {[T = shell.number] = at[3]}
   copy = zeros[T, list] with {[T = shell.number] = at[4]}
   exists = zeros[T, list] with {[T = shell.number] = exists}}
}

// A catalog without particles, for the argument `first` of `light_cone` with `keep_catalog`.
// Value: record `{pos, velocity, copy, exists}` of fields over the dims in brackets: a vector in
//   Mpc/h, a field in km/s, and two fields without unit. All of them are 0.
// Example: empty_catalog[plane, list]().velocity
fn empty_catalog[T, list]() = {pos = for m in 0 .. 3 => zeros[T, list] * 1 Mpc/h, velocity = zeros[T, list] * 1 km/s,
                               copy = zeros[T, list], exists = zeros[T, list]}

fn light_speed() = 299792.458 km/s

// ---- lens planes ----

// An observer of lens planes: f(lens plane). The dims of the planes are in brackets; they have the
// lengths of the box.
// - observe: function of a lens plane
// Value: function of light.
// Example: on_planes[p, q](s => s.sigma)(light)
fn on_planes[P, Q](observe) = light => observe(lens_plane[P, Q](light))

// An observer that keeps all lens planes, along the first dim T in brackets, the farthest first. T
// must have a cell for each step.
// Value: function from light to a field [T, P, Q] in Mpc/h.
// Example: keep_planes[plane, p, q]()(light)
fn keep_planes[T, P, Q]() = on_planes[P, Q](plane => {
  assert plane.number < cells(T), "keep_planes: the first dim has {} cells, expected one for each step", cells(T)
  zeros[T, P, Q] with {[T = plane.number] = plane.sigma}
})

// The lens plane of the light of one step. The mean density is subtracted, not the mean of the
// plane. The dims in brackets must have the lengths of the box; others end the program with an
// error.
// - light: record of `light_of`
// Value: record, a lens plane.
// Cost: one paint for each copy of the box.
// Example: lens_plane[p, q](light).sigma
fn lens_plane[P, Q](light) {
  assert length(P) == light.sides[0] and length(Q) == light.sides[1],
         "planes of {} and {} Mpc/h, but the box has {} and {}",
         length(P), length(Q), light.sides[0], light.sides[1]
  let count = light.each(seen => paint_at[P, Q](seen.at, where = seen.met), zeros[P, Q])
  let shell = light.shell
  {sigma = count / (light.density * spacing(P) * spacing(Q)) - (shell.far - shell.near),
   chi = shell.chi, a = shell.a, number = shell.number}
}

// The lens plane k of a stack that `keep_planes` kept.
// - c: cosmology
// - stack: field [T, P, Q] in Mpc/h
// - time: function from the number of a step to a scale factor
// - k: int
// Value: record, a lens plane.
// Example: plane_of(c, stack, time, 1).chi
fn plane_of[T, P, Q](c, stack: field[T, P, Q], time, k) {
  let shell = shell_of(c, time, k)
  {sigma = slice(stack, T = k), chi = shell.chi, a = shell.a, number = k}
}

// first + f(lens plane 0) + f(lens plane 1) + … over a stack that `keep_planes` kept. This is the
// sum that `on_planes(f)` collects.
// - c: cosmology
// - stack: field [T, P, Q] in Mpc/h
// - time: function from the number of a step to a scale factor
// - first: the value of the sum before the first plane
// - observe: function of a lens plane, such as `born(c, rays, efficiency)`
// Value: like first.
// Example: over_planes(c, stack, time, (none, none), born(c, theta, sources))
fn over_planes[T, P, Q](c, stack: field[T, P, Q], time, first, observe) =
  loop seen = first for k in 0 .. cells(T) => seen + observe(plane_of(c, stack, time, k))

// 3/2 Ωm (H₀/c)² sigma/a of a lens plane. A plane adds its strength times S times the efficiency
// to the convergence.
// - c: cosmology
// - plane: lens plane
// Value: field in h/Mpc.
// Source: Jain, Seljak & White (2000), eq. 7
// Example: strength(c, plane_of(c, stack, time, 0))
fn strength(c, plane) = 1.5 * c.omega_m / hubble_distance()^2 / plane.a * plane.sigma

// How a plane of a given strength bends light, with ∇²ψ = 2 strength. The mean of a plane bends
// nothing, because a periodic plane has no preferred direction.
// - strength: field [P, Q] in h/Mpc
// Value: record `{deflection, tidal}`: (∂₁ψ, ∂₂ψ) without unit, and (∂₁∂₁ψ, ∂₁∂₂ψ, ∂₂∂₂ψ) in
//   h/Mpc.
// Cost: six transforms.
// Example: lens(strength(c, plane_of(c, stack, time, 0))).tidal
fn lens(strength) {
  let fk = fft(strength)
  let (p, q) = directions(strength)
  fn derived(factor) = ifft(map k in fk => factor(k) * (-2 * inverse_laplacian_kernel(k)) * fk)
  {deflection = for d in (p, q) => derived(k => 1i * gradient_kernel(k, d)),
   tidal = (derived(k => -k[p]^2), derived(k => -gradient_kernel(k, p) * gradient_kernel(k, q)), derived(k => -k[q]^2))}
}

// ---- sources ----
//
// An efficiency is a function from the distance of a lens to the mean of S(chi_s - chi)/S(chi_s), in flat space 1 - chi/chi_s, over the sources behind
// it: a number, or a vector of numbers for several maps at once.

// The efficiency of sources at some redshifts: a vector with a component for each.
// - c: cosmology
// - redshifts: vector of numbers
// Value: function from the distance in Mpc/h to a vector.
// Example: source_planes(c, (0.5, 1.0))(200 Mpc/h)
fn source_planes(c, redshifts) {
  let distances = for z in redshifts => comoving_distance(c, 1 / (1 + z))
  chi => for far in distances => efficiency_of(c, chi, far)
}

// The efficiency at a distance of one source, S(far − chi)/S(far), and 0 for chi > far.
// - c: cosmology
// - chi: number in Mpc/h, the distance of the lens
// - far: number in Mpc/h, the distance of the source
// Value: number.
// Example: efficiency_of(c, 200 Mpc/h, 900 Mpc/h)
fn efficiency_of(c, chi, far) = number(transverse_distance(c, max(far - chi, 0 Mpc/h)), transverse_distance(c, far))

// The efficiency of sources with n(z) dz of them at z.
// - c: cosmology
// - n: function from z to a number; it need not be normalized
// - z_max: number, the largest redshift of sources
// - panels: int, the number of panels of the integral over z
// Value: function from the distance in Mpc/h to a number.
// Example: source_distribution(c, z => z^2 * exp(-z / 0.3), 2)(200 Mpc/h)
fn source_distribution(c, n, z_max, panels: int = 16) {
  let all = integrate(n, from = 0, to = z_max, panels = panels)
  chi => {
    let here = min(1 / scale_factor(c, chi) - 1, z_max)
    integrate(z => n(z) * efficiency_of(c, chi, comoving_distance(c, 1 / (1 + z))), from = here, to = z_max,
              panels = panels) / all
  }
}

// ---- maps of the sky ----

// The directions (θ₁, θ₂) of a map whose center is on the line of sight. The lengths of the two
// dims in brackets are angles in radians.
// Value: vector of two fields.
// Example: rays[u, v]()
fn rays[U, V]() = map q in [U, V] => (q[U] - length(U) / 2, q[V] - length(V) / 2)

// The convergence of a lens plane in the Born approximation, along straight rays, for `on_planes`
// and `over_planes`: efficiency · S · strength. The sum over planes is κ.
// - c: cosmology
// - rays: vector of two fields, directions as of `rays`
// - efficiency: function of the distance
// - window: how planes are read at rays: `"ngp"`, `"cic"`, `"tsc"` or `"pcs"`
// Value: function from a lens plane to a map, or to a vector of maps if the efficiency is a
//   vector.
// Example: born(c, theta, sources)(plane_of(c, stack, time, 0))
fn born(c, rays, efficiency, window = "cic") = plane => {
  let S = transverse_distance(c, plane.chi)
  efficiency(plane.chi) * (S * readout_at(strength(c, plane), S * rays, window = window))
}

// The shear (γ₁, γ₂) of a lens plane in the Born approximation, for `on_planes` and `over_planes`.
// - c: cosmology
// - rays: vector of two fields, directions as of `rays`
// - efficiency: function of the distance
// - window: how planes are read at rays: `"ngp"`, `"cic"`, `"tsc"` or `"pcs"`
// Value: function from a lens plane to a tuple of two maps, or of two vectors of maps.
// Example: born_shear(c, theta, chi => 0.5)(plane_of(c, stack, time, 0))
fn born_shear(c, rays, efficiency, window = "cic") = plane => {
  let S = transverse_distance(c, plane.chi)
  let (xx, xy, yy) = readout_at(lens(strength(c, plane)).tidal, S * rays, window = window)
  let q = efficiency(plane.chi)
  (q * (0.5 * S * (xx - yy)), q * (S * xy))
}

// An observer of the convergence in the Born approximation without planes: every particle is seen
// in its own direction and at its own distance χ, and adds 3/2 Ωm (H₀/c)² efficiency/(a S) over
// its density to the area of a pixel. The dims of the map are in brackets, as for `rays`.
//
// Derivatives are smooth, because a particle moves smoothly from one step to the next; lens planes
// have jumps there. Between the ends of a shell, efficiency · S/a is taken as linear. Particles
// outside of the map are left out, so that its outermost pixels are wrong. At the far end of each
// shell, the map must not be wider than the box; a wider map, or a shell that is too thick in
// curved space, ends the program with an error.
// - c: cosmology
// - efficiency: function of the distance
// - window: the window of the paint
// Value: function from light to a map, or to a vector of maps if the efficiency is a vector.
// Example: born_particles[u, v](c, chi => 0.5)(light)
fn born_particles[U, V](c, efficiency, window = "cic") = light => {
  require_map[U, V]("born_particles", light)
  let far = geodesics(light.shell.curvature, light.shell.far)
  let parts = light.each(seen => {
    let (x, y) = seen.at
    let (t1, t2, near, far, inside) = map i in x => {
      let (a, b, area, inside) = place_on_map(light, far, length(U), length(V), x, y, seen.fraction)
      (a, b, seen.fraction * area, (1 - seen.fraction) * area, seen.met and inside)
    }
    paint_at[U, V]((t1, t2), window = window, weight = (near, far), where = inside)
  }, (zeros[U, V], zeros[U, V]))
  convergence_of_parts(c, efficiency, light, spacing(U) * spacing(V), parts)
}

// The shell is thin beside the radius of curvature, and the map over [U, V] not wider than the box.
fn require_map[U, V](caller, light) {
  let shell = light.shell
  let depth = shell.far - shell.near
  let far = geodesics(shell.curvature, shell.far)
  assert length(U) * far.sine <= light.sides[0] and length(V) * far.sine <= light.sides[1],
         "{}: at {} Mpc/h the map is wider than the box", caller, shell.far
  assert abs(shell.curvature) * depth^2 < 0.1, "{}: a shell of {} Mpc/h is too thick for omega_k = {}", caller, depth,
         shell.curvature * hubble_distance()^2
}

// The positions of the particles of a crossing on the map over the dims in brackets, each at its own
// distance, for observers of your own.
// - light: record of `light_of`
// - seen: record of `crossing`
// Value: record `{at, area, inside}`: the position on the map in radians, (1 Mpc/h / S)² where S is
//   the transverse distance of the particle, and whether the map has it.
// Example: light.each(seen => paint_at[u, v](seen_on_map[u, v](light, seen).at, where = seen_on_map[u, v](light, seen).inside), none)
fn seen_on_map[U, V](light, seen) {
  let far = geodesics(light.shell.curvature, light.shell.far)
  let (x, y) = seen.at
  let (t1, t2, area, inside) = map i in x => {
    let (a, b, area, inside) = place_on_map(light, far, length(U), length(V), x, y, seen.fraction)
    (a, b, area, seen.met and inside)
  }
  {at = (t1, t2), area = area, inside = inside}
}

// Of one particle: its place on a map of the sides u and v, (1 Mpc/h / S)^2, and whether it is inside.
fn place_on_map(light, far, u, v, x, y, fraction) {
  let shell = light.shell
  // S of shell.far - back, by the theorem of addition; back is small beside the radius of curvature.
  let back = fraction * (shell.far - shell.near)
  let r = shell.curvature * back^2
  let S = far.sine * (1 + r / 2 * (1 + r / 12 * (1 + r / 30 * (1 + r / 56)))) -
    far.cosine * back * (1 + r / 6 * (1 + r / 20 * (1 + r / 42 * (1 + r / 72))))
  let a = (x - 0.5 light.sides[0]) / S + 0.5 u
  let b = (y - 0.5 light.sides[1]) / S + 0.5 v
  (a, b, (1 Mpc/h / S)^2, a >= 0 and a < u and b >= 0 and b < v)
}

// The convergence of pixels of a given area, of painted particles that count (1 Mpc/h / S)², for
// observers of your own.
// - c: cosmology
// - efficiency: function of the distance
// - light: record of `light_of`
// - area: number, the area of a pixel in rad²
// - parts: tuple (near, far) of maps: the painted particles, each divided between the two ends of
//   the shell
// Value: map, or a vector of maps if the efficiency is a vector.
// Example: convergence_of_parts(c, chi => 0.5, light, spacing(u) * spacing(v), (none, none))
fn convergence_of_parts(c, efficiency, light, area, parts) {
  let shell = light.shell
  let mean = 0.5 (shell.far - shell.near)
  let pixel = area * light.density * 1 (Mpc/h)^2
  fn weight(chi, a) = 1.5 * c.omega_m / hubble_distance()^2 / a * transverse_distance(c, chi) * efficiency(chi)
  weight(shell.far, shell.a_far) * (parts[1] / pixel - mean) +
    weight(shell.near, shell.a_near) * (parts[0] / pixel - mean)
}

// ---- the full sky ----
//
// The observer is in the box, at `observer` in units of its sides, among copies of it on all sides, as they are. Light comes from all around:
// from a sphere that shrinks from the far end of a shell to its near end, while a particle moves from x to x + m, and its distance is taken as linear:
//
//   |x| + s (|x + m| - |x|) = chi_i - s (chi_i - chi_(i+1)),    0 <= s < 1
//
// so that every copy of it is seen once. Space is flat: boxes that stand side by side on all sides do not fit into another one. `most`: copies on each side of the observer's, which must reach as far as the shell. The pixels are of
// `healpix`, in ring order; derivatives go through distances, not from pixel to pixel.

// The sum of f(crossing) over the copies of the box around the observer that the light of a shell
// meets, for observers of the full sky of your own.
//
// Light comes from a sphere that shrinks from the far end of a shell to its near end. The distance
// of a particle is taken as linear in a step: |x| + s (|x + m| − |x|) = χᵢ − s (χᵢ − χᵢ₊₁), 0 ≤ s
// < 1. Copies are not rotated or shifted. Space must be flat. Curved space, or a shell beyond the
// copies, ends the program with an error.
// - light: record of `light_of`
// - f: function of a crossing `{at, fraction, met}`, where at = (x, y, z) is relative to the
//   observer
// - none: a zero like the value of f
// - observer: vector, the point in the box from which the sky is seen, in units of its sides
// - most: int, the number of copies of the box on each side of the observer's
// Value: like none.
// Example: all_around(light, s => sphere_paint[pix](s.at, where = s.met), light_of_nothing[pix]())
fn all_around(light, f, none, observer = (0.5, 0.5, 0.5), most: int = 2) {
  let box = directions(light.disp)
  let shell = light.shell
  assert shell.curvature == 0, "the full sky is for flat space, but omega_k (H0/c)^2 = {}", shell.curvature
  let L = for d in box => length(d)
  let before = for i in 0 .. 3 => (most + observer[i]) * L[i]
  let behind = for i in 0 .. 3 => (most + 1 - observer[i]) * L[i]
  let covered = min(min(min(before[0], before[1]), before[2]), min(min(behind[0], behind[1]), behind[2]))
  assert shell.far + light.reach <= covered,
         "a shell goes to {} Mpc/h, and {} copies of the box on each side reach {} Mpc/h", shell.far, most, covered
  let side = 2 * most + 1
  loop sum = none for j in 0 .. side^3 => {
    let n = (div(j, side^2) - most, mod(div(j, side), side) - most, mod(j, side) - most)
    let low = for i in 0 .. 3 => (n[i] - observer[i]) * L[i]
    let nearest = for i in 0 .. 3 => max(max(low[i], -low[i] - L[i]), 0 Mpc/h)
    let farthest = for i in 0 .. 3 => max(abs(low[i]), abs(low[i] + L[i]))
    let here = norm2(nearest) <= shell.far^2 and norm2(farthest) >= max(shell.near - light.reach, 0 Mpc/h)^2
    sum + (if here then f(crossing_sphere(light, low)) else none)
  }
}

// Where light meets the particles of one copy of the box on the full sky.
// - light: record of `light_of`
// - low: vector of three numbers in Mpc/h, the corner of the copy relative to the observer
// Value: record `{at, fraction, along, met}`, as of `crossing`, where at = (x, y, z) is relative to
//   the observer.
// Example: crossing_sphere(light, (0 Mpc/h, 0 Mpc/h, 0 Mpc/h)).fraction
fn crossing_sphere(light, low) {
  let shell = light.shell
  let depth = shell.far - shell.near
  let (disp, move) = (light.disp, light.move)
  let (x, y, z, fraction, along, met) = map q in disp[0] => {
    let box = directions(disp)
    let from = for d in box => wrap(q[d] + disp[d], length(d))
    let begin = for i in 0 .. 3 => low[i] + from[i]
    let end = for i in 0 .. 3 => begin[i] + move[i]
    let (r, r2) = (sqrt(norm2(begin)), sqrt(norm2(end)))
    let s = (shell.far - r) / (r2 - r + depth)
    (begin[0] + s * move[0], begin[1] + s * move[1], begin[2] + s * move[2], s, r2 - r, s >= 0 and s < 1)
  }
  {at = (x, y, z), fraction = fraction, along = along, met = met}
}

// An observer of the full sky: the overdensity of each shell on the pixels of `healpix` in ring
// order, along the first dim T in brackets, the farthest first. T must have a cell for each step.
// - observer: vector, the point in the box from which the sky is seen, in units of its sides
// - most: int, the number of copies of the box on each side of the observer's; they must reach as
//   far as the shells
// Value: function from light to a field [T, pix].
// Example: keep_shells[plane, pix]()(light)
fn keep_shells[T, pix](observer = (0.5, 0.5, 0.5), most: int = 2) = light => {
  let shell = light.shell
  assert shell.number < cells(T), "keep_shells: the first dim has {} cells, expected one for each step", cells(T)
  let count =
    all_around(light, seen => sphere_paint[pix](seen.at, where = seen.met), 0 * light_of_nothing[pix](), observer, most)
  let expected = light.density * (4 * pi / cells(pix)) * (shell.far^3 - shell.near^3) / 3
  zeros[T, pix] with {[T = shell.number] = count / expected - 1}
}

// An observer of the full sky: the convergence in the Born approximation, with each particle at
// its own distance, as `born_particles`. The map is in ring order over the dim in brackets.
// Derivatives include the change of distances, but not the change from pixel to pixel.
// - c: cosmology, of flat space
// - efficiency: function of the distance
// - observer: vector, the point in the box from which the sky is seen, in units of its sides
// - most: int, the number of copies of the box on each side of the observer's; they must reach as
//   far as the shells
// Value: function from light to a map, or to a vector of maps if the efficiency is a vector.
// Example: born_sphere[pix](c, chi => 0.5)(light)
fn born_sphere[pix](c, efficiency, observer = (0.5, 0.5, 0.5), most: int = 2) = light => {
  let shell = light.shell
  let depth = shell.far - shell.near
  let none = light_of_nothing[pix]()
  let parts = all_around(light, seen => {
    let (near, far) = map i in seen.fraction => {
      let area = (1 Mpc/h / (shell.far - seen.fraction * depth))^2
      (seen.fraction * area, (1 - seen.fraction) * area)
    }
    sphere_paint[pix](seen.at, weight = (near, far), where = seen.met)
  }, (none, none), observer, most)
  convergence_of_parts(c, efficiency, light, 4 * pi / cells(pix), parts)
}

// A map of zeros in f64, the type of painted pixels, over the dim in brackets.
// Value: field in f64.
// Example: light_of_nothing[pix]()
fn light_of_nothing[pix]() = bins q in [pix] into pix by index(q, pix) => 0

// Rays that each plane of a stack bends, back from the observer. It follows the comoving position
// X = Sβ of every ray and its slope dX/dχ, as a kick at each plane and a drift between planes, and
// the derivatives of both with respect to θ.
//
// In flat space, slope −= deflection(X) and D −= U(X) J at a plane, and X += (χ′ − χ) slope and J
// += (χ′ − χ) D between planes. In curved space X″ = omega_k (H₀/c)² X between planes. From these
// follow the position of the source, β = θ − Σ efficiency · deflection, and the distortion A =
// ∂β/∂θ = 1 − Σ efficiency · U J, averaged over the sources.
// - c: cosmology
// - stack: field [T, P, Q] in Mpc/h, the farthest plane first, as of `keep_planes`
// - time: function from the number of a step to a scale factor
// - rays: vector of two fields, directions as of `rays`, or others
// - efficiency: function of the distance
// - window: how planes are read at rays: `"ngp"`, `"cic"`, `"tsc"` or `"pcs"`
// Value: record `{beta, kappa, gamma1, gamma2, omega}` of maps, each a vector if the efficiency is
//   a vector: the position (β₁, β₂) of the source, κ = 1 − (A₁₁ + A₂₂)/2, γ₁ = (A₂₂ − A₁₁)/2, γ₂ =
//   −(A₁₂ + A₂₁)/2, and the rotation ω = (A₂₁ − A₁₂)/2.
// Source: Hilbert et al. (2009); Becker (2013)
// Cost: five transforms and one readout of five fields for each plane.
// Example: trace_rays(c, stack, time, theta, sources).kappa
fn trace_rays[T, P, Q](c, stack: field[T, P, Q], time, rays, efficiency, window = "cic") {
  let (u, v) = rays
  let none = 0 * u
  let nothing = efficiency(hubble_distance()) * none
  let begin = {
    chi = 0 Mpc/h, x = 0 Mpc/h * rays, slope = rays
    J = 0 Mpc/h * (none, none, none, none), D = (1 + none, none, none, 1 + none)
    shift = (nothing, nothing), A = (nothing, nothing, nothing, nothing)
  }
  let end = loop r = begin for i in 0 .. cells(T) => {
    let k = cells(T) - 1 - i
    let plane = plane_of(c, stack, time, k)
    let gap = geodesics(space_curvature(c), plane.chi - r.chi)
    let turn = space_curvature(c) * gap.sine
    let x = gap.cosine * r.x + gap.sine * r.slope
    let J = gap.cosine * r.J + gap.sine * r.D
    let bent = lens(strength(c, plane))
    let (a, b, xx, xy, yy) =
      readout_at((bent.deflection[0], bent.deflection[1], bent.tidal[0], bent.tidal[1], bent.tidal[2]), x,
                 window = window)
    let UJ = (xx * J[0] + xy * J[2], xx * J[1] + xy * J[3], xy * J[0] + yy * J[2], xy * J[1] + yy * J[3])
    let q = efficiency(plane.chi)
    {
      chi = plane.chi, x = x, slope = gap.cosine * r.slope + turn * r.x - (a, b), J = J,
      D = gap.cosine * r.D + turn * r.J - UJ
      shift = for j in 0 .. 2 => r.shift[j] + q * (a, b)[j]
      A = for j in 0 .. 4 => r.A[j] + q * UJ[j]
    }
  }
  let (a11, a12, a21, a22) = end.A
  {beta = (u - end.shift[0], v - end.shift[1]),
   kappa = 0.5 (a11 + a22), gamma1 = 0.5 (a11 - a22), gamma2 = 0.5 (a12 + a21), omega = 0.5 (a12 - a21)}
}

// What intrinsic alignments add to κ of a lens plane in the nonlinear alignment model, for
// `on_planes` and `over_planes`: n(χ) F(a) sigma with F = −amplitude C₁ ρ_crit Ωm/D1(a) and C₁ = 5
// · 10⁻¹⁴ (Mpc/h)³ h²/Msun/h. `shear_from_convergence` gives their shear.
// - c: cosmology
// - rays: vector of two fields, directions as of `rays`
// - n: function from z to the number of sources, which need not be normalized
// - z_max: number, the largest redshift of sources
// - amplitude: number
// - window: how planes are read at rays: `"ngp"`, `"cic"`, `"tsc"` or `"pcs"`
// - panels: int, the number of panels of the integral over z
// Value: function from a lens plane to a map.
// Source: Hirata & Seljak (2004); Bridle & King (2007)
// Example: intrinsic_alignment(c, theta, z => z^2, 1, 1)(plane_of(c, stack, time, 0))
fn intrinsic_alignment(c, rays, n, z_max, amplitude, window = "cic", panels: int = 16) {
  let all = integrate(n, from = 0, to = z_max, panels = panels)
  plane => {
    let z = 1 / plane.a - 1
    let per_distance = (if z < z_max then n(z) / all else 0) * E(c, plane.a) / hubble_distance()
    let F = -amplitude * 5e-14 * 2.77536627e11 * c.omega_m / growth(c, plane.a).D1
    readout_at(F * per_distance * plane.sigma, transverse_distance(c, plane.chi) * rays, window = window)
  }
}

// C(ℓ) of κ in Limber's approximation of next order, k = (ℓ + ½)/S: C(ℓ) = ∫ dχ (3/2 Ωm (H₀/c)²
// efficiency/a)² P(k, a).
// - c: cosmology
// - l: number or field of multipoles
// - efficiency: function of the distance
// - P: function (k, a) => P in (Mpc/h)³, such as `grown(c, P)`
// - from: number, the scale factor where the light begins; all sources are nearer
// - to: number, the scale factor where the light ends
// - panels: int, the number of panels of the integral
// Value: number or field like l, or a vector of these if the efficiency is a vector.
// Source: LoVerde & Afshordi (2008)
// Example: limber(c, 500, sources, grown(c, P), from = 1/2)
fn limber(c, l, efficiency, P, from, to = 1, panels: int = 32) {
  fn at(a) {
    let chi = comoving_distance(c, a)
    let weight = (1.5 * c.omega_m / hubble_distance()^2 / a * efficiency(chi))^2
    weight * (hubble_distance() / (a^2 * E(c, a)) * P((l + 0.5) / transverse_distance(c, chi), a))
  }
  integrate(at, from = from, to = to, panels = panels)
}

// C(ℓ) of κ for the lens planes of a light cone, with k = ℓ/S. Each plane is read at one distance,
// and borders of shells and of copies of the box cut structure into pieces. It is valid far from
// the center of the sky, and for pieces that are thick compared with 1/k.
//
// A piece of thickness d shows d P(k) − lost_at_ends; a whole copy of the box, which is periodic,
// shows d P(k). Terms like exp(−k d) are neglected.
// - c: cosmology
// - l: number or field of multipoles
// - efficiency: function of the distance
// - P: function (k, a) => P in (Mpc/h)³, such as `grown(c, P)`
// - time: function from the number of a step to a scale factor
// - steps: int
// - box: number in Mpc/h, the length of the box
// - panels: int, the number of panels of an integral
// Value: number or field like l, or a vector of these if the efficiency is a vector.
// Example: limber_planes(c, 500, sources, grown(c, P), time, 3, 100 Mpc/h)
fn limber_planes(c, l, efficiency, P, time, steps: int, box, panels: int = 8) {
  fn of(i) {
    let shell = shell_of(c, time, i)
    let k = l / transverse_distance(c, shell.chi)
    // A shell that ends with a copy is not cut there by rounding.
    let (first, last) = (floor(shell.near / box + 1e-6), -floor(1e-6 - shell.far / box))
    let whole = max(floor(shell.far / box + 1e-6) + floor(1e-6 - shell.near / box), 0)
    let pieces = last - first - whole
    (1.5 * c.omega_m / hubble_distance()^2 / shell.a * efficiency(shell.chi))^2 *
      ((shell.far - shell.near) * P(k, shell.a) - pieces * lost_at_ends(k, k => P(k, shell.a), panels))
  }
  loop sum = of(0) for i in 1 .. steps => sum + of(i)
}

// The power that a piece of space loses at its two ends, for `limber_planes`: 2/π ∫ dq (P(k) −
// P(√(k² + q²)))/q², from q = 0.
// - k: number or field in h/Mpc
// - P: function from k to P(k) in (Mpc/h)³
// - panels: int, the number of panels of the integral
// Value: number or field, in the unit of P over that of k.
// Example: lost_at_ends(0.1 h/Mpc, P, 8)
fn lost_at_ends(k, P, panels: int) =
  2 / (pi * k) * integrate(angle => (P(k) - P(k / cos(angle))) / sin(angle)^2, from = 0, to = pi / 2, panels = panels)

// The linear spectrum D1(a)² P(k) of a spectrum P(k) today.
// - c: cosmology
// - P: function from k to P(k) in (Mpc/h)³
// Value: function (k, a) => P.
// Example: grown(c, P)(0.1 h/Mpc, 0.5)
fn grown(c, P) {
  let today = raw_growth(c, 1)
  (k, a) => growth(c, a, today = today).D1^2 * P(k)
}
