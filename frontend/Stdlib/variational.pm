// Approximations of probability densities by Gaussians and by normalizing flows. A state and its
// energy, −log of the density, are as in `sampling`.
//
// Setup: use optim
//   dim x = 8, krylov = 8, factor = 2, layer = 4, hidden = 8, sample = 5
//   fn energy(s) = sum(s^2) + 0.1 sum(s^4) - sum(s)
//   let (mode, least) = minimize(energy, zeros[x], lbfgs(), iterations = 20)
//   let q = laplace[krylov](energy, mode)
//   let w = flow_start[layer, hidden, x](1)
//
// Internal: tridiagonal_root coupled

use math, sampling, solvers, linalg

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
  assert draws >= 1, "mean_field: draws must be at least 1, found {}", draws
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

// The Gaussian with the covariance D² + Σ F Fᵀ that has the least Kullback–Leibler divergence from the
// density. D is diagonal, and each cell of the dim in brackets has one factor F.
//
// A sample is mean + D z + Σ F u with normal numbers z and u.
// - energy: function of a state, −log of the density plus any constant
// - start: state, the mean at the start: a real field over space dims
// - method: optimizer of `optim`
// - iterations: int, the number of steps of the optimizer
// - seed: u64
// - width: number, the deviation D at the start
// - draws: int, the number of new samples for each step
// Value: record `{mean, deviation, factors, loss, draw}`. deviation is D. factors has the dim in
//   brackets and the dims of the state. loss is the last estimate of the negative evidence lower
//   bound, plus a constant. draw(seed) is a sample.
// Source: Ong, Nott & Smith (2018), eqs. 5 and 7
// Cost: one gradient for each sample of each step, and r² products of states for r factors.
// Example: low_rank[factor](energy, zeros[x], adam(0.01), 9, 1).factors
fn low_rank[r](energy, start, method, iterations: int, seed: u64, width = 0.1, draws: int = 1) {
  assert draws >= 1, "low_rank: draws must be at least 1, found {}", draws
  let one = piece(r, 1)
  let other = piece(r, cells(r))
  let shape = zeros[r] + 0 * start
  let small = 0.01 * width * white_noise[dims(shape)](split(seed, "factors"))
  let begin = {mean = start, log_deviation = 0 * start + log(width), factors = small}
  fn sampled(q, k) = q.mean + exp(q.log_deviation) * normal_like(start, one, split(k, 0)) +
    sum(q.factors * white_noise[r](split(k, 1)), over = r)
  let ((q, state), loss) = loop ((q, state), loss) = ((begin, method.start(begin)), 0.0) for i in 0 .. iterations => {
    fn bound(q) {
      let total_energy = loop e = 0.0 for j in 0 .. draws =>
        e + energy(sampled(q, split(split(seed, "iteration", i), j)))
      // log det(D^2 + F F^T) = 2 sum log D + log det(1 + F^T D^-2 F).
      let scaled = exp(-1 * q.log_deviation) * q.factors
      let gram = sum(scaled * scaled[r = other], over = dims(start))
      let inside = map p in gram => if index(p, r) == index(p, other) then 1 + gram else gram
      total_energy / draws - sum(q.log_deviation) - 0.5 * logdet(inside, r, other)
    }
    let (next, after, value) = method.step(bound, q, state, i == 0)
    ((next, after), value)
  }
  {mean = q.mean, deviation = exp(q.log_deviation), factors = q.factors, loss = loss, draw = k => sampled(q, k)}
}

// ---- normalizing flows ----

// Initial weights of a normalizing flow, with which the flow is the identity. The dims in brackets
// count its layers, its hidden units, and the numbers of a state.
// - seed: int or u64. Weights also use the noise of the next seed
// Value: record of fields, for `flow`.
// Source: Dinh, Sohl-Dickstein & Bengio (2017), section 3
// Example: flow_start[layer, hidden, x](1)
fn flow_start[layer, hidden, p](seed) = {
  first = sqrt(2 / cells(p)) * white_noise[layer, hidden, p](seed)
  bias = white_noise[layer, hidden](seed + 1)
  gain = constant[layer, hidden](1.0)
  scale = zeros[layer, p, hidden]
  scale_bias = zeros[layer, p]
  shift = zeros[layer, p, hidden]
  shift_bias = zeros[layer, p]
}

