// What test/bench/pyramid measures: a simulation with the force of one grid, with that of a pyramid, or with both beside each other.
use cosmology, power, fields, lpt, nbody, particles, spectra, pyramid
const n = 128
const what in ("one", "pyramid", "both") = "both"
const levels = 2
const blocks = 2
const halo = 8
param steps: int = 10
dim x = n, y = n, z = n over n * 3.125 Mpc/h
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col

let c = flat_lcdm()
let start = lpt(c, gaussian_field[x, y, z](spectrum(eisenstein_hu(c)), 1), a = 0.1)
fn density(how) =
  overdensity(nbody(c, start, from = 0.1, to = 1, steps = steps,
                    force = if how == "one" then fourier_force() else pyramid(levels, (blocks, blocks, 1), halo)))
fn beside() {
  let (one, bands) = (density("one"), density("pyramid"))
  {one = one, bands = bands, off = mean((bands - one)^2) / mean((one - mean(one))^2)}
}
let seen = if what == "both" then beside() else {one = density(what), bands = zeros[x, y, z], off = 0.0}
print "{:.3e}", if what == "both" then sqrt(seen.off) else mean(seen.one^2)
output transfer (k, T) = transfer_function(seen.one, if what == "both" then seen.bands else seen.one)
output likeness (k, r) = correlation(seen.one, if what == "both" then seen.bands else seen.one)
plot density = slice(seen.one, z = 0 .. n / 8) title "Density, one grid" scale log
plot residual = slice(if what == "both" then seen.bands - seen.one else seen.one, z = 0 .. n / 8) title "Pyramid minus one grid"
