// Maps of the kinetic and the thermal Sunyaev–Zel'dovich effect: observers of `light_cone` of the
// module `lensing`, for the flat and the full sky, and integrals through a box.
//
// The electrons follow the matter, and all of them are free. Both effects are integrals along the
// line of sight over σ_T n_e a dχ, where n_e is the density of electrons: the kinetic one of −v/c, for
// a velocity v away from the observer, and the thermal one of the temperature k_B T/(m_e c²). Earlier
// scattering of the light is neglected, because its optical depth is below 1 % at redshifts below 2.
//
// Setup: use cosmology, power, fields, lpt, lensing
//   dim x = 8, y = 8, z = 8 over 100 Mpc/h
//   dim u = 8, v = 8 over 5 deg
//   dim pix = 48
//   let c = flat_lcdm()
//   let time = equal_shells(c, 150 Mpc/h, 3)
//   let P = spectrum(eisenstein_hu(c, points = 64, panels = 8))
//   let start = lpt(c, gaussian_field[x, y, z](P, 1), a = time(0), order = 1)
//   let light = light_of(start.disp, 0.1 * start.disp, shell_of(c, time, 0), same_copies, 3)
//   let delta = 0.1 * white_noise[x, y, z](1)
//
// Internal: electrons_of recession_of of_shell area_of

use math, constants, cosmology, healpix, lensing

// ---- electrons ----

// The optical depth per unit length at the mean density of electrons today: σ_T n_e with n_e =
// omega_b ρ_crit (1 + X)/(2 m_p).
// - c: cosmology
// - hydrogen: number, X, the mass fraction of hydrogen in baryons; the rest is helium
// - free: number, the fraction of the electrons that are free
// Value: number in h/Mpc.
// Source: Sunyaev & Zel'dovich (1980); constants of CODATA 2022
// Example: electron_depth(c)
fn electron_depth(c, hydrogen = 0.76, free = 1) {
  let hubble = c.h * 1e5 m/s / (1e6 * parsec)
  let electrons = 3 * hubble^2 * c.omega_b * (1 + hydrogen) / (16 * pi * G * m_p)
  free * sigma_T * electrons * 1e6 * parsec / c.h * 1 h/Mpc
}

// ---- maps of light cones ----

// An observer of the temperature change ΔT/T of the kinetic effect, −∫ σ_T n_e v/c a dχ, where each
// particle has its own distance. The dims of the map are in brackets, as for `rays`.
//
// The velocity v is that of the particle along the line of sight during the step, v/c = move/(length
// of the shell), where both lengths are comoving. a⁻² is interpolated linearly between the ends of a
// shell. Particles outside of the map are omitted. Therefore the outermost pixels of the map are
// wrong. At the far end of each shell, the map must not be wider than the box.
// - depth: number in h/Mpc, the optical depth per unit length, as of `electron_depth`
// - window: window of the paint
// Value: function from light to a map without unit.
// Source: Sunyaev & Zel'dovich (1980)
// Cost: one paint for each copy of the box.
// Example: ksz_particles[u, v](electron_depth(c))(light)
fn ksz_particles[U, V](depth, window = "cic") = light => {
  require_map[U, V]("ksz_particles", light)
  of_shell(depth, light, spacing(U) * spacing(V), light.each(seen => {
    let one = seen_on_map[U, V](light, seen)
    paint_at[U, V](one.at, window = window, weight = -recession_of(light, seen) * one.area, where = one.inside)
  }, zeros[U, V]))
}

// An observer of the Compton parameter y of the thermal effect, ∫ σ_T n_e k_B T/(m_e c²) a dχ, as
// `ksz_particles`.
// - depth: number in h/Mpc, the optical depth per unit length, as of `electron_depth`
// - temperature: function from light to a field over the particles, k_B T/(m_e c²) of each particle,
//   such as `polytrope(1e-7, 5 / 3)`
// - window: window of the paint
// Value: function from light to a map without unit.
// Source: Sunyaev & Zel'dovich (1972)
// Cost: one paint for each copy of the box.
// Example: tsz_particles[u, v](electron_depth(c), polytrope(1e-7, 5 / 3))(light)
fn tsz_particles[U, V](depth, temperature, window = "cic") = light => {
  require_map[U, V]("tsz_particles", light)
  let hot = temperature(light)
  of_shell(depth, light, spacing(U) * spacing(V), light.each(seen => {
    let one = seen_on_map[U, V](light, seen)
    paint_at[U, V](one.at, window = window, weight = hot * electrons_of(light, seen) * one.area, where = one.inside)
  }, zeros[U, V]))
}

