// Weak gravitational lensing by particles: light cone, lens planes, Born approximation, multi-plane rays, maps.
//
// Geometry. The sky is flat. The line of sight is the third direction of the box; the observer sees copies
// of the box, copy n from the comoving distance n L to (n + 1) L. Lens planes P, Q are as wide as the box and periodic;
// a ray is at X = S theta on the plane at distance chi, where S = transverse_distance(c, chi), which is chi in flat space. (In a curved space, boxes are
// taken as flat: they are small beside its radius.) Angles are in radians, distances comoving in Mpc/h.
//
// A lens plane is a record
//   sigma    field[P, Q], Mpc/h: the overdensity along the line of sight, integrated through the plane's shell of space
//   chi, a   distance of the middle of the shell, and the scale factor when light that is seen today left it
//   number   0 for the farthest
// `window`: how planes are read at rays: "ngp", "cic", "tsc", "pcs".

use math, cosmology, fields, nbody, particles, healpix

// ---- distances ----

// c/H0 in Mpc/h.
fn hubble_distance() = 2997.92458 Mpc/h

// The scale factor when light that is seen today left from the comoving distance chi: the inverse of comoving_distance.
fn scale_factor(c, chi) =
  exp(newton(x => number(comoving_distance(c, exp(x)) - chi, hubble_distance()), x => -1 / (exp(x) * E(c, exp(x))),
             -2 log(1 + chi / (2 * hubble_distance())), steps = 9))

// For light_cone: the scale factors i -> a_i of `steps` steps that are equally thick in comoving distance, from the
// distance `far` to the distance `near`.
fn equal_shells(c, far, steps: int, near = 0 Mpc/h) = i => scale_factor(c, far + (near - far) * i / steps)

// ---- light cone ----

// The place of copy n of the box on the line of sight: turn, the rows of a matrix, and shift, in units of the box. A point
// x of the box is seen at turn x + shift, wrapped into the box. For light_cone.

// Every copy as the box is.
fn same_copies(n) = {turn = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), shift = (0.0, 0.0, 0.0)}

// Every copy turned by one of the 24 rotations that map a cube to itself (no reflections) and shifted, so that structure does
// not repeat along the line of sight. Both are made of n and seed by additive recurrences, which spread them evenly: the
// rotation by multiples of 1/x with x^2 = x + 1, the shift by those of 1/x, 1/x^2, 1/x^3 with x^4 = x + 1 (Roberts 2018).
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

// Particles on the light cone. They move from time(0) to time(steps) in kick-drift-kick steps with FastPM's factors, as
// in `nbody`. In step i, the light that is seen today comes from the distance chi_i of time(i), and goes to chi_(i+1). A particle
// moves on a straight line meanwhile, from x to x + m, and light meets it at the fraction s of the step:
//
//   x_z + s m_z = chi_i - s (chi_i - chi_(i+1)),    0 <= s < 1
//
// so that every copy of it is seen once. (Where copies are turned, they do not fit: particles that cross the border between two in
// that very step may be seen twice, or not at all.)
//
//   start    particles at time(0)
//   time     i -> scale factor, of a whole number i, rising, as of equal_shells
//   first, observe   what is collected: first + observe(light of step 0) + observe(light of step 1) …, where light is the record of
//            `light_of`: a field, or a vector of them. See keep_planes, on_planes, born_particles
//   copies   n -> where copy n stands; if they are turned, all sides of the box are equal
//   candidates   copies that one step may meet: a step is at most candidates - 2 boxes thick
//   boost, kernel, laplacian, window    of the force
//
// Value: {seen, particles}: what was collected, and the particles at time(steps).
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

// The shell of step i: far, near = its ends, chi = its middle, a_far, a, a_near = the scale factors there.
fn shell_of(c, time, i) {
  let far = comoving_distance(c, time(i))
  let near = comoving_distance(c, time(i + 1))
  assert near > -1e-6 * far and far > near, "the shell of step {} lies from {} to {} Mpc/h: is it one of the steps?", i,
         near, far
  let chi = 0.5 (far + near)
  {far = far, near = near, chi = chi, a_far = time(i), a = scale_factor(c, chi), a_near = time(i + 1), number = i,
   curvature = space_curvature(c)}
}

