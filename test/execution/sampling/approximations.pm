// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.one --quiet --format=npy && %python %S/check_approximations.py %t.one
// Gaussian approximations of Gaussian densities, which are exact, against matrices in NumPy: roots of the Hessian, covariances of samples,
// standard deviations; a state that is a record; derivatives against differences.

use variational, sampling, optim, random

dim x = 8, krylov = 10, draw = 600, one = 1

let stiff = map q in [x] => 1 + index(q, x)^2
let slope = white_noise[x](5)
fn energy(s) = 0.5 sum(stiff * s^2) + 0.5 * sum(slope * s)^2 + 0.3 * sum(s)
let (mode, least) = minimize(energy, zeros[x], lbfgs(), 60)
let q = laplace[krylov](energy, mode)
output stiff
output slope
output mode
output root = inverse_root[krylov](v => q.hessian(v), slope)
output curvature = q.hessian(slope)
let (last, samples) = loop n = 0.0 for i in draw => n stacking q.draw(split(43, i))
output samples
output width = q.along(slope, 40)

// H of a record, with fewer different eigenvalues than steps, from noise that is known.
let pull = laplace[krylov](s => 2 * sum(s.f^2) + 0.5 * s.u^2 / 9, {f = 0 * slope, u = 1.5},
                           noise = k => {f = slope, u = 0.0 + 0.1 * random(k)})
let pulled = pull.draw(3)
let off = max(abs(pulled.f - slope / 2)) + abs(pulled.u - 1.5 - 0.3 * random(3))
assert off < 1e-9, "a sample of a record is off by {}", off

fn noise(k) = white_noise[x](k)
let f = mean_field(energy, zeros[x], averaged(adam(0.02), 0.99), 1500, 43, k => noise(k), width = 0.3, draws = 3)
output field_mean = f.mean
output field_deviation = f.deviation
// Without steps of the optimizer, what the loss is.
let width = mean_field(energy, mode, gradient_descent(0.0), 1, 43, k => noise(k), width = 0.2)
let by_hand = energy(mode + 0.2 * noise(split(split(43, "iteration", 0), 0))) - 8 * log(0.2)
assert abs(width.loss - by_hand) < 1e-10, "mean_field: the loss is {}, expected {}", width.loss, by_hand

fn rooted(u) = sum(slope * inverse_root[krylov](v => (1 + u^2) * v + 0.1 * slope * sum(slope * v), slope))
let (h, direction) = (1e-5, white_noise[x](6))
let along = (rooted(mode + h * direction) - rooted(mode - h * direction)) / (2 * h)
let by_grad = inner(grad(rooted)(mode), direction)
assert abs(by_grad / along - 1) < 1e-6, "derivatives of inverse_root are {}, expected {}", by_grad, along
