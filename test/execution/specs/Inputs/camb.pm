// A fit of a table of P(k, z) to measured powers with error bars: the amplitude, the redshift, and their errors.
use optim

input theory: table(k in h/Mpc, z -> P in (Mpc/h)^3)
dim row = 40, column = 3
input data: field[row, column]

let k = 1 h/Mpc * slice(data, column = 0)
let power = 1 (Mpc/h)^3 * slice(data, column = 1)
let error = 1 (Mpc/h)^3 * slice(data, column = 2)
fn model(A, z) = A * interpolate(theory, k, z, method = "cubic")
fn chi2(u) = sum(((power - model(u[0], u[1])) / error)^2)
let (best, least) = minimize(chi2, (1.0, 0.5), lbfgs(), iterations = 40)

// Errors from the curvature of chi^2 / 2.
fn curvature(e) = { let h = jvp(grad(chi2))(best, tangent = e)[1]; (h[0] / 2, h[1] / 2) }
let (a, b) = (curvature((1.0, 0.0)), curvature((0.0, 1.0)))
let det = a[0] * b[1] - a[1] * b[0]
print "{:.12} {:.12} {:.12} {:.12} {:.12} {:.12}", best[0], best[1], least, sqrt(b[1] / det), sqrt(a[0] / det),
      -a[1] / det