// What light shows of a shell while particles move from disp to disp + move:
//   shell            of shell_of
//   density, sides   particles in 1 (Mpc/h)^3, and the lengths of the box across the line of sight
//   each             (f, none) -> the sum of f(crossing) over the copies of the box that light meets; none: a 0 like f's value
//   disp, move, reach   of the particles; the farthest move
fn light_of(disp, move, shell, copies, candidates: int) {
  let box = directions(disp)
  let L = length(box[2])
  let reach = sqrt(max(map q in move[0] => norm2(move)))
  assert reach < shell.far - shell.near, "light_cone: a particle moves {} Mpc/h while light goes {}", reach,
         shell.far - shell.near
  // What begins the step in the copy before may be met in the next one.
  let first = floor((shell.near - reach) / L)
  {shell = shell, density = 1 / product(for d in box => spacing(d)), sides = (length(box[0]), length(box[1])),
   disp = disp, move = move, reach = reach,
   each = (f, none) => {
     assert shell.far < (first + candidates) * L,
            "light_cone: a step from {} to {} Mpc/h meets more than {} copies of the box",
            shell.near, shell.far, candidates
     loop sum = none for j in 0 .. candidates => {
       let n = first + j
       sum +
         (if n * L <= shell.far then f(crossing(disp, move, shell.far - n * L, shell.far - shell.near, copies(n)))
          else none)
     }
   }}
}

// Where light meets the particles of one copy of the box, as it goes from the distance `front` behind the copy's near side
// towards the observer by depth:
//   at         (x, y) across the line of sight, Mpc/h
//   fraction   of the step
//   met        whether they are met at all: the numbers of those that are not mean nothing
fn crossing(disp, move, front, depth, copy) {
  let box = directions(disp)
  let turned = for i in 0 .. 3 => total(for j in 0 .. 3 => abs(copy.turn[i][j]) * length(box[j]))
  assert turned[0] == length(box[0]) and turned[1] == length(box[1]) and turned[2] == length(box[2]),
         "light_cone: copies are turned, but the sides of the box are {}, {} and {} Mpc/h", length(box[0]),
         length(box[1]), length(box[2])
  let (x, y, fraction, met) = map q in disp[0] => {
    let box = directions(disp)
    let from = for d in box => (q[d] + disp[d]) / length(d)
    let begin = for i in 0 .. 3 => length(box[i]) * wrap(dot(copy.turn[i], from) + copy.shift[i], 1)
    let path = for i in 0 .. 3 => dot(copy.turn[i], move)
    let s = (front - begin[2]) / (path[2] + depth)
    (begin[0] + s * path[0], begin[1] + s * path[1], s, s >= 0 and s < 1)
  }
  {at = (x, y), fraction = fraction, met = met}
}

// ---- lens planes ----

// For light_cone, light -> observe(lens plane), with the dims of planes, which have the lengths of the box.
fn on_planes[P, Q](observe) = light => observe(lens_plane[P, Q](light))

// For light_cone: all planes, along the dim T of a field [T, P, Q] of sigma, the farthest first.
fn keep_planes[T, P, Q]() = on_planes[P, Q](plane => {
  assert plane.number < cells(T), "keep_planes: {} planes for more steps than that; every step has one", cells(T)
  zeros[T, P, Q] with {[T = plane.number] = plane.sigma}
})

// The lens plane that light shows. The mean density is subtracted, not the mean of the plane.
fn lens_plane[P, Q](light) {
  assert length(P) == light.sides[0] and length(Q) == light.sides[1],
         "planes of {} and {} Mpc/h, but the box has {} and {}",
         length(P), length(Q), light.sides[0], light.sides[1]
  let count = light.each(seen => paint_at[P, Q](seen.at, where = seen.met), zeros[P, Q])
  let shell = light.shell
  {sigma = count / (light.density * spacing(P) * spacing(Q)) - (shell.far - shell.near),
   chi = shell.chi, a = shell.a, number = shell.number}
}

