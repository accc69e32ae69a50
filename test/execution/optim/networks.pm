// RUN: %pmc %s --precision=f64 -o %t && %python %S/check_networks.py %t
// Optimisers of networks on a record: every step against NumPy. Schedules, clipping and means, too.

use optim

param steps: int = 1
dim x = 24

let w = white_noise[x](1)
let stiff = 0.1 + 2 * white_noise[x](2)^2
let start = {a = zeros[x] + 1, b = white_noise[x](3)}
fn valley(s) = 0.5 sum(stiff * (s.a - w)^2) + 0.05 sum(s.a * s.b)^2 + sum(cos(3 * s.b))
fn after(method) = minimize(valley, start, method, iterations = steps)[0]

let plain = after(sgd(0.01, momentum = 0.8, schedule = step_rate(4, 0.5)))
let ahead = after(sgd(0.01, nesterov = true, clip = 2, schedule = root_rate(5)))
let decayed = after(adamw(0.03, decay = 0.1, schedule = cosine_rate(14, warmup = 4, last = 0.1)))
let layers = after(lamb(0.02, beta1 = 0.8, decay = 0.05))
let means = after(averaged(adamw(0.03), decay = 0.7))
output columns (w, stiff, b, p, q, n, m, d, e, l, k, f, g) =
  (w, stiff, start.b, plain.a, plain.b, ahead.a, ahead.b, decayed.a, decayed.b, layers.a, layers.b, means.a, means.b)
