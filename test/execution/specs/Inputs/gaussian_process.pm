// A Gaussian process: the length, amplitude and noise of largest likelihood for 512 points, and predictions between them.
use linalg, optim

dim i = 512, j = 512, at = 50
input point: field[i]
input value: field[i]

let other = point[i = j]
fn kernel(d, u) = exp(2 * u[1]) * exp(-0.5 * (d / exp(u[0]))^2)
fn covariance(u) = kernel(point - other, u) + map q in [i, j] => if index(q, i) == index(q, j) then exp(2 * u[2]) else 0
fn energy(u) {
  let K = covariance(u)
  0.5 sum(value * solve_over(K, value, i, j)[j = i]) + 0.5 logdet(K, i, j)
}
let (best, least) = minimize(energy, (0.0, 0.0, -1.0), lbfgs(), iterations = 15)

let new = map q in [at] => 10 * index(q, at) / 49
let near = kernel(new - other, best)
let weights = solve_over(covariance(best), value, i, j)
output predicted = sum(near * weights, over = j)
output deviation = sqrt(exp(2 * best[1]) - sum(near * solve_over(covariance(best), near[j = i], i, j), over = j))
print "{} {} {} {}", exp(best[0]), exp(best[1]), exp(best[2]), least
