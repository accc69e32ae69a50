// What can be measured on particles. A particle set is a record {disp, mom} of vector fields over the particles'
// lattice: displacement x - q and momentum p = a^2 dx/d(H0 t), both in Mpc/h. A third member `a` is optional: the scale
// factor that the particles belong to. `lpt`, `nbody` and `light_cone` set it, and functions that take particles and
// a scale factor compare the two.

use cosmology

// The overdensity of the particles on a mesh with boost times as many cells a side as there are particles.
// window: "ngp", "cic", "tsc", "pcs".
fn overdensity(s, boost: int = 1, window = "cic") = mesh_overdensity(s.disp, boost, window)

fn mesh_overdensity[D](disp: vector field[D], boost: int = 1, window = "cic") =
  if total(for u in disp => 1) == total(for d in D => 1)
  then boost^total(for d in D => 1) * paint[refine(D, boost)](disp, window = window) - 1
  else error("displacements have one component for each dim; of a batch of particles, take one set at a time: slice(f, c = i)")

// The overdensity without the odd aliases of the window: particles are painted on the mesh and on one moved by half a cell along
// all dims, and the two are averaged in Fourier space (Sefusatti et al. 2016). Modes at the Nyquist frequency of a dim
// are those of the first mesh. Spectra of the result are compensated with the same window.
fn interlaced_overdensity(s, boost: int = 1, window = "cic") {
  let first = overdensity(s, boost, window)
  let mesh = dims(first)
  let half_way =
    overdensity(s with {disp = for d in dims(s.disp) => s.disp[d] + 0.5 * spacing(d) / boost}, boost, window)
  let ak = fft(first)
  let bk = fft(half_way)
  ifft(map k in ak => {
    let outermost = total(for d in mesh => if 2 * abs(index(k, d)) == cells(d) then 1 else 0)
    let phase = total(for d in mesh => 0.5 * k[d] * spacing(d))
    if outermost > 0 then ak else 0.5 (ak + exp(1i * phase) * bk)
  })
}

// Comoving positions in Mpc/h, wrapped into the box: 0 <= x < L.
fn positions(s) = map q in s.disp[0] => for d in directions(s.disp) => wrap(q[d] + s.disp[d], length(d))

// x moved by a multiple of L into [0, L).
fn wrap(x, L) {
  let w = x - L * floor(x / L)
  if w >= 0 and w < L then w else 0  // rounding may leave w a little below 0, or at L
}

// Peculiar velocities a dx/dt = 100 p/a in km/s.
fn velocities(s, a) {
  require_time("velocities", "a", s, a)
  100 km/s/Mpc/h / a * s.mom
}

// The particles where they appear in redshift space to a distant observer along the direction `axis`, a dim:
// x + p/(a^2 E) along that axis (Kaiser 1987).
fn redshift_space(c, s, a, axis) {
  require_time("redshift_space", "a", s, a)
  s with {
    disp = for d in directions(s.disp) => if d == axis then s.disp[d] + s.mom[d] / (a^2 * E(c, a)) else s.disp[d]
  }
}

// The same for an observer in the box or near it, a vector of coordinates: x + (p . r) r/(a^2 E), r the unit vector from the
// observer to the particle. Particles are where their displacements lead, not wrapped into the box.
fn radial_redshift_space(c, s, a, observer) {
  require_time("radial_redshift_space", "a", s, a)
  let moved = map q in s.disp[0] => {
    let r = (for d in directions(s.disp) => q[d] + s.disp[d]) - observer
    let r2 = norm2(r)
    let along = dot(r, s.mom) / (if r2 == 0 then unit_of(r2) else r2)
    s.disp + (if r2 == 0 then 0 else along) / (a^2 * E(c, a)) * r
  }
  s with {disp = moved}
}

// For functions of particles: `a`, their argument `name`, is the scale factor that the particles belong to, if they have
// one as a member. A difference of one part in 10^6 is rounding.
fn require_time(caller, name, particles, a) {
  if given(particles.a) {
    assert abs(a - particles.a) <= 1e-6 * particles.a, "{}: {} = {}, but the particles belong to a = {}", caller, name,
           a, particles.a
  }
}