// Plane k of a stack; time: as for light_cone.
fn plane_of[T, P, Q](c, stack: field[T, P, Q], time, k) {
  let shell = shell_of(c, time, k)
  {sigma = slice(stack, T = k), chi = shell.chi, a = shell.a, number = k}
}

// first + observe(plane) + observe(next plane) … over the planes of a stack: what on_planes(observe) collects, from planes that were kept.
fn over_planes[T, P, Q](c, stack: field[T, P, Q], time, first, observe) =
  loop seen = first for k in 0 .. cells(T) => seen + observe(plane_of(c, stack, time, k))

// What a plane adds to the convergence is its strength times chi times the efficiency: 3/2 Omega_m (H0/c)^2 sigma/a, in
// h/Mpc (Jain, Seljak & White 2000, eq. 7).
fn strength(c, plane) = 1.5 * c.omega_m / hubble_distance()^2 / plane.a * plane.sigma

// How a plane of that strength bends light: with laplacian psi = 2 strength,
//   deflection   (d1 psi, d2 psi), pure numbers
//   tidal        (d1 d1 psi, d1 d2 psi, d2 d2 psi), h/Mpc
// The mean of a periodic plane has no direction to pull to, so it bends nothing.
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

// Sources at redshifts z, a vector; a tuple of efficiencies.
fn source_planes(c, redshifts) {
  let distances = for z in redshifts => comoving_distance(c, 1 / (1 + z))
  chi => for far in distances => efficiency_of(c, chi, far)
}

// That of one source.
fn efficiency_of(c, chi, far) = number(transverse_distance(c, max(far - chi, 0 Mpc/h)), transverse_distance(c, far))

// Sources with n(z) dz of them at z, up to z_max; n need not be normalized.
fn source_distribution(c, n, z_max, panels: int = 16) {
  let all = integrate(n, from = 0, to = z_max, panels = panels)
  chi => {
    let here = min(1 / scale_factor(c, chi) - 1, z_max)
    integrate(z => n(z) * efficiency_of(c, chi, comoving_distance(c, 1 / (1 + z))), from = here, to = z_max,
              panels = panels) / all
  }
}

// ---- maps of the sky ----

// The directions (theta_1, theta_2) of a map over the dims U, V, whose lengths are angles in radians; the line of sight goes
// through its middle.
fn rays[U, V]() = map q in [U, V] => (q[U] - length(U) / 2, q[V] - length(V) / 2)

// The Born approximation, for on_planes and over_planes: along straight rays, kappa = sum of efficiency S strength, a map, or a
// vector of maps if efficiency has several.
fn born(c, rays, efficiency, window = "cic") = plane => {
  let S = transverse_distance(c, plane.chi)
  efficiency(plane.chi) * (S * readout_at(strength(c, plane), S * rays, window = window))
}

// The same for (gamma1, gamma2), a vector of two.
fn born_shear(c, rays, efficiency, window = "cic") = plane => {
  let S = transverse_distance(c, plane.chi)
  let (xx, xy, yy) = readout_at(lens(strength(c, plane)).tidal, S * rays, window = window)
  let q = efficiency(plane.chi)
  (q * (0.5 * S * (xx - yy)), q * (S * xy))
}

