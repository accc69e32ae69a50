// What test/bench/limber runs: one universe, lines of sight through it, and the mean angular spectrum of their convergence beside what Limber's
// approximation makes of the simulation's own P(k, a), and beside the projection of planes.
use math, cosmology, power, fields, lpt, nbody, particles, spectra, lensing, sky

const n = 128           "particles a side"
const boxes = 9         "copies of the box before the sources"
const planes = 9        "lens planes, and steps on the light cone; the fewer, the less is cut"
const pixels = 768      "of lens planes, a side"
const side = 512        "rays a side"
const sights = 9
const kernel = "exact"  "of the force: with fd4, waves across the line of sight have less power than others of their length"
const bands = 6
param seed: u64 = 1

dim x = n, y = n, z = n over 256 Mpc/h
dim p = pixels, q = pixels over 256 Mpc/h
dim s = side, t = side over 10 deg
dim far_s = 2 * side, far_t = 2 * side over 20 deg
dim sight = sights, time_step = planes, shell = n
dim multipole = 600

let c = flat_lcdm()
let reach = boxes * length(z)  // of sources, z = 1.0 for nine
let time = equal_shells(c, reach, planes)
let start = nbody(c, lpt(c, gaussian_field[x, y, z](spectrum(eisenstein_hu(c)), seed), a = 0.1), from = 0.1,
                  to = time(0), steps = 10, kernel = kernel)
let source = chi => max(1 - chi / reach, 0)
let theta = map i in [sight, s, t] => (i[s] + 11.3 deg * index(i, sight), i[t] + 47.9 deg * index(i, sight))

// Maps, and P(k)/D1^2 of the particles in the middle of each step.
let nothing = 1 (Mpc/h)^3 * zeros[time_step, shell]
fn own_power(light) {
  let P = power_spectrum(mesh_overdensity(light.disp + 0.5 * light.move, 2, "pcs"), compensate = "pcs")[1] /
    growth(c, light.shell.a).D1^2
  nothing with {[time_step = light.shell.number] = on_shells(P)}
}
fn on_shells[B](P: field[B]) = sum(map i in [B, shell] => if index(i, B) == index(i, shell) then P else 0, over = B)
let observe = on_planes[p, q](born(c, theta, source))
let cone = light_cone(c, start, time, planes, (0 * theta[0], nothing), light => (observe(light), own_power(light)),
                      turned_copies(seed), kernel = kernel)

// Linear between those times, as at the first and last one beyond, and P k^1.5 between shells, of which m is at m + 1/2 fundamental modes. Beyond 0.8 of the mesh's Nyquist wave number,
// where aliases begin, there is mostly noise of particles. What is painted on planes and read from them is smoothed by two windows.
fn P(k, a) {
  let now = clamp((1 - comoving_distance(c, a) / reach) * planes - 0.5, 0, planes - 1)
  let here = sum(map i in cone.seen[1] => max(1 - abs(now - index(i, time_step)), 0) * cone.seen[1], over = time_step)
  let all = k * length(x) / (2 pi) - 0.5
  let m = min(all, 0.8 * cells(shell))
  let value = growth(c, a).D1^2 * sum(map i in [shell, multipole] =>
    here * max(1 - abs(m - index(i, shell)), 0) * ((index(i, shell) + 0.5) / max(m + 0.5, 0.5))^1.5, over = shell)
  let noise = spacing(x)^3
  exp(-(k * length(x) / pixels)^2 / 3) * (noise + (value - noise) * ((m + 0.5) / (all + 0.5))^2.5)
}

// C(l) at multipoles that are equally spaced, and what of it is seen through the weight of a map: its mean over l with |W(k - l)|^2, W being the
// weight's transform. Those of a map twice as wide, 0 outside, are all there are. The sky is flat: limber takes k = (l + 1/2)/S.
let step = 6
let l = map i in [multipole] => step * max(index(i, multipole), 1)
let Cl = limber(c, l - 0.5, source, P, from = time(0), panels = 16)
let Cl_planes = limber_planes(c, l, source, P, time, planes, length(z))
fn weight_at(a, b) = sin(pi * a / length(s)) * sin(pi * b / length(t))
let mask =
  map i in [far_s, far_t] => if i[far_s] < length(s) and i[far_t] < length(t) then weight_at(i[far_s], i[far_t]) else 0
let W = fft(mask)
fn at(C, l) {
  let m = min(l / step, cells(multipole) - 2)
  let i = floor(m)
  (i + 1 - m) * C[multipole = int(i)] + (m - i) * C[multipole = int(i) + 1]
}
fn through_weight(C) =
  real(fft(ifft(map k in W => 0i + at(C, sqrt(norm2(k)))) * ifft(map k in W => 0i + norm2(W)))) / mean(mask^2)
let (from, width) = (100, 150)
let (seen, of_planes) = (through_weight(Cl), through_weight(Cl_planes))
let (predicted, by_planes, count) = bins k in seen into bands by (sqrt(norm2(k)) - from) / width => (seen, of_planes, 1)

let weight = map i in [s, t] => weight_at(i[s], i[t])
let (first_l, first, modes) = angular_spectrum(slice(cone.seen[0], sight = 0), from, width, bands, weight)
let C = loop sum = 0 * first for i in 0 .. sights =>
  sum + angular_spectrum(slice(cone.seen[0], sight = i), from, width, bands, weight)[1] / sights
output found (l, C, limber, planes, plain) =
  (first_l, C, predicted / count, by_planes / count, band_means[far_s](l => at(Cl, l), from, width, bands))
print "{:.3f} to {:.3f} of Limber's", min(C * count / predicted), max(C * count / predicted)
