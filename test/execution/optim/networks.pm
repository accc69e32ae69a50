// RUN: %pmc %s --precision=f64 -o %t && %python %S/check_networks.py %t
// Optimizers of networks on a record: every step against NumPy. Schedules, clipping and means, too; complex unknowns; stages, each of which begins anew.

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
let decayed = after(adamw(0.03, beta2 = 0.97, decay = 0.1, schedule = cosine_rate(14, warmup = 4, last = 0.1)))
let layers = after(lamb(0.02, beta1 = 0.8, beta2 = 0.9, decay = 0.05, schedule = step_rate(4, 0.5)))
let means = after(averaged(adamw(0.03), decay = 0.7))
output columns (w, stiff, b, p, q, n, m, d, e, l, k, f, g) =
  (w, stiff, start.b, plain.a, plain.b, ahead.a, ahead.b, decayed.a, decayed.b, layers.a, layers.b, means.a, means.b)

// The same of complex numbers, of which a and b are the parts.
let complex_start = start.a + 1i * start.b
fn complex_valley(s) = valley({a = real(s), b = imag(s)})
fn complex_after(method) = minimize(complex_valley, complex_start, method, iterations = steps)[0]
let complex_decayed =
  complex_after(adamw(0.03, decay = 0.1, schedule = cosine_rate(14, warmup = 4, last = 0.1), clip = 2))
let complex_layers = complex_after(lamb(0.02, beta1 = 0.8, decay = 0.05))
output complex_columns (d, e, l, k) =
  (real(complex_decayed), imag(complex_decayed), real(complex_layers), imag(complex_layers))

// Two stages of five iterations.
fn tilted(s, r) = valley(s) + r * sum(s.a * s.b)
optimize p from start minimizing tilted(p, r) with sgd(0.01, momentum = 0.8, schedule = step_rate(4, 0.5))
  for r in (0.5, 2), 5 iterations each
optimize d from start minimizing tilted(d, r)
  with adamw(0.03, decay = 0.1, schedule = cosine_rate(14, warmup = 4, last = 0.1)) for r in (0.5, 2), 5 iterations each
optimize l from start minimizing tilted(l, r) with lamb(0.02, beta1 = 0.8, decay = 0.05) for r in (0.5, 2),
  5 iterations each
optimize f from start minimizing tilted(f, r) with averaged(adamw(0.03), decay = 0.7) for r in (0.5, 2),
  5 iterations each
output stages (p, q, d, e, l, k, f, g) = (p.a, p.b, d.a, d.b, l.a, l.b, f.a, f.b)
