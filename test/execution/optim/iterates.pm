// RUN: %pmc %s --precision=f64 -o %t && %python %S/check_iterates.py %t
// Each step of Adam and of L-BFGS against NumPy: Adam's, with other constants, to rounding; L-BFGS' directions are those of
// the inverse Hessian that the last five pairs make, and its steps satisfy the strong Wolfe conditions.

use optim

const c1 = 0.3
const c2 = 0.4
param steps: int = 1
dim x = 24

let w = white_noise[x](1)
let stiff = 0.1 + 20 * white_noise[x](2)^4
fn valley(s) = 0.5 sum(stiff * (s - w)^2) + 0.05 sum(s)^4 + sum(cos(3 * s))
fn after(method) = minimize(valley, zeros[x] + 1, method, iterations = steps)[0]

output columns (w, stiff, tuned, usual, bfgs) =
  (w, stiff, after(adam(rate = 0.03, beta1 = 0.7, beta2 = 0.95, epsilon = 1e-3)), after(adam()),
   after(lbfgs(c1 = c1, c2 = c2)))