// The Born approximation without planes, for light_cone: every particle is seen in its own direction and at its own distance chi, and adds
// 3/2 Omega_m (H0/c)^2 efficiency/(a S) over its density to a pixel's area. All this goes on smoothly where a particle or the
// cosmology moves the crossing from one step to the next, as planes do not, so that derivatives miss nothing; between the
// ends of a shell, efficiency S/a is taken as linear. The map's dims are as of `rays`; particles outside of it are left out, so
// that its outermost pixels are not right. The box is as wide as the map where sources end.
fn born_particles[U, V](c, efficiency, window = "cic") = light => {
  let shell = light.shell
  let depth = shell.far - shell.near
  let (u, v) = (length(U), length(V))
  let far = geodesics(shell.curvature, shell.far)
  assert u * far.sine <= light.sides[0] and v * far.sine <= light.sides[1],
         "born_particles: at {} Mpc/h the map is wider than the box", shell.far
  assert abs(shell.curvature) * depth^2 < 0.1, "born_particles: a shell of {} Mpc/h is too thick for omega_k = {}",
         depth, c.omega_k
  let parts = light.each(seen => {
    let (x, y) = seen.at
    let (t1, t2, near, far, inside) = map i in x => {
      // S of shell.far - back, by the theorem of addition; back is small beside the radius of curvature.
      let back = seen.fraction * depth
      let r = shell.curvature * back^2
      let S = far.sine * (1 + r / 2 * (1 + r / 12 * (1 + r / 30 * (1 + r / 56)))) -
        far.cosine * back * (1 + r / 6 * (1 + r / 20 * (1 + r / 42 * (1 + r / 72))))
      let a = (x - 0.5 light.sides[0]) / S + 0.5 u
      let b = (y - 0.5 light.sides[1]) / S + 0.5 v
      let area = (1 Mpc/h / S)^2
      (a, b, seen.fraction * area, (1 - seen.fraction) * area, seen.met and a >= 0 and a < u and b >= 0 and b < v)
    }
    paint_at[U, V]((t1, t2), window = window, weight = (near, far), where = inside)
  }, (zeros[U, V], zeros[U, V]))
  convergence_of_parts(c, efficiency, light, spacing(U) * spacing(V), parts)
}

// kappa of what light shows in pixels of this area, of particles that count (1 Mpc/h / S)^2: the parts (near, far) of that for the shell's ends.
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

// The sum of f(crossing) over the copies that the light of a shell meets, of what `crossing` gives, but at = (x, y, z) from the observer.
// none: a 0 like f's value.
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

fn crossing_sphere(light, low) {
  let shell = light.shell
  let depth = shell.far - shell.near
  let (disp, move) = (light.disp, light.move)
  let (x, y, z, fraction, met) = map q in disp[0] => {
    let box = directions(disp)
    let from = for d in box => wrap(q[d] + disp[d], length(d))
    let begin = for i in 0 .. 3 => low[i] + from[i]
    let end = for i in 0 .. 3 => begin[i] + move[i]
    let (r, r2) = (sqrt(norm2(begin)), sqrt(norm2(end)))
    let s = (shell.far - r) / (r2 - r + depth)
    (begin[0] + s * move[0], begin[1] + s * move[1], begin[2] + s * move[2], s, s >= 0 and s < 1)
  }
  {at = (x, y, z), fraction = fraction, met = met}
}

// For light_cone: the overdensity of each shell on the sphere, along the dim T of a field [T, pix], the farthest first.
fn keep_shells[T, pix](observer = (0.5, 0.5, 0.5), most: int = 2) = light => {
  let shell = light.shell
  assert shell.number < cells(T), "keep_shells: {} shells for more steps than that; every step has one", cells(T)
  let count =
    all_around(light, seen => sphere_paint[pix](seen.at, where = seen.met), 0 * light_of_nothing[pix](), observer, most)
  let expected = light.density * (4 * pi / cells(pix)) * (shell.far^3 - shell.near^3) / 3
  zeros[T, pix] with {[T = shell.number] = count / expected - 1}
}

// For light_cone: kappa in the Born approximation over the full sky, every particle at its own distance, as in born_particles.
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

// 0 in f64, as bins are.
fn light_of_nothing[pix]() = bins q in [pix] into pix by index(q, pix) => 0

