// A generator of convergence maps, after CosmoGAN (Mustafa et al. 2019): it is trained against a discriminator that learns to tell its maps from those
// of N-body simulations, which the spec makes itself.

use cosmology, power, fields, lpt, nbody, lensing, sky, nn, optim

const n: int in [8, 512] = 32              "particles a side of a simulation"
const pixels: int in [16, 512] = 32        "of a map, a side"
const planes: int in [1, 256] = 8          "lens planes, and steps on the light cone"
const simulated: int in [2, 65536] = 512   "maps to learn from"
const kept: int in [3, 65536] = 128        "other maps, to judge by"
const width: int in [1, 256] = 16          "channels of the generator's last stage but one"
const bands: int in [1, 256] = pixels / 4  "bins of l"

param box: length in (0, inf) = 128 Mpc/h  "side of a simulation"
param angle in (0, 30) = 5 deg             "side of a map"
param z_source in (0, 10) = 0.5            "redshift of the sources"
param steps: int in [1, inf) = 4000        "training steps of both players, of a batch each"
param rate in (0, 1) = 0.001               "of the optimizers"
param share in (0, inf) = 0.5              "the discriminator's rate in terms of the generator's"
param blur in [0, inf) = 0.3               "deviation of noise that the discriminator sees on maps at first, and less and less"
param seed: u64 = 1                        "of the universes and of the networks"

dim x = n, y = n, z = n over box
dim p = 2 pixels, q = 2 pixels over box  // a lens plane
dim u = pixels, v = pixels over angle    // the sky
dim sample = simulated, other = kept, batch = 16
dim latent = 32, c0 = 4 width, c1 = 2 width, c2 = width, c3 = 1, one = 1
dim hundredth = 100
mesh ranks(data = 1)
layout batch -> data

// ---- Maps of convergence, of a light cone each -------------------------------------------------------------------------

let cosmo = flat_lcdm(omega_m = 0.3075, sigma8 = 0.8159)
let P = spectrum(eisenstein_hu(cosmo))
let far = comoving_distance(cosmo, 1 / (1 + z_source))
let time = equal_shells(cosmo, far, planes)
let theta = rays[u, v]()

fn simulate(number) {
  let start = lpt(cosmo, gaussian_field[x, y, z](P, number), a = 0.2)
  let begin = nbody(cosmo, start, from = 0.2, to = time(0), steps = 3)
  light_cone(cosmo, begin, time, planes, zeros[u, v],
             on_planes[p, q](born(cosmo, theta, chi => efficiency_of(cosmo, chi, far), window = "tsc")),
             turned_copies(number), window = "tsc").seen
}
let raw = (loop _ = 0.0 for i in sample => _ stacking simulate(1000000 * seed + i))[1]
let raw_others = (loop _ = 0.0 for i in other => _ stacking simulate(1000000 * seed + 500000 + i))[1]
let centre = mean(raw)
let scale = sqrt(mean((raw - centre)^2))
let maps = (raw - centre) / scale
let others = (raw_others - centre) / scale

// ---- The players -------------------------------------------------------------------------------------------------------

let along = (u, v)
let halves = (coarsen(u, 2), coarsen(v, 2))
let quarters = (coarsen(u, 4), coarsen(v, 4))
let eighths = (coarsen(u, 8), coarsen(v, 8))

// From noise over [S, latent] to maps over [S, u, v]: a dense layer makes maps of an eighth of the side, three transposed convolutions the rest.
fn generator[S](w, noise: field[S, latent]) {
  let f0 = sum(noise * w.dense, over = latent)
  let f1 = relu(batch_norm(f0, w.norm0, (S, coarsen(u, 8), coarsen(v, 8))))
  let f2 = up_conv[S, c1, quarters](f1, w.up1, c1, quarters, size = 4)
  let f3 = relu(batch_norm(f2, w.norm1, (S, coarsen(u, 4), coarsen(v, 4))))
  let f4 = up_conv[S, c2, halves](f3, w.up2, c2, halves, size = 4)
  let f5 = relu(batch_norm(f4, w.norm2, (S, coarsen(u, 2), coarsen(v, 2))))
  up_conv[S, c3, along](f5, w.up3, c3, along, size = 4)[c3 = 0]
}

// Whether maps are real: a number above 0 if they seem to be.
fn discriminator[S](w, maps: field[S, u, v]) {
  let f0 = map t in [S, c3, u, v] => maps
  let f1 = leaky_relu(conv(f0, w.first, c3, along, size = 4, stride = 2), slope = 0.2)
  let f2 = leaky_relu(conv(f1, w.second, c2, halves, size = 4, stride = 2), slope = 0.2)
  let f3 = leaky_relu(conv(f2, w.third, c1, quarters, size = 4, stride = 2), slope = 0.2)
  sum(f3 * w.last, over = (c0, coarsen(u, 8), coarsen(v, 8)))
}

let generator_start = {
  dense = he[latent, c0, eighths](seed + 1, cells(latent)), norm0 = norm_start[c0]()
  up1 = {weight = conv_start[c1, c0](seed + 2, quarters, size = 4).weight, bias = zeros[c1]}, norm1 = norm_start[c1]()
  up2 = {weight = conv_start[c2, c1](seed + 3, halves, size = 4).weight, bias = zeros[c2]}, norm2 = norm_start[c2]()
  up3 = {weight = conv_start[c3, c2](seed + 4, along, size = 4).weight, bias = zeros[c3]}
}
let discriminator_start = {
  first = conv_start[c3, c2](seed + 5, along, size = 4)
  second = conv_start[c2, c1](seed + 6, halves, size = 4)
  third = conv_start[c1, c0](seed + 7, quarters, size = 4)
  last = he[c0, eighths](seed + 8, cells(c0) * count_of(eighths))
}