// The logarithm of the scale, and the shift, of the numbers that layer i changes, which is every second number.
fn coupled(w, s, p, i, given) {
  let hidden = dims(w.bias)[1]
  let layer = dims(w.bias)[0]
  let changes = map q in s => remainder(index(q, p) + i, 2)
  let seen = sum(w.first[layer = i] * ((1 - changes) * s), over = p)
  let h = tanh(seen + w.bias[layer = i] + w.gain[layer = i] * given)
  let scale = sum(w.scale[layer = i] * h, over = hidden) + w.scale_bias[layer = i]
  let shift = sum(w.shift[layer = i] * h, over = hidden) + w.shift_bias[layer = i]
  (changes * (2 * tanh(0.5 * scale)), changes * shift)
}

// A normalizing flow of affine couplings: the state s(z) of normal numbers z, and log |ds/dz|.
//
// Layer i changes every second number of the state: s → s exp(a) + b. A network with one hidden layer
// computes a and b from the other numbers. a is between −2 and 2.
// - w: weights, as of `flow_start`
// - z: field over p and a batch
// - p: dim of the numbers of a state, with at least 2 cells
// - given: field over the hidden units and the batch, on which the density is conditioned, such as the
//   output of a network of data
// Value: tuple (s, log |ds/dz|). s is like z. The logarithm is over the batch.
// Source: Dinh, Sohl-Dickstein & Bengio (2017), eqs. 4 and 5
// Example: flow(w, white_noise[sample, x](1), x)[1]
fn flow(w, z, p, given = 0.0) {
  let layer = dims(w.bias)[0]
  loop (s, e) = (z, 0 * sum(z, over = p)) for i in 0 .. cells(layer) => {
    let (a, b) = coupled(w, s, p, i, given)
    (s * exp(a) + b, e + sum(a, over = p))
  }
}

// The inverse of `flow`: the normal numbers z of a state, and log |dz/ds|.
// - w: weights, as of `flow_start`
// - s: field over p and a batch
// - p: dim of the numbers of a state
// - given: as for `flow`
// Value: tuple (z, log |dz/ds|).
// Source: Dinh, Sohl-Dickstein & Bengio (2017), eqs. 7 and 8
// Example: flow_inverse(w, flow(w, white_noise[sample, x](1), x)[0], x)[0]
fn flow_inverse(w, s, p, given = 0.0) {
  let layer = dims(w.bias)[0]
  loop (z, e) = (s, 0 * sum(s, over = p)) for j in 0 .. cells(layer) => {
    let (a, b) = coupled(w, z, p, cells(layer) - 1 - j, given)
    ((z - b) * exp(-1 * a), e - sum(a, over = p))
  }
}

// The logarithm of the density of a flow at states: log N(z) + log |dz/ds|.
//
// For neural posterior estimation, the loss is the negative mean of this logarithm over simulated
// parameters s. `given` is the output of a network for the data of s. At the minimum of the loss, the
// flow is the posterior density.
// - w: weights, as of `flow_start`
// - s: field over p and a batch
// - p: dim of the numbers of a state
// - given: as for `flow`
// Value: number, or field over the batch.
// Source: Dinh, Sohl-Dickstein & Bengio (2017), eq. 3; Papamakarios & Murray (2016)
// Example: flow_log_density(w, white_noise[sample, x](1), x)
fn flow_log_density(w, s, p, given = 0.0) {
  let (z, e) = flow_inverse(w, s, p, given)
  e - 0.5 * sum(z^2, over = p) - 0.5 * cells(p) * log(2 * pi)
}

// The flow with the least Kullback–Leibler divergence from a density.
// - energy: function of a state, −log of the density plus any constant
// - start: weights, as of `flow_start`
// - p: dim of the numbers of a state, which is a real field over p
// - method: optimizer of `optim`
// - iterations: int, the number of steps of the optimizer
// - seed: u64
// - draws: int, the number of new samples for each step
// Value: record `{weights, loss, draw}`. loss is the last estimate of the negative evidence lower
//   bound, plus a constant. draw(seed) is a sample.
// Source: Rezende & Mohamed (2015), eq. 15
// Cost: one gradient for each sample of each step.
// Example: fit_flow(energy, w, x, adam(0.01), 3, 1, draws = 2).draw(4)
fn fit_flow(energy, start, p, method, iterations: int, seed: u64, draws: int = 1) {
  assert draws >= 1, "fit_flow: draws must be at least 1, found {}", draws
  let ((w, state), loss) = loop ((w, state), loss) = ((start, method.start(start)), 0.0) for i in 0 .. iterations => {
    fn bound(w) {
      let all = loop e = 0.0 for j in 0 .. draws => {
        let (s, grown) = flow(w, white_noise[p](split(split(seed, "iteration", i), j)), p)
        e + energy(s) - grown
      }
      all / draws
    }
    let (next, after, value) = method.step(bound, w, state, i == 0)
    ((next, after), value)
  }
  {weights = w, loss = loss, draw = k => flow(w, white_noise[p](k), p)[0]}
}
