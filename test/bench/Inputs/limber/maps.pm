// What test/bench/limber runs: one universe, lines of sight through it, and the mean angular spectrum of their convergence beside what Limber's
// approximation makes of the simulation's own P(k, a).
use math, cosmology, power, fields, lpt, nbody, particles, spectra, lensing, sky

const n = 128                                 "particles a side"
const planes = 12                             "lens planes, and steps on the light cone"
const every = 2                               "steps between spectra"
const pixels = 768                            "of lens planes, a side"
const side = 512                              "rays a side"
const sights = 9
const bands = 6
param seed: u64 = 1

dim x = n, y = n, z = n over 256 Mpc/h
dim p = pixels, q = pixels over 256 Mpc/h
dim s = side, t = side over 10 deg
dim far_s = 2 * side, far_t = 2 * side over 20 deg
dim sight = sights, time_step = planes + 1, shell = n
dim multipole = 600

let c = flat_lcdm()
let reach = comoving_distance(c, 1 / 2)       // of sources at z = 1
let time = equal_shells(c, reach, planes)
let start = nbody(c, lpt(c, gaussian_field[x, y, z](spectrum(eisenstein_hu(c)), seed), a = 0.1), from = 0.1, to = time(0), steps = 10)
let source = chi => max(1 - chi / reach, 0)
let theta = map i in [sight, s, t] => (i[s] + 11.3 deg * index(i, sight), i[t] + 47.9 deg * index(i, sight))

// Maps, and P(k)/D1^2 at the beginning of some steps.
let nothing = 1 (Mpc/h)^3 * zeros[time_step, shell]
fn own_power(disp, i) {
  let P = power_spectrum(mesh_overdensity(disp, 2, "pcs"), compensate = "pcs")[1] / growth(c, time(i)).D1^2
  nothing with {[time_step = i] = on_shells(P)}
}
fn on_shells[B](P: field[B]) = sum(map i in [B, shell] => if index(i, B) == index(i, shell) then P else 0, over = B)
let look = on_planes[p, q](born(c, theta, source))
let cone = light_cone(c, start, time, planes, (0 * theta[0], nothing), light => {
  let i = light.shell.number
  (look(light), if mod(i, every) == 0 then own_power(light.disp, i) else nothing)
}, turned_copies())
let spectra = cone.seen[1] + own_power(cone.particles.disp, planes)

// Linear between those times, and P k^1.5 between shells, of which m is at m + 1/2 fundamental modes. Beyond 0.6 of the mesh's Nyquist wave number,
// where aliases begin, there is mostly noise of particles. What is painted on planes and read from them is smoothed by two windows.
fn P(k, a) {
  let now = (1 - comoving_distance(c, a) / reach) * planes / every
  let here = sum(map i in spectra => max(1 - abs(now - index(i, time_step) / every), 0) *
                                     (if remainder(index(i, time_step), every) == 0 then spectra else 0), over = time_step)
  let all = k * length(x) / (2 pi) - 0.5
  let m = min(all, 0.6 * cells(shell))
  let value = growth(c, a).D1^2 * sum(map i in [shell, multipole] =>
    here * max(1 - abs(m - index(i, shell)), 0) * ((index(i, shell) + 0.5) / max(m + 0.5, 0.5))^1.5, over = shell)
  let noise = spacing(x)^3
  exp(-(k * length(x) / pixels)^2 / 3) * (noise + (value - noise) * ((m + 0.5) / (all + 0.5))^2.5)
}

// C(l) at multipoles that are equally spaced, and what of it is seen through the weight of a map: its mean over l with |W(k - l)|^2, W being the
// weight's transform. Those of a map twice as wide, 0 outside, are all there are.
let step = 6
let l = map i in [multipole] => step * index(i, multipole) + 0
let Cl = limber(c, l, source, P, from = time(0), panels = 16)
fn weight_at(a, b) = sin(pi * a / length(s)) * sin(pi * b / length(t))
let mask = map i in [far_s, far_t] => if i[far_s] < length(s) and i[far_t] < length(t) then weight_at(i[far_s], i[far_t]) else 0
let W = fft(mask)
let all = map k in W => {
  let m = min(sqrt(norm2(k)) / step, cells(multipole) - 2)
  let i = floor(m)
  (i + 1 - m) * Cl[multipole = int(i)] + (m - i) * Cl[multipole = int(i) + 1]
}
let seen = fft(ifft(0i + all) * ifft(map k in W => 0i + norm2(W))) / mean(mask^2)
let (from, width) = (100, 150)
let (predicted, count) = bins k in seen into bands by (sqrt(norm2(k)) - from) / width => (real(seen), 1)

let weight = map i in [s, t] => weight_at(i[s], i[t])
let (first_l, first, modes) = angular_spectrum(slice(cone.seen[0], sight = 0), from, width, bands, weight)
let C = loop sum = 0 * first for i in 0 .. sights => sum + angular_spectrum(slice(cone.seen[0], sight = i), from, width, bands, weight)[1] / sights
output found (l, C, limber, plain, modes) = (first_l, C, predicted / count, band_means[far_s](l => {
  let m = min(l / step, cells(multipole) - 2)
  let i = floor(m)
  (i + 1 - m) * Cl[multipole = int(i)] + (m - i) * Cl[multipole = int(i) + 1]
}, from, width, bands), modes)
print "{:.3f} to {:.3f} of Limber's", min(C * count / predicted), max(C * count / predicted)
