// A few large steps of an N-body simulation that end where many small ones do: a filter of the force in Fourier space, a spline of the wave
// number whose coefficients a small network computes from the scale factor, trained through the simulation (Lanzieri, Lanusse & Starck 2022).

use cosmology, power, fields, lpt, nbody, particles, spectra, nn, optim

const n: int in [8, 512] = 32       "particles and cells a side"
const boxes: int in [1, 4096] = 8   "simulations to learn from"
const coarse: int in [1, 1000] = 4  "steps of the fast simulation"
const fine: int in [1, 1000] = 30   "steps of the one that it should agree with"

param cell: length in (0, inf) = 2 Mpc/h  "side of a cell"
param steps: int in [0, inf) = 100        "training steps, of a simulation each"
param rate in (0, 1) = 0.01               "of the optimizer"
param seed: u64 = 1                       "of the universes and of the network"

dim box = boxes
dim x = n, y = n, z = n over n * cell
dim one = 1, hidden = 16, knot = 10
dim place = 64
mesh ranks(row = 1)
layout x -> row

let cosmo = flat_lcdm(omega_m = 0.3075, sigma8 = 0.8159)
let linear = spectrum(eisenstein_hu_smooth(cosmo))

// ---- The filter --------------------------------------------------------------------------------------------------------

// A cubic B-spline over |k| h, from 0 to sqrt(3) pi in the corner, with equal knots: that of knot j is at j - 1.
fn bump(t) = max(2 - abs(t), 0)^3 / 6 - 2 * max(1 - abs(t), 0)^3 / 3
fn spline(c, kh) = total(for j in 0 .. cells(knot) => c[j] * bump(kh / (sqrt(3) * pi) * (cells(knot) - 3) - (j - 1)))

// What is added to the force of every wave, as a share of it.
fn coefficients(w, a) {
  let c = dense(tanh(dense(constant[one](2 * a - 1), w.first, one)), w.last, hidden)
  for j in 0 .. cells(knot) => c[knot = j]
}

fn filtered(w, a) = (mesh, scale) => {
  let c = coefficients(w, a)
  let dk = fft(mesh)
  let corrected = map k in dk => (1 + spline(c, sqrt(norm2(wave(k))) * cell)) * dk
  for d in dims(dk) =>
    ifft(map k in corrected => -1i * (scale * gradient_kernel(k, d, "fd4") * inverse_laplacian_kernel(k)) * corrected)
}

// ---- Simulations -------------------------------------------------------------------------------------------------------

fn begin(number) = lpt(cosmo, gaussian_field[x, y, z](linear, number), a = 0.1)
fn exact(number) = nbody(cosmo, begin(number), from = 0.1, to = 1, steps = fine, boost = 2).disp
fn plain(number) = nbody(cosmo, begin(number), from = 0.1, to = 1, steps = coarse).disp
fn fast(w, number) {
  let times = steps_in_a(0.1, 1, coarse)
  let end = loop s = begin(number) for i in 0 .. coarse + 1 =>
    nbody_cycle(cosmo, s, times.at, i, 1, "cic", filtered(w, times.at(i))).next
  end.disp
}

// Mean square distance of particles, in cells.
fn apart(a, b) = total(for d in 0 .. 3 => mean(((a[d] - b[d]) / cell)^2))

// ---- Training ----------------------------------------------------------------------------------------------------------

let wanted = (loop _ = 0.0 for i in box => _ stacking exact(1000 * seed + i))[1]

// Without a correction at first.
let first = dense_start[one, hidden](seed)
optimize net from {first = first, last = {weight = zeros[knot, hidden], bias = zeros[knot]}}
  minimizing {
    let i = mod(i, boxes)
    apart(fast(net, 1000 * seed + i), for d in 0 .. 3 => wanted[d][box = i])
  }
  with adamw(rate, decay = 0, schedule = cosine_rate(steps, warmup = 5))
  for i in 0 .. steps
  checkpoint every 20
  history losses[100]

// ---- Another simulation ------------------------------------------------------------------------------------------------

let other = 1000 * seed + 999
let goal = exact(other)
let before = plain(other)
let after = fast(net, other)
let errors = (sqrt(apart(before, goal)), sqrt(apart(after, goal)))
print "particles are off by {:.4f} cells without the filter, by {:.4f} with it", errors[0], errors[1]

let target = mesh_overdensity(goal)
let (k, t_before) = transfer_function(target, mesh_overdensity(before))
let (k2, r_before) = correlation(target, mesh_overdensity(before))
let (k3, t_after) = transfer_function(target, mesh_overdensity(after))
let (k4, r_after) = correlation(target, mesh_overdensity(after))

// The filter today, at 64 wave numbers.
let kh = map q in [place] => sqrt(3) * pi * (index(q, place) + 0.5) / cells(place)
let today = {
  let c = coefficients(net, 1)
  map q in [place] => spline(c, kh)
}

output net
output losses
output errors
output agreement (k, t_before, r_before, t_after, r_after) = (k, t_before, r_before, t_after, r_after)
output filter (kh, share) = (kh, today)
output disp = after
plot transfer = (k, t_before, t_after) title "Transfer function" labels ("without the filter", "with it") ylabel "transfer function" xscale log
plot training = losses title "Loss" ylabel "loss"
