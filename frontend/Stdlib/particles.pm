// Densities, positions and velocities of particles, and particles in redshift space.
//
// A set of particles is a record `{disp, mom, a}` of vector fields over the lattice of the
// particles. disp is the displacement x − q from the lattice, and mom is the momentum p = a²
// dx/d(H₀t), both in Mpc/h. a is the scale factor of the particles. It is optional: `lpt`, `nbody`
// and `light_cone` set it. Functions that take particles and a scale factor compare the two, up to
// a relative difference of 10⁻⁶.
//
// Setup: use cosmology, power, fields, lpt
//   dim x = 16, y = 16, z = 16 over 100 Mpc/h
//   let c = flat_lcdm()
//   let P = spectrum(eisenstein_hu(c, points = 64, panels = 8))
//   let s = lpt(c, gaussian_field[x, y, z](P, 1), a = 0.5)
//
// Internal: mesh_overdensity require_time

use math, cosmology

// The overdensity of particles on a mesh.
// - s: particles
// - boost: int, mesh cells per particle along each side
// - window: window of the paint, `"ngp"`, `"cic"`, `"tsc"` or `"pcs"`
// Value: field over `refine(lattice, boost)` with mean 0. A batch of particles is an error.
// Cost: one paint.
// Example: overdensity(s, boost = 2)
fn overdensity(s, boost: int = 1, window = "cic") = mesh_overdensity(s.disp, boost, window)

fn mesh_overdensity[D](disp: vector field[D], boost: int = 1, window = "cic") =
  if total(for u in disp => 1) == total(for d in D => 1)
  then boost^total(for d in D => 1) * paint[refine(D, boost)](disp, window = window) - 1
  else error("displacements have one component for each dim; of a batch of particles, take one set at a time: slice(f, c = i)")

// The overdensity of particles without the odd aliases of the window: the mean, in Fourier space,
// of two overdensities on meshes that are half a cell apart along all dims.
//
// Modes at the Nyquist frequency of a dim are those of the first mesh. The window of spectra is the
// same as for `overdensity`.
// - s: particles
// - boost: int, mesh cells per particle along each side
// - window: window of the paint, `"ngp"`, `"cic"`, `"tsc"` or `"pcs"`
// Value: field over `refine(lattice, boost)` with mean 0.
// Source: Sefusatti et al. (2016)
// Cost: two paints and three transforms.
// Example: interlaced_overdensity(s, window = "tsc")
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

// The overdensity of the sheet of dark matter. The particles are points of this sheet. Displacements
// are interpolated to a lattice with `factor` times as many particles along each dim. Therefore
// sparse regions have less noise and fewer aliases.
//
// The new lattice consists of shifted copies of the lattice of the particles. The copies are painted
// one after the other, so that the new particles need no memory. `"fourier"` interpolates by
// trigonometric polynomials. Modes at the Nyquist frequency of a dim are multiplied by the cosine of
// their phase along this dim. `"linear"` interpolates linearly along each dim.
// - s: particles
// - factor: int, the number of new particles per particle along each side
// - boost: int, mesh cells per particle along each side
// - window: window of the paint, `"ngp"`, `"cic"`, `"tsc"` or `"pcs"`
// - interpolation: `"fourier"` or `"linear"`
// Value: field over `refine(lattice, boost)` with mean 0. The factor 1 gives `overdensity`.
// Source: Abel, Hahn & Kaehler (2012); List, Hahn & Rampf (2024)
// Cost: factorⁿ paints for n dims, and n transforms or readouts for each of them.
// Example: sheet_overdensity(s, factor = 2, boost = 2)
fn sheet_overdensity(s, factor: int = 2, boost: int = 1, window = "cic", interpolation = "fourier") {
  assert factor >= 1, "sheet_overdensity: the factor is {}, expected at least 1", factor
  let lattice = dims(s.disp)
  let n = total(for d in lattice => 1)
  let modes = for u in s.disp => fft(u)
  let sum_of_copies = loop sum = 0 * mesh_overdensity(s.disp, boost, window) for j in 0 .. factor^n => {
    let part = for i in 0 .. n => mod(div(j, factor^i), factor) / factor
    let moved = if interpolation == "fourier" then for u in modes => ifft(map k in u => u *
      product(for i in 0 .. n => {
        let d = lattice[i]
        let phase = 2 * pi * index(k, d) * part[i] / cells(d)
        cos(phase) + 1i * (if 2 * abs(index(k, d)) == cells(d) then 0 else sin(phase))
      }))
                else if interpolation == "linear" then
                  readout(s.disp, map q in s.disp[0] => for i in 0 .. n => part[i] * spacing(lattice[i]),
                          window = "cic")
                else error("sheet_overdensity: the interpolation is \"fourier\" or \"linear\"")
    sum +
      mesh_overdensity(map q in s.disp[0] => for i in 0 .. n => moved[i] + part[i] * spacing(lattice[i]), boost, window)
  }
  sum_of_copies / factor^n
}

