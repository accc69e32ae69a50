// RUN: %pmc %s --precision=f64 -o %t && %t --out %t.out --quiet
// The optimizers of the library find known minima; L-BFGS never goes up.

use optim

dim x = 12, y = 12 over 10 Mpc/h
fn rosenbrock(p) = (1 - p[0])^2 + 100 (p[1] - p[0]^2)^2
let (p, valley) = minimize(rosenbrock, (-1.2, 1.0), lbfgs(), iterations = 80)
assert valley < 1e-14 and abs(p[0] - 1) < 1e-6 and abs(p[1] - 1) < 1e-6, "L-BFGS: {} at {}, {}", valley, p[0], p[1]
let (q, slow) = minimize(rosenbrock, (-1.2, 1.0), adam(rate = 0.05), iterations = 4000)
assert slow < 1e-4, "Adam: {} at {}, {}", slow, q[0], q[1]

// A quadratic form with known curvatures: gradient descent contracts each mode by 1 - rate * curvature.
let w = white_noise[x, y](1)
let curvature = 1 + white_noise[x, y](2)^2
fn bowl(s) = 0.5 sum(curvature * (s - w)^2)
let (g, reached) = minimize(bowl, zeros[x, y], gradient_descent(rate = 0.05), iterations = 7)
let exact = w * (1 - (1 - 0.05 * curvature)^7)
assert max(abs(g - exact)) < 1e-12, "gradient descent: {} off", max(abs(g - exact))
fn check_value(found, expected) {
  assert abs(found - expected) <= 1e-14 * abs(expected), "the loss is {}, expected {}", found, expected
}
check_value(reached, 0.5 sum(curvature * (exact - w)^2))
// f(2) after one step from 5, whose loss is 9; and without a step.
fn parabola(u) = (u - 2)^2
check_value(minimize(parabola, 5.0, gradient_descent(0.1), iterations = 1)[1], 2.4^2)
check_value(minimize(parabola, 5.0, gradient_descent(0.1), iterations = 0)[1], 9)
let (by_adam, adam_loss) = minimize(parabola, 5.0, adam(0.1), iterations = 3)
check_value(adam_loss, parabola(by_adam))
let (by_average, average_loss) = minimize(parabola, 5.0, averaged(sgd(0.1), 0.5), iterations = 3)
check_value(average_loss, parabola(by_average))
let (by_bfgs, bfgs_loss) = minimize(bowl, zeros[x, y], lbfgs(), iterations = 3)
check_value(bfgs_loss, bowl(by_bfgs))
let (b, low) = minimize(bowl, zeros[x, y], lbfgs(), iterations = 60)
assert max(abs(b - w)) < 1e-6, "L-BFGS: {} off", max(abs(b - w))

// Stages: the function changes, and the loss falls within each of them.
optimize (s, t) from (zeros[x, y], 2.0)
  minimizing sum(cosh(s - r * w)) + (t - r)^4 + r * exp(-norm2(t)) with lbfgs()
  for r in (0.5, 1, 2), 15 iterations each
  history losses
output losses
assert max(abs(s - 2 w)) < 1e-3, "stages: {} off", max(abs(s - 2 w))
let slope = 4 (t - 2)^3 - 4 t * exp(-t^2)
assert abs(slope) < 1e-4, "stages: slope {} at t = {}", slope, t
