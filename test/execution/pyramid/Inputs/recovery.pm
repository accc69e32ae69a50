// Initial conditions from a noisy final density, as in examples/reconstruction, through either force. The data are of one grid.
use cosmology, power, fields, lpt, nbody, particles, spectra, optim, pyramid
const bands = true
dim x = 32, y = 32, z = 32 over 100 Mpc/h
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
let c = flat_lcdm()
let table = eisenstein_hu(c)
fn initial(s) = colour(s, spectrum(table))
fn final(s, force) =
  overdensity(nbody(c, lpt(c, initial(s), a = 0.1, order = 1), from = 0.1, to = 1, steps = 3, force = force))
let truth = white_noise[x, y, z](42)
let data = final(truth, fourier_force()) + white_noise[x, y, z](43)
let chosen = if bands then pyramid(blocks = (2, 2, 1)) else fourier_force()
fn loss(s, r) = 0.5 sum(smooth(final(s, chosen) - data, r * spacing(x))^2) + 0.5 sum(s^2)
optimize fit from 0.01 * white_noise[x, y, z](44)
  minimizing loss(fit, r) with lbfgs()
  for r in (2, 1, 0), 8 iterations each
  history losses
let (k, r) = correlation(initial(truth), initial(fit))
let (k2, t) = transfer_function(initial(truth), initial(fit))
output recovery (k, r, t) = (k, r, t)
print "{:.6e}", loss(fit, 0)