// An observer of ΔT/T of the kinetic effect on the full sky, as `ksz_particles`, on the pixels of
// `healpix` in ring order over the dim in brackets. Derivatives include the change of distances and
// velocities, but not the change from pixel to pixel.
// - depth: number in h/Mpc, the optical depth per unit length, as of `electron_depth`
// - observer: vector, the point in the box from which the sky is seen, in units of its sides
// - most: int, the number of copies of the box on each side of the observer's; they must reach as far
//   as the shells
// Value: function from light to a map without unit.
// Source: Sunyaev & Zel'dovich (1980)
// Cost: one paint for each copy of the box.
// Example: ksz_sphere[pix](electron_depth(c))(light)
fn ksz_sphere[pix](depth, observer = (0.5, 0.5, 0.5), most: int = 2) = light =>
  of_shell(depth, light, 4 * pi / cells(pix), all_around(light, seen =>
    sphere_paint[pix](seen.at, weight = -recession_of(light, seen) * area_of(light, seen), where = seen.met),
                                                         light_of_nothing[pix](), observer, most))

// An observer of the Compton parameter y of the thermal effect on the full sky, as `tsz_particles` and
// `ksz_sphere`.
// - depth: number in h/Mpc, the optical depth per unit length, as of `electron_depth`
// - temperature: function from light to a field over the particles, k_B T/(m_e c²) of each particle
// - observer: vector, the point in the box from which the sky is seen, in units of its sides
// - most: int, the number of copies of the box on each side of the observer's
// Value: function from light to a map without unit.
// Source: Sunyaev & Zel'dovich (1972)
// Cost: one paint for each copy of the box.
// Example: tsz_sphere[pix](electron_depth(c), polytrope(1e-7, 5 / 3))(light)
fn tsz_sphere[pix](depth, temperature, observer = (0.5, 0.5, 0.5), most: int = 2) = light => {
  let hot = temperature(light)
  of_shell(depth, light, 4 * pi / cells(pix), all_around(light, seen =>
    sphere_paint[pix](seen.at, weight = hot * electrons_of(light, seen) * area_of(light, seen), where = seen.met),
                                                         light_of_nothing[pix](), observer, most))
}

// a^-2 of particles: that of the density of electrons, and of a dχ.
fn electrons_of(light, seen) = map i in seen.fraction =>
  (1 - seen.fraction) / light.shell.a_far^2 + seen.fraction / light.shell.a_near^2

// The same times v/c.
fn recession_of(light, seen) = electrons_of(light, seen) * seen.along / (light.shell.far - light.shell.near)

fn area_of(light, seen) = map i in seen.fraction =>
  (1 Mpc/h / (light.shell.far - seen.fraction * (light.shell.far - light.shell.near)))^2

fn of_shell(depth, light, area, painted) = depth / (light.density * 1 (Mpc/h)^2 * area) * painted

// Temperatures of a polytropic gas, for the argument `temperature`: k_B T/(m_e c²) = mean_temperature
// (1 + δ)^(gamma − 1). Here, 1 + δ is the density of the particles relative to the mean, interpolated
// at each particle.
// - mean_temperature: number, k_B T/(m_e c²) at the mean density
// - gamma: number, 1 for equal temperatures everywhere
// - window: window of the paint and the readout
// Value: function from light to a field over the particles.
// Cost: a paint and a readout.
// Example: polytrope(1e-7, 5 / 3)(light)
fn polytrope(mean_temperature, gamma, window = "cic") = light => {
  let density = readout(paint(light.disp, window = window), light.disp, window = window)
  map q in density => mean_temperature * pow(max(density, 1e-6), gamma - 1)
}

// ---- integrals through a box ----

// ΔT/T of the kinetic effect of one box at the scale factor a, −∫ σ_T n_e v/c a dχ along a dim.
// - depth: number in h/Mpc, the optical depth per unit length, as of `electron_depth`
// - delta: overdensity of the matter, a real field over dims with lengths
// - velocity: field like delta in km/s, the peculiar velocity along the dim, away from the observer
// - a: scale factor
// - axis: dim of delta, the line of sight
// Value: field over the other dims, without unit.
// Source: Sunyaev & Zel'dovich (1980)
// Example: ksz_box(electron_depth(c), delta, 300 km/s * delta, 0.5, z)
fn ksz_box(depth, delta, velocity, a, axis) =
  -depth * spacing(axis) / (a^2 * 299792.458 km/s) * sum((1 + delta) * velocity, over = axis)

// The Compton parameter y of one box at the scale factor a, ∫ σ_T n_e k_B T/(m_e c²) a dχ along a dim.
// - depth: number in h/Mpc, the optical depth per unit length, as of `electron_depth`
// - delta: overdensity of the matter, a real field over dims with lengths
// - temperature: field like delta, k_B T/(m_e c²)
// - a: scale factor
// - axis: dim of delta, the line of sight
// Value: field over the other dims, without unit.
// Source: Sunyaev & Zel'dovich (1972)
// Example: tsz_box(electron_depth(c), delta, 1e-7 * (1 + delta), 0.5, z)
fn tsz_box(depth, delta, temperature, a, axis) =
  depth * spacing(axis) / a^2 * sum((1 + delta) * temperature, over = axis)
