// The cosmic web in a few lines: a random field of density ripples, and the particles it sets in motion.

use cosmology, power, fields

const n = 128
param box: length = 200 Mpc/h  "box side"
param a in (0, 10) = 1         "scale factor: 0.1 is long ago, 1 is today"
param seed: u64 = 1            "another universe"

dim x = n, y = n, z = n over box

// What the universe is made of, and how far structure has grown at a.
let cosmo = flat_lcdm(omega_m = 0.3075, h = 0.6774)
let D = growth(cosmo, a).D1

// The linear overdensity today, drawn from the power spectrum of Eisenstein & Hu; smoothed a little.
let delta = smooth(gaussian_field[x, y, z](spectrum(eisenstein_hu(cosmo)), seed), 1 Mpc/h)

// Zel'dovich (1970): particles move along straight lines, x = q + D psi, with div psi = -delta. In Fourier space,
// psi = i k/k^2 delta_k. (gradient_kernel is k[d], except where that has no meaning: at the Nyquist frequency.)
let dk = fft(delta)
let psi = for d in (x, y, z) => ifft(map k in dk =>
  if norm2(k) == 0 then 0 else 1i * gradient_kernel(k, d) / norm2(k) * dk)
let moved = D * psi

print "rms displacement {} Mpc/h", number(sqrt(mean(norm2(moved))), 1 Mpc/h)

// Spread each particle over the eight nodes around it; mean density is 1.
output density = paint[x, y, z](moved)
plot slice(density, z = 0 .. 4) title "The first sheets and filaments" scale log
