// RUN: %pmc %s -o %t && %t --out %t.out --quiet && %python %S/check_gaussian_spectrum.py %t.out
// A Gaussian random field has the spectrum it was asked for, within cosmic variance; other seeds give other fields.

use cosmology, power, fields, spectra

dim x = 64, y = 64, z = 64 over 500 Mpc/h

let P = spectrum(eisenstein_hu_smooth(flat_lcdm()))
let delta = gaussian_field[x, y, z](P, 42)
let again = gaussian_field[x, y, z](P, 42)
let other = gaussian_field[x, y, z](P, 43)

assert abs(mean(delta)) < 1e-6, "mean {}", mean(delta)
assert max(abs(delta - again)) == 0, "not reproducible by {}", max(abs(delta - again))
assert abs(mean(delta * other) / mean(delta^2)) < 0.05, "seeds correlate by {}", mean(delta * other) / mean(delta^2)

output delta
output power (k, P, modes) = power_spectrum(delta)
