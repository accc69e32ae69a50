// Gaussian approximations of probability densities. A state and its energy, −log of the density,
// are as in `sampling`.
//
// Setup: use optim
//   dim x = 8, krylov = 8
//   fn energy(s) = sum(s^2) + 0.1 sum(s^4) - sum(s)
//   let (mode, least) = minimize(energy, zeros[x], lbfgs(), iterations = 20)
//   let q = laplace[krylov](energy, mode)
//
// Internal: tridiagonal_root

use math, sampling, solvers

// The approximation of Laplace: the Gaussian at the minimum of the energy with the covariance H⁻¹,
// where H is the Hessian there. The dim in brackets has as many cells as a sample takes products
// with H.
// - energy: function of a state, −log of the density plus any constant
// - mode: state, the minimum of the energy, as found by `minimize`
// - noise: function of a seed: standard normal numbers in the shape of a state, as for `sample`;
//   the default serves numbers and fields
// Value: record `{hessian, draw, along}` of functions. hessian(v) is H v. draw(seed) is a sample
//   mode + H^(−1/2) z, with normal numbers z. along(v, iterations) is the standard deviation √(v ·
//   H⁻¹ v) of the state along v, by at most `iterations` of conjugate gradients.
// Source: MacKay (2003), chapter 27
// Cost: a product with H takes one gradient and its derivative.
// Example: q.draw(1) - laplace[krylov](energy, mode).draw(2)
fn laplace[krylov](energy, mode, noise = k => normal_like(mode, piece(krylov, 1), k)) {
  fn hessian(v) = jvp(grad(energy))(mode, tangent = v)[1]
  {
    hessian = v => hessian(v)
    draw = seed => mode + inverse_root[krylov](v => hessian(v), noise(seed))
    along = (v, iterations) => sqrt(inner(v, conjugate_gradients(u => hessian(u), v, 0 * v, 1e-8, iterations).x))
  }
}

// H^(−1/2) z of a self-adjoint operator H > 0, by steps of Lanczos, one for each cell of the dim in
// brackets. It is exact if H has no more distinct eigenvalues than steps.
// - H: function of a state, linear
// - z: state
// Value: like z. A product v · H v ≤ 0 ends the program with an error.
// Source: Chow & Saad (2014), section 2
// Cost: one product with H for each step; stores a state for each step.
// Example: inverse_root[krylov](s => 4 * s, mode)
fn inverse_root[krylov](H, z) {
  let size = sqrt(inner(z, z))
  let begin = {v = 1 / size * z, before = 0 * z, beta = 0.0, alive = 1.0}
  let (end, rows) = loop s = begin for i in krylov => {
    let w = H(s.v) - s.beta * s.before
    let alpha = inner(s.v, w)
    assert alpha > 0 or s.alive == 0,
           "inverse_root: v . H v = {} is not positive in step {}: the state is not at a minimum of the energy", alpha,
           i
    let rest = w - alpha * s.v
    let beta = sqrt(inner(rest, rest))
    // Where the vectors span all that z is made of, there are no more.
    let alive = if s.alive > 0 and beta > 1e-12 * alpha then 1.0 else 0.0
    let next = {v = alive / max(beta, 1e-300) * rest, before = s.v, beta = alive * beta, alive = alive}
    next stacking {v = s.v, alpha = if s.alive > 0 then alpha else 1.0, beta = s.beta}
  }
  size * sum(tridiagonal_root(rows.alpha, rows.beta, krylov) * rows.v, over = krylov)
}

// T^(-1/2) e1 over the dim k for the diagonal alpha and beta[i] beside it, between i - 1 and i:
// T^(-1/2) = 2/pi int (T + t^2)^-1 dt by the trapezoidal rule in log t, to 1e-10 for eigenvalues
// within a factor of 1e8 of the largest element.
fn tridiagonal_root(alpha, beta, k) {
  let scale = max(alpha)
  let node = piece(k, 200)
  let t = map q in [node] => exp(0.4 * (index(q, node) - 120))
  let n = cells(k)
  // T + t^2 by elimination from the last row on, where e1 is 0.
  let none = map q in [k, node] => 0.0
  let (d, pivots) = loop (d, pivots) = (1 + t^2, none) for j in 0 .. n => {
    let i = n - 1 - j
    let above = if j > 0 then (beta[k = min(i + 1, n - 1)] / scale)^2 / d else 0 * d
    let next = alpha[k = i] / scale + t^2 - above
    (next, pivots with {[k = i] = next})
  }
  let (x, all) = loop (x, all) = (0 * t, none) for i in 0 .. n => {
    let next = if i == 0 then 1 / pivots[k = 0] else -beta[k = i] / scale * x / pivots[k = i]
    (next, all with {[k = i] = next})
  }
  0.4 * 2 / pi / sqrt(scale) * sum(t * all, over = node)
}

// The Gaussian without correlations that has the least Kullback–Leibler divergence from the
// density, in the coordinates of the state.
// - energy: function of a state, −log of the density plus any constant
// - start: state, the mean at the start
// - method: optimizer of `optim`
// - iterations: int, the number of steps of the optimizer
// - seed: u64
// - noise: function of a seed: standard normal numbers in the shape of a state, as for `sample`
// - width: number, the standard deviation at the start
// - draws: int, the number of new samples for each step
// Value: record `{mean, deviation, loss}`. mean and deviation are in the shape of a state. loss is
//   the last estimate of minus the evidence lower bound, plus a constant.
// Source: Kucukelbir et al. (2017)
// Cost: one gradient for each sample of each step.
// Example: mean_field(energy, zeros[x], adam(), 9, 1, k => white_noise[x](k)).mean
fn mean_field(energy, start, method, iterations: int, seed: u64, noise, width = 0.1, draws: int = 1) {
  let begin = {mean = start, log_deviation = 0 * abs(start) + log(width)}
  let ones = 0 * abs(start) + 1
  let ((q, state), loss) = loop ((q, state), loss) = ((begin, method.start(begin)), 0.0) for i in 0 .. iterations => {
    fn bound(q) {
      let spread = exp(q.log_deviation)
      let total_energy = loop e = 0.0 for j in 0 .. draws =>
        e + energy(q.mean + spread * noise(split(split(seed, "iteration", i), j)))
      total_energy / draws - inner(q.log_deviation, ones)
    }
    let (next, after, value) = method.step(bound, q, state, i == 0)
    ((next, after), value)
  }
  {mean = q.mean, deviation = exp(q.log_deviation), loss = loss}
}