// Multi-plane ray tracing (Hilbert et al. 2009; Becker 2013) back from the observer through a stack of planes. It follows
// the comoving position X = S beta of every ray and its slope dX/dchi as a kick at each plane and a drift between planes,
// which is their recursion without its quotients of distances, and the derivatives of both by theta. In flat space
//
//   slope -= deflection(X),  D -= U(X) J;   X += (chi' - chi) slope,  J += (chi' - chi) D
//
// and in a curved one, rays diverge or converge between planes: X'' = omega_k (H0/c)^2 X.
//
// From these, the source's position and the distortion A = d beta/d theta, averaged over the sources:
//
//   beta = theta - sum efficiency deflection,   A = 1 - sum efficiency U J
//
// Value: a record of maps, each a vector if efficiency has several:
//   beta                 the vector (beta_1, beta_2), radians
//   kappa = 1 - (A11 + A22)/2, gamma1 = (A22 - A11)/2, gamma2 = -(A12 + A21)/2, omega = (A21 - A12)/2
// stack: field[T, P, Q] of sigma, the farthest first, as of keep_planes. rays: theta, or anywhere else.
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

// For on_planes and over_planes: what intrinsic alignments add to kappa and, by shear_from_convergence, to the shear, in the
// nonlinear alignment model (Hirata & Seljak 2004; Bridle & King 2007): the sum of n(chi) F(a) sigma, where n(z) dz are the
// sources as in source_distribution and F = -amplitude C1 rho_crit Omega_m/D1(a) with C1 = 5e-14 (Mpc/h)^3 h^2/Msun/h.
fn intrinsic_alignment(c, rays, n, z_max, amplitude, window = "cic", panels: int = 16) {
  let all = integrate(n, from = 0, to = z_max, panels = panels)
  plane => {
    let z = 1 / plane.a - 1
    let per_distance = (if z < z_max then n(z) / all else 0) * E(c, plane.a) / hubble_distance()
    let F = -amplitude * 5e-14 * 2.77536627e11 * c.omega_m / growth(c, plane.a).D1
    readout_at(F * per_distance * plane.sigma, transverse_distance(c, plane.chi) * rays, window = window)
  }
}

// C(l) of kappa in the Limber approximation (LoVerde & Afshordi 2008, next order: k = (l + 1/2)/S):
//
//   C(l) = int dchi (3/2 Omega_m (H0/c)^2 efficiency/a)^2 P((l + 1/2)/S, a)
//
// l: a number or field of multipoles. P: (k, a) -> P in (Mpc/h)^3, of k as l is. The light comes from time `from`, where all
// sources are nearer, to time `to`. A vector if efficiency has several.
fn limber(c, l, efficiency, P, from, to = 1, panels: int = 32) {
  fn at(a) {
    let chi = comoving_distance(c, a)
    let weight = (1.5 * c.omega_m / hubble_distance()^2 / a * efficiency(chi))^2
    weight * (hubble_distance() / (a^2 * E(c, a)) * P((l + 0.5) / transverse_distance(c, chi), a))
  }
  integrate(at, from = from, to = to, panels = panels)
}

// The same of the planes of a light cone, each read at one distance, far from the middle of the sky, where structure does not go on from plane to
// plane (angle times depth of a shell large against 1/k). A piece of space of thickness d between two planes' borders, or borders of turned copies of
// the box, of length `box`, then shows
//
//   int dq/pi (sin(q d/2)/(q/2))^2 P(sqrt(k^2 + q^2)) = d P(k) - lost_at_ends,   lost_at_ends = 2/pi int_0 dq (P(k) - P(sqrt(k^2 + q^2)))/q^2
//
// but for terms like exp(-k d), if P is smooth; a whole copy, which is periodic, shows d P(k). The sky is flat: k = l/S. time, steps: as of light_cone.
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

// With q = k tan(angle).
fn lost_at_ends(k, P, panels: int) =
  2 / (pi * k) * integrate(angle => (P(k) - P(k / cos(angle))) / sin(angle)^2, from = 0, to = pi / 2, panels = panels)

// The linear spectrum P, k -> P(k) today, as a function (k, a) -> D1^2 P(k).
fn grown(c, P) {
  let today = raw_growth(c, 1)
  (k, a) => growth(c, a, today = today).D1^2 * P(k)
}
