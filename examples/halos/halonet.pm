// What train.pm and reconstruct.pm share: the simulation with few particles, and the networks that tell the halos from its density.

use cosmology, power, fields, lpt, nbody, particles, nn

fn universe() = flat_lcdm(omega_m = 0.3075, sigma8 = 0.8159)

// The overdensity today that a linear one grows to in a few steps.
fn evolved(linear, steps) {
  let cosmo = universe()
  overdensity(nbody(cosmo, lpt(cosmo, linear, a = 0.1), from = 0.1, to = 1, steps = steps))
}

// ---- What the networks see ---------------------------------------------------------------------------------------------

// The density without its window, smoothed, and smoothed less: fields over [feature, x, y, z].
fn features[F](delta) {
  let one = compensate(delta)
  let two = smooth(delta, 3 Mpc/h)
  let three = two - smooth(delta, 3.6 Mpc/h)
  map q in [F, dims(delta)] => if index(q, F) == 0 then one else if index(q, F) == 1 then two else three
}

// ---- The networks ------------------------------------------------------------------------------------------------------

fn elu(f) = max(f, 0) + exp(min(f, 0)) - 1

// How likely there is a halo, from the 27 cells around (before the sigmoid), and the mass, from the cell alone, in 1e12 Msun/h.
// `channels`: dims of the input, of both hidden layers of the first network, of those of the second, and of the result.
fn likely(w, seen, channels) {
  let (feature, a, b, c, d, one) = channels
  dense(relu(dense(relu(conv(seen, w.first, feature, directions(seen), edge = "periodic")), w.second, a)), w.third,
        b)[one = 0]
}
fn heavy(w, seen, channels) {
  let (feature, a, b, c, d, one) = channels
  10 * (1 + elu(dense(elu(dense(elu(dense(seen, w.first, feature)), w.second, c)), w.third, d)[one = 0]))
}

fn likely_start(seed, channels, over) {
  let (feature, a, b, c, d, one) = channels
  {first = conv_start[feature, a](seed + 1, over), second = dense_start[a, b](seed + 2),
   third = dense_start[b, one](seed + 3)}
}
fn heavy_start(seed, channels) {
  let (feature, a, b, c, d, one) = channels
  {first = dense_start[feature, c](seed + 4), second = dense_start[c, d](seed + 5),
   third = dense_start[d, one](seed + 6)}
}

fn standard(seen, net) = map q in seen => (seen - net.centre) / net.width

// The field of halo masses that goes with a density.
fn halo_mass(net, delta, channels) {
  let (feature, a, b, c, d, one) = channels
  let seen = standard(features[feature](delta), net)
  sigmoid(likely(net.likely, seen, channels)) * heavy(net.heavy, seen, channels)
}

// ---- Comparing masses --------------------------------------------------------------------------------------------------

// The log of masses that are smoothed over r cells, and of `least` with them.
fn log_mass(mass, r, least) = log(max(smooth(mass, r * spacing(dims(mass)[0])), 0) + least)
