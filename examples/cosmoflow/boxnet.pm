// What the specs of this folder share: simulated boxes, what they are made of, and the network.

use cosmology, power, fields, lpt, nbody, particles, nn

// ---- Simulations -------------------------------------------------------------------------------------------------------

// Answers from -1 to 1: (omega_m - 0.3) / 0.2 and (sigma8 - 0.8) / 0.2.
fn omega_of(a) = 0.3 + 0.2 * a
fn sigma_of(b) = 0.8 + 0.2 * b

// From -1 to 1, spread evenly: boxes to learn from, and those that are held out, of which there are `kept`.
fn spread(i, ratio) = 2 * (ratio * i - floor(ratio * i)) - 1
fn target(i) = (spread(i + 0.5, 0.7548776662466927), spread(i + 0.5, 0.5698402909980532))
fn held_target(i, kept) = (2 * (i + 0.5) / kept - 1, spread(i + 0.5, 0.6180339887498949))

// The density of a universe with these two answers.
fn universe[D](answers, number) {
  let cosmo = flat_lcdm(omega_m = omega_of(answers[0]), sigma8 = sigma_of(answers[1]))
  let linear = gaussian_field[D](spectrum(eisenstein_hu_smooth(cosmo)), number)
  log(2 + overdensity(nbody(cosmo, lpt(cosmo, linear, a = 0.1), from = 0.1, to = 1.0, steps = 5)))
}
fn learnt_box[D](i, seed) = universe[D](target(i), 1000000 * seed + i)
fn held_box[D](i, kept, seed) = universe[D](held_target(i, kept), 1000000 * seed + 500000 + i)

// ---- The network -------------------------------------------------------------------------------------------------------

// Convolutions, leaky rectifiers and pooling halve the sides three times; the mean over what is left, and two dense layers.
fn stage(f, layer, channel, over) = mean_pool(leaky_relu(conv(f, layer, channel, over, edge = "periodic")), over)

// Of one box or of several, whose numbers have the mean `centre` and the deviation `scale`; `channels` are dims: of the input, of the
// three stages, and of the last layer's input.
fn network(w, maps, centre, scale, channels, over) {
  let (c1, c2, c3, c4, hidden) = channels
  let halves = for d in over => coarsen(d, 2)
  let quarters = for d in over => coarsen(d, 4)
  let f1 = map q in [dims(maps), c1] => (maps - centre) / scale
  let f2 = stage(f1, w.first, c1, over)
  let f3 = stage(f2, w.second, c2, halves)
  let f4 = stage(f3, w.third, c3, quarters)
  dense(leaky_relu(dense(mean(f4, over = for d in over => coarsen(d, 8)), w.fourth, c4)), w.last, hidden)
}

fn network_start[A](seed, channels, over) {
  let (c1, c2, c3, c4, hidden) = channels
  {
    first = conv_start[c1, c2](seed + 1, over)
    second = conv_start[c2, c3](seed + 2, for d in over => coarsen(d, 2))
    third = conv_start[c3, c4](seed + 3, for d in over => coarsen(d, 4))
    fourth = dense_start[c4, hidden](seed + 4)
    last = dense_start[hidden, A](seed + 5)
  }
}