// The comoving positions of particles in the periodic box, in [0, L) along each dim.
// - s: particles
// Value: vector of fields over the lattice in the unit of length.
// Example: positions(s)
fn positions(s) = map q in s.disp[0] => for d in directions(s.disp) => wrap(q[d] + s.disp[d], length(d))

// x, moved into [0, L) by a multiple of L.
// - x: number
// - L: number above 0 in the unit of x
// Value: number in the unit of x.
// Example: wrap(130 Mpc/h, 100 Mpc/h)
fn wrap(x, L) {
  let w = x - L * floor(x / L)
  if w >= 0 and w < L then w else 0  // rounding may leave w a little below 0, or at L
}

// The peculiar velocities a dx/dt = 100 p/a km/s, for p in Mpc/h.
// - s: particles
// - a: scale factor of the particles
// Value: vector of fields over the lattice in km/s. A scale factor that differs from the member `a`
//   of s is an error.
// Example: velocities(s, 0.5)
fn velocities(s, a) {
  require_time("velocities", "a", s, a)
  100 km/s/Mpc/h / a * s.mom
}

// The particles where a distant observer sees them in redshift space: moved by p_axis/(a² E) along
// a dim.
// - c: cosmology
// - s: particles
// - a: scale factor of the particles
// - axis: dim, the direction of the line of sight
// Value: particles like s, with other displacements. A scale factor that differs from the member
//   `a` of s is an error.
// Source: Kaiser (1987)
// Example: redshift_space(c, s, 0.5, z).disp
fn redshift_space(c, s, a, axis) {
  require_time("redshift_space", "a", s, a)
  s with {
    disp = for d in directions(s.disp) => if d == axis then s.disp[d] + s.mom[d] / (a^2 * E(c, a)) else s.disp[d]
  }
}

// The particles where an observer in the box or near it sees them in redshift space: moved by
// (**p**·**r̂**) **r̂**/(a² E), where **r̂** is the direction from the observer to the particle.
//
// The places are those of the displacements. They are not wrapped into the box.
// - c: cosmology
// - s: particles
// - a: scale factor of the particles
// - observer: vector of coordinates in the unit of length
// Value: particles like s, with other displacements. A scale factor that differs from the member
//   `a` of s is an error.
// Source: Kaiser (1987)
// Example: radial_redshift_space(c, s, 0.5, (50 Mpc/h, 50 Mpc/h, -200 Mpc/h)).disp
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

// For functions of particles: `a`, their argument `name`, is the scale factor that the particles
// belong to, if they have one as a member. A difference of one part in 10^6 is rounding.
fn require_time(caller, name, particles, a) {
  if given(particles.a) {
    assert abs(a - particles.a) <= 1e-6 * particles.a, "{}: {} = {}, but the particles belong to a = {}", caller, name,
           a, particles.a
  }
}