// ---- Training ----------------------------------------------------------------------------------------------------------

// The maps of step i: in every epoch each one once, in another order, turned over in one of eight ways.
fn batch_of(i) {
  let number = map t in [batch] => cells(batch) * i + int(index(t, batch))
  let chosen = map t in [batch] => int(shuffled(number, simulated, seed))
  let way = map t in [batch] => int(shuffled(number, 8, seed + 1))
  map t in [batch, u, v] => {
    let (a, b) = (int(index(t, u)), int(index(t, v)))
    let (e, f) =
      (if mod(way, 2) == 0 then a else pixels - 1 - a, if mod(div(way, 2), 2) == 0 then b else pixels - 1 - b)
    let turned = div(way, 4) == 0
    maps[sample = chosen, u = if turned then e else f, v = if turned then f else e]
  }
}

let player = adamw(rate, beta1 = 0.5, decay = 0, schedule = cosine_rate(steps, last = 0.1))
let opponent = adamw(share * rate, beta1 = 0.5, decay = 0, schedule = cosine_rate(steps, last = 0.1))
let first = {
  generator = generator_start, discriminator = discriminator_start, mean = generator_start
  a = player.start(generator_start), b = opponent.start(discriminator_start), losses = zeros[hundredth],
  other_losses = zeros[hundredth]
}
let trained = loop s = first for i in 0 .. steps checkpoint every 100 => {
  let noise = white_noise[batch, latent](1000000 * seed + i)
  let real = batch_of(i)
  let made = generator(s.generator, noise)
  // Noise on both, so that single maps are not learnt by heart (Sonderby et al. 2017).
  let weight = blur * max(1 - 1.25 * i / steps, 0)
  let (dust, other_dust) =
    (weight * white_noise[batch, u, v](2000000 * seed + i), weight * white_noise[batch, u, v](3000000 * seed + i))
  fn caught(w) =
    mean(softplus(-1 * discriminator(w, real + dust))) + mean(softplus(discriminator(w, made + other_dust)))
  let (d, b, d_loss) = opponent.step(caught, s.discriminator, s.b, false)
  fn missed(w) = mean(softplus(-1 * discriminator(d, generator(w, noise) + other_dust)))
  let (g, a, g_loss) = player.step(missed, s.generator, s.a, false)
  let place = div(100 * i, steps)
  if mod(i, 100) == 0 { print "step {}: discriminator {:.4f}, generator {:.4f}", i, d_loss, g_loss }
  {
    generator = g, discriminator = d, mean = 0.99 * s.mean + 0.01 * g, a = a, b = b
    losses = map t in s.losses => if index(t, hundredth) >= place then d_loss else s.losses
    other_losses = map t in s.other_losses => if index(t, hundredth) >= place then g_loss else s.other_losses
  }
}

// ---- Judging -----------------------------------------------------------------------------------------------------------

let noise = white_noise[other, latent](1000000 * seed + 999999)
let before = generator(generator_start, noise)
let after = generator(trained.mean, noise)

// (l, mean C(l)) and the share of pixels in 40 bins of a quarter of the deviation.
fn spectrum_of(f) {
  let all = each other in f => angular_spectrum(f, 0, 2 * pi / angle * 2, bands)
  (sum(all[0] * all[2], over = other) / sum(all[2], over = other), mean(all[1], over = other))
}
fn histogram_of(f) = bins t in f into 40 by (f + 3) * 4 => 1 / (cells(other) * pixels^2)
let (l, C_real) = spectrum_of(others)
let (l2, C_before) = spectrum_of(before)
let (l3, C_after) = spectrum_of(after)
let (h_real, h_before, h_after) = (histogram_of(others), histogram_of(before), histogram_of(after))

// How far two spectra are apart, and two histograms: 0 if they are the same, 1 if no pixel's height is in both.
fn apart(C, D) = mean(abs(log(C / D)))
fn overlap(a, b) = 0.5 * sum(abs(a - b))
let distances = (apart(C_before, C_real), apart(C_after, C_real), overlap(h_before, h_real), overlap(h_after, h_real))
print "spectra are off by {:.3f} (untrained {:.3f}), histograms by {:.3f} (untrained {:.3f})", distances[1],
      distances[0], distances[3], distances[2]

output generator = trained.mean
output losses (discriminator, generator) = (trained.losses, trained.other_losses)
output distances
output real = others
output made = after
output power (l, real, untrained, made) = (l, C_real, C_before, C_after)
output histogram (real, untrained, made) = (h_real, h_before, h_after)
let height = map t in h_real => 0.25 * (index(t, dims(h_real)[0]) + 0.5) - 3
plot maps = (others[other = 0], others[other = 1], others[other = 2]; after[other = 0], after[other = 1], after[other = 2]) shared colors inferno title "Convergence, in deviations" clabel "κ / σ" labels ("simulated", "", "", "generated", "", "")
plot spectra = (l, C_real, C_after, C_before) scale log title "Spectra of convergence" xlabel "ℓ" ylabel "C(ℓ)" labels ("simulated", "generated", "before the training")
plot heights = (height, h_real, h_after, h_before) title "Pixels by height, in deviations" xlabel "κ / σ" ylabel "part of the pixels" labels ("simulated", "generated", "before the training")
