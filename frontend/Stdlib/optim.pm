// Optimizers for the statement `optimize`, and for use as functions. The unknown is a number, a
// field, real or complex, or a tuple or record of them; all are pure numbers.
//
// An optimizer is a record of two functions. `start` is a function s => state. `step` is a
// function (f, s, state, fresh) => (s, state, loss). The loss is f at the old s, and for `lbfgs` f
// at the new s. `fresh` is true if f is another function than in the previous step: the method
// then forgets its state, as if it began at s.
//
// Setup: dim x = 8
//   fn f(s) = sum((s - 1)^2)
//   let s0 = white_noise[x](1)
//   let g = grad(f)(s0)
//
// Internal: squares extent inverse aged newton_direction lbfgs_direction wolfe_search far_factors feistel
//   marquardt_step

use matrices

// The s that minimizes f after a number of iterations, and f(s). Use it inside functions, where
// the statement `optimize` is not allowed.
// - f: function of s with a number as its value
// - s0: the start: number, field, or tuple or record of them
// - method: optimizer
// - iterations: int
// Value: tuple of s and f(s).
// Cost: that of the iterations, and one more evaluation of f.
// Example: minimize(f, s0, lbfgs(), iterations = 9)[1]
fn minimize(f, s0, method, iterations: int) {
  let (s, state) = loop (s, state) = (s0, method.start(s0)) for i in 0 .. iterations => {
    let (next, after, loss) = method.step(f, s, state, i == 0)
    (next, after)
  }
  (s, f(s))
}

// Gradient descent: s − rate · g for the gradient g.
// - rate: number
// Value: optimizer.
// Example: gradient_descent(0.1)
fn gradient_descent(rate) = {
  start = s => 0.0
  step = (f, s, state, fresh) => {
    let (loss, g) = value_and_grad(f)(s)
    (s - rate * g, state, loss)
  }
}

// Adam: steps of about `rate` in every component.
// - rate: number
// - beta1, beta2: numbers, the decay of the means of g and of |g|²
// - epsilon: number, added to the root of the mean of |g|²
// Value: optimizer.
// Source: Kingma & Ba (2015)
// Example: adam(0.01)
fn adam(rate = 0.001, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8) = {
  start = s => no_moments(s)
  step = (f, s, state, fresh) => {
    let (loss, g) = value_and_grad(f)(s)
    let now = moments(g, kept(state, fresh), beta1, beta2)
    (s - rate * now.mean / (now.root + epsilon), now.state, loss)
  }
}

// The state, or zeros if it belongs to another function. For your own optimizers.
// - state: number, field, or tuple or record of them
// - fresh: bool
// Value: like the state.
// Example: kept(no_moments(s0), true)
fn kept(state, fresh) = (if fresh then 0.0 else 1.0) * state

// Means of g and of |g|² over steps, for your own optimizers like Adam. Each is divided by the
// mean that ones would have.
//
// The state has the root of the mean of |g|², because f32 cannot represent the square of |g| above
// 1e19 or below 1e-19.
// - g: gradient: number, field, or tuple or record of them
// - state: record, as of `no_moments` or an earlier call
// - beta1, beta2: numbers, the decay of the two means
// Value: record `{mean, root, state}`: the mean of g, the root of the mean of |g|², and the next
//   state.
// Source: Kingma & Ba (2015)
// Example: moments(g, no_moments(s0), 0.9, 0.999).mean
fn moments(g, state, beta1, beta2) {
  let t = state.t + 1
  let m = beta1 * state.m + (1 - beta1) * g
  let size = abs(g)
  let largest = max(max(state.v, size), 1e-30)
  let v = largest * sqrt(beta2 * (state.v / largest)^2 + (1 - beta2) * (size / largest)^2)
  {mean = m / (1 - exp(t * log(beta1))), root = v / sqrt(1 - exp(t * log(beta2))), state = {m = m, v = v, t = t}}
}

// The state of `moments` before the first step.
// - s: the unknown: number, field, or tuple or record of them
// Value: record.
// Example: no_moments(s0)
fn no_moments(s) = {m = 0 * s, v = abs(0 * s), t = 0.0}

// |g|^2 of every component, real or complex.
fn squares(g) = real(g * conj(g))

// |Re g| + |Im g|, which is in the range of numbers where |g|^2 is not.
fn extent(g) = abs(real(g)) + abs(imag(g))

// L-BFGS with 5 pairs, and a line search for the strong Wolfe conditions. The first iteration with
// a new function only evaluates it.
// - c1, c2: numbers, the parameters of the two Wolfe conditions
// - evaluations: int, the largest number of evaluations of f in an iteration
// Value: optimizer.
// Source: Nocedal & Wright (2006), algorithms 7.4, 3.5 and 3.6
// Cost: one or a few evaluations of f and its gradient in an iteration. The state has twelve
//   values like s.
// Example: lbfgs(evaluations = 30)
fn lbfgs(c1 = 1e-4, c2 = 0.9, evaluations: int = 20) = {
  start = s => {
    let pair = {s = 0 * s, y = 0 * s, rho = 0.0}
    {loss = 0.0, g = 0 * s, gamma = 0.0, pairs = {p1 = pair, p2 = pair, p3 = pair, p4 = pair, p5 = pair}}
  }
  step = (f, s, state, fresh) => {
    let scale = if state.gamma > 0 then state.gamma else inverse(sqrt(inner(state.g, state.g)))
    let d = lbfgs_direction(state.g, state.pairs, scale)
    let found = wolfe_search(f, s, d, state.loss, state.g, fresh, c1, c2, evaluations)
    let ds = found.a * d
    let dg = found.g - state.g
    let sy = inner(ds, dg)
    let yy = inner(dg, dg)
    // A ratio of lengths, so that it does not depend on the units of f and s.
    let useful = sy > 1e-14 * (sqrt(inner(ds, ds)) * sqrt(yy))
    // After a failed search the pairs are useless.
    let old = if found.a == 0 then 0.0 else 1.0
    let newest = {s = ds, y = dg, rho = if useful then inverse(sy) else 0.0}
    let p = state.pairs
    let after = {
      loss = found.loss
      g = found.g
      gamma = if useful then sy / yy else state.gamma
      pairs = {p1 = newest, p2 = aged(p.p1, old), p3 = aged(p.p2, old), p4 = aged(p.p3, old), p5 = aged(p.p4, old)}
    }
    (s + ds, after, found.loss)
  }
}

fn inverse(x) = if x > 0 then 1 / x else 0.0

fn aged(pair, old) = pair with {rho = old * pair.rho}

// Newton's method with conjugate gradients, which needs few iterations near a minimum. Each iteration
// solves H d = −g for the gradient g and the Hessian H, until the residual is at most
// min(½, √(|g|/|g₀|)) |g|, where g₀ is the gradient at the start. Then it halves the step until f
// decreases enough.
//
// The conjugate gradients end if d · H d ≤ 0, so that f always decreases along the direction. If
// −g is such a direction, the step is −g |g|²/|g · H g|. Therefore the iterates do not depend on the
// units of f and s.
// - solves: int, at least 1, the largest number of products with H in an iteration
// - c1: number, the parameter of the condition f(s + a d) ≤ f(s) + c1 a g · d
// - halvings: int, at least 0, the largest number of halvings. If f does not decrease enough after
//   these, s does not change
// Value: optimizer.
// Source: Nocedal & Wright (2006), algorithm 7.1, with the ratio |g|/|g₀| instead of |g|
// Cost: a gradient, a derivative of the gradient for each product with H, and one evaluation of f for
//   each step that is tried.
// Example: newton_cg(solves = 20)
fn newton_cg(solves: int = 50, c1 = 1e-4, halvings: int = 30) {
  assert solves >= 1, "newton_cg: solves must be at least 1, found {}", solves
  assert halvings >= 0, "newton_cg: halvings must be at least 0, found {}", halvings
  {
    start = s => 0.0
    step = (f, s, state, fresh) => {
      let (loss, g) = value_and_grad(f)(s)
      let size = sqrt(inner(g, g))
      let first = if fresh or state == 0 then size else state
      let d = newton_direction(f, s, g, solves, if first > 0 then size / first else 1.0)
      let slope = inner(g, d)
      let (a, n) = loop (a, n) = (1.0, 0) while n <= halvings and not (f(s + a * d) <= loss + c1 * a * slope) =>
        (0.5 * a, n + 1)
      (s + (if n <= halvings then a else 0.0) * d, first, loss)
    }
  }
}

// The direction of Newton's method at s with the gradient g, by at most `solves` iterations of
// conjugate gradients. `part` is the size of g relative to that at the start.
fn newton_direction(f, s, g, solves: int, part) {
  let gg = inner(g, g)
  let target = min(0.25, part) * gg
  let begin = {z = 0 * g, r = g, d = -1 * g, rr = gg, n = 0, isGoing = gg > 0}
  let end = loop c = begin while c.isGoing => {
    let Hd = jvp(grad(f))(s, tangent = c.d)[1]
    let bend = inner(c.d, Hd)
    let isUp = bend > 0
    let a = if isUp then c.rr / bend else if c.n > 0 then 0.0 else if bend < 0 then -c.rr / bend else 1.0
    let r = c.r + (if isUp then a else 0.0) * Hd
    let rr = inner(r, r)
    {z = c.z + a * c.d, r = r, d = rr / c.rr * c.d - r, rr = rr, n = c.n + 1
     isGoing = isUp and rr > target and c.n + 1 < solves}
  }
  end.z
}

// -H g: the two loops over pairs, newest first; a pair with rho = 0 changes nothing.
fn lbfgs_direction(g, p, scale) {
  let a1 = p.p1.rho * inner(p.p1.s, g)
  let q1 = g - a1 * p.p1.y
  let a2 = p.p2.rho * inner(p.p2.s, q1)
  let q2 = q1 - a2 * p.p2.y
  let a3 = p.p3.rho * inner(p.p3.s, q2)
  let q3 = q2 - a3 * p.p3.y
  let a4 = p.p4.rho * inner(p.p4.s, q3)
  let q4 = q3 - a4 * p.p4.y
  let a5 = p.p5.rho * inner(p.p5.s, q4)
  let r5 = scale * (q4 - a5 * p.p5.y)
  let r4 = r5 + (a5 - p.p5.rho * inner(p.p5.y, r5)) * p.p5.s
  let r3 = r4 + (a4 - p.p4.rho * inner(p.p4.y, r4)) * p.p4.s
  let r2 = r3 + (a3 - p.p3.rho * inner(p.p3.y, r3)) * p.p3.s
  let r1 = r2 + (a2 - p.p2.rho * inner(p.p2.y, r2)) * p.p2.s
  let r0 = r1 + (a1 - p.p1.rho * inner(p.p1.y, r1)) * p.p1.s
  -1 * r0
}

// The step a along d with f(s + a d) <= f0 + c1 a f0' and |f'| <= c2 |f0'|, the value and the gradient there (Nocedal &
// Wright 2006, algorithms 3.5 and 3.6, in one loop with one evaluation). After `evaluations` without success, the best
// a so far, which may be 0. If `fresh`, the value and gradient at s.
//
// mode: 0 looks for an interval, 1 makes it smaller, 2 has ended, 3 goes back to the best point.
fn wolfe_search(f, s, d, f0, g0, fresh, c1, c2, evaluations: int) {
  let slope0 = inner(g0, d)
  let begin = {
    mode = 0, n = 0, a = if fresh then 0.0 else 1.0, loss = f0, g = g0
    low = 0.0, low_f = f0, low_slope = slope0, high = 0.0, high_f = f0
  }
  let end = loop t = begin while t.mode != 2 => {
    let (value, g) = value_and_grad(f)(s + t.a * d)
    let slope = inner(g, d)
    let searching = t.mode == 0
    let n = t.n + 1
    let falls = value <= f0 + c1 * t.a * slope0 and (value < t.low_f or t.n == 0)
    let done = fresh or t.mode == 3 or (falls and abs(slope) <= -c2 * slope0)
    // Where the interval is from here on: between the best point and `high`.
    let turned = if searching then slope >= 0 else slope * (t.high - t.low) >= 0
    let high = if not falls then t.a else if turned then t.low else t.high
    let high_f = if not falls then value else if turned then t.low_f else t.high_f
    let low = if falls then t.a else t.low
    let low_f = if falls then value else t.low_f
    let low_slope = if falls then slope else t.low_slope
    let closed = not searching or not falls or turned
    // The minimum of the parabola through both ends with the slope at the best one.
    let width = high - low
    let bend = high_f - low_f - low_slope * width
    let part = if bend > 0 then -0.5 * low_slope * width / bend else 0.5
    let inside = low + max(0.1, min(0.9, part)) * width
    let tired = n >= evaluations
    {
      mode = if done then 2 else if tired then 3 else if closed then 1 else 0
      n = n
      a = if done then t.a else if tired then low else if closed then inside else 4 * t.a
      loss = value, g = g
      low = low, low_f = low_f, low_slope = low_slope, high = high, high_f = high_f
    }
  }
  {a = end.a, loss = end.loss, g = end.g}
}

// ---- For networks ------------------------------------------------------------------------------------------------------

// A schedule with the factor 1 in every step. A schedule gives the factor of the rate in step t =
// 0, 1, … of a stage.
// Value: function t => 1.
// Example: sgd(0.1, schedule = constant_rate())
fn constant_rate() = t => 1.0

// A schedule that rises to 1 in `warmup` steps, and falls as half a cosine to `last` at step
// `steps`.
// - steps: number of steps
// - warmup: number of steps
// - last: number, the last factor
// Value: function of the step t.
// Source: Loshchilov & Hutter (2017)
// Example: adamw(0.01, schedule = cosine_rate(1000, warmup = 50))
fn cosine_rate(steps, warmup = 0, last = 0.0) = t => {
  let part = min(max((t - warmup) / max(steps - warmup, 1), 0), 1)
  if t < warmup then (t + 1) / max(warmup, 1) else last + (1 - last) * 0.5 * (1 + cos(pi * part))
}

// A schedule that is multiplied by `factor` after each `every` steps.
// - every: number of steps
// - factor: number
// Value: function of the step t.
// Example: sgd(0.1, schedule = step_rate(100))
fn step_rate(every, factor = 0.1) = t => pow(factor, floor(t / every))

// A schedule that rises as (t + 1)/warmup to 1, and then falls as √(warmup/(t + 1)).
// - warmup: number of steps
// Value: function of the step t.
// Source: Vaswani et al. (2017), eq. 3, without its constant factor
// Example: adamw(0.01, schedule = root_rate(50))
fn root_rate(warmup) = t => min((t + 1) / max(warmup, 1), sqrt(max(warmup, 1) / (t + 1)))

// g, or a gradient in the same direction with the length `most` if g is longer. It works for all
// finite g.
// - g: gradient: number, field, or tuple or record of them
// - most: number, the largest length
// Value: like g.
// Source: Pascanu, Mikolov & Bengio (2013)
// Example: clip_gradient(g, 1)
fn clip_gradient(g, most) {
  let square = inner(g, g)
  let (first, second) = if finite(square) then (1.0, min(1, most / max(sqrt(square), 1e-300))) else far_factors(g, most)
  second * (first * g)
}

// The two factors of `clip_gradient` where squares are beyond the range of numbers (in f32 from 2e19 on): g is divided by the sum of its
// sizes first.
fn far_factors(g, most) {
  let size = 1e-10 * inner(extent(g), 0 * extent(g) + 1)
  let near = 1 / size * g
  (1 / size, min(size, most / sqrt(inner(near, near))))
}

// f(s), and the gradient of f at s, clipped as by `clip_gradient`.
// - f: function of s with a number as its value
// - s: number, field, or tuple or record of them
// - most: number, the largest length; 0 does not clip
// Value: tuple (f(s), gradient).
// Source: Pascanu, Mikolov & Bengio (2013)
// Example: clipped_gradient(f, s0, 1)[1]
fn clipped_gradient(f, s, most) {
  let (loss, g) = value_and_grad(f)(s)
  (loss, if most > 0 then clip_gradient(g, most) else g)
}

// Gradient descent with momentum: v′ = momentum · v + g, and s − rate · v′.
// - rate: number
// - momentum: number, below 1
// - nesterov: bool; if true, the step is s − rate (g + momentum · v′)
// - schedule: function of the step t whose value multiplies the rate
// - clip: number, the largest length of the gradient; 0 does not clip
// Value: optimizer.
// Source: Polyak (1964); Sutskever et al. (2013)
// Example: sgd(0.1, momentum = 0.8)
fn sgd(rate, momentum = 0.9, nesterov = false, schedule = constant_rate(), clip = 0) = {
  start = s => {v = 0 * s, t = 0.0}
  step = (f, s, state, fresh) => {
    let (loss, g) = clipped_gradient(f, s, clip)
    let old = kept(state, fresh)
    let v = momentum * old.v + g
    let along = if nesterov then g + momentum * v else v
    (s - rate * schedule(old.t) * along, {v = v, t = old.t + 1}, loss)
  }
}

// Adam, and s is reduced by rate · decay · s in each step.
// - rate: number
// - beta1, beta2: numbers, the decay of the means of g and of |g|²
// - epsilon: number, added to the root of the mean of |g|²
// - decay: number
// - schedule: function of the step t whose value multiplies the rate
// - clip: number, the largest length of the gradient; 0 does not clip
// Value: optimizer.
// Source: Loshchilov & Hutter (2019)
// Example: adamw(0.01, clip = 1)
fn adamw(rate = 0.001, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, decay = 0.01, schedule = constant_rate(),
         clip = 0) = {
           start = s => no_moments(s)
           step = (f, s, state, fresh) => {
             let (loss, g) = clipped_gradient(f, s, clip)
             let old = kept(state, fresh)
             let now = moments(g, old, beta1, beta2)
             let along = now.mean / (now.root + epsilon) + decay * s
             (s - rate * schedule(old.t) * along, now.state, loss)
           }
         }

// Adam with decay, where the step of each field has the length `rate` times the length of the
// field.
// - rate: number
// - beta1, beta2: numbers, the decay of the means of g and of |g|²
// - epsilon: number, added to the root of the mean of |g|²
// - decay: number
// - schedule: function of the step t whose value multiplies the rate
// - clip: number, the largest length of the gradient; 0 does not clip
// Value: optimizer.
// Source: You et al. (2020)
// Example: lamb(0.01)
fn lamb(rate = 0.001, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-6, decay = 0.01, schedule = constant_rate(),
        clip = 0) = {
          start = s => no_moments(s)
          step = (f, s, state, fresh) => {
            let (loss, g) = clipped_gradient(f, s, clip)
            let old = kept(state, fresh)
            let now = moments(g, old, beta1, beta2)
            let along = now.mean / (now.root + epsilon) + decay * s
            (s - rate * schedule(old.t) * (trust(s, along) * along), now.state, loss)
          }
        }

// |s|/|along| of each field, and 1 where one of them is 0. For your own optimizers like LAMB.
// - s, along: fields, or tuples or records of fields and numbers
// Value: a number for each field.
// Source: You et al. (2020)
// Example: trust(s0, g)
fn trust(s, along) {
  let a = sqrt(sum(squares(s)))
  let b = sqrt(sum(squares(along)))
  let isThere = sign(a * b)
  isThere * (a / max(b, 1e-300)) + (1 - isThere)
}

// An optimizer whose result is the running mean of the unknowns of another optimizer. A new
// function begins at the mean.
// - method: optimizer
// - decay: number below 1; the newest unknown has the share 1 − decay in the mean
// Value: optimizer.
// Example: averaged(adam(0.01), decay = 0.99)
fn averaged(method, decay = 0.999) = {
  start = s => {s = s, inner = method.start(s)}
  step = (f, s, state, fresh) => {
    let (next, inner, loss) = method.step(f, if fresh then s else state.s, state.inner, fresh)
    (decay * s + (1 - decay) * next, {s = next, inner = inner}, loss)
  }
}

// ---- Samples -----------------------------------------------------------------------------------------------------------

// The number of the sample at place i, if a run repeats n samples in another order each time. For
// a fixed ⌊i/n⌋, it is a permutation of 0 … n − 1.
//
// It is a Feistel network of six rounds on pairs of numbers, repeated until the number is below n.
// It needs no table, and any place can be computed first.
// - i: int, the place, at least 0
// - n: int, the number of samples, at most 2^31
// - seed: int or u64
// Value: int.
// Source: Black & Rogaway (2002)
// Example: shuffled(17, 10, 1)
fn shuffled(i, n, seed) {
  let prime = 2147483647
  let key = mod(48271 * int(1.0 * mod(seed, prime)) + 69621 * mod(div(i, n), prime) + 1, prime)
  let side = int(sqrt(n - 1)) + 1
  let place = mod(i, n)
  let first = feistel(div(place, side), mod(place, side), key, side)
  let (l, r) = loop (l, r) = first while side * l + r >= n => feistel(l, r, key, side)
  side * l + r
}

// Six rounds; all products are below 2^63.
fn feistel(l, r, key, side) =
  loop (l, r) = (l, r) for j in 0 .. 6 => {
    let a = mod(69069 * (r + 1) + 362437 * (j + 1) + key, 2147483647)
    let b = mod(a * a + 48271 * a + key, 2147483647)
    let sum = l + div(mod(b * b + a, 2147483647) * side, 2147483648)
    (r, if sum >= side then sum - side else sum)
  }

// ---- least squares in every voxel ----

// The p with the least cost Σ (model(p, a) − data)² over the samples, for every voxel separately,
// by Levenberg's method with Marquardt's scaling.
//
// The samples a are the elements of `at`; the other dims of the data are voxels. A voxel moves
// only if its cost falls. Then its damping is divided by 10; otherwise, it is multiplied by 10. A
// parameter that the samples do not depend on keeps its start value.
// - model: function (p, a) => real number in the unit of the data; it is called in a map, and
//   differentiated there
// - data: real field over voxels and samples
// - start: tuple of up to 16 real numbers or fields over the voxels, in any units; a 0 has its unit,
//   too: (1.0, 0 / (1 s))
// - at: what the model knows of a sample: a field over the samples, or a tuple or record of such
//   fields over the same dims
// - iterations: int
// - damping: number, the first damping
// Value: record `{p, cost}`: a tuple of fields over the voxels, and the cost.
// Source: Marquardt (1963)
// Cost: the model and its derivatives once for each element of the data and each iteration, and a
//   system of equations for each voxel.
// Example: dim echo = 4
//   let time = map i in [echo] => 0.01 * (1 + index(i, echo))
//   let decay = map q in [x, echo] => exp(-20 * time)
//   least_squares((p, t) => p[0] * exp(-p[1] * t), decay, (1.0, 15.0), time).p
fn least_squares(model, data, start, at, iterations: int = 20, damping = 0.001) {
  let samples = dims(elementwise(a => 1.0, at))
  let voxels = sum(data / unit_of(data), over = samples)
  let p0 = for u in start => elementwise(v => v[1] + 0 * v[0] * unit_of(v[1]), (voxels, u))
  fn cost_of(p) = sum((map q in data => (model(p, at) - data)^2), over = samples)
  let fit = loop s = {p = p0, cost = cost_of(p0), strength = damping + 0 * voxels} for i in 0 .. iterations => {
    let p = s.p
    let (value, slopes) = map q in data => value_and_grad(model)(p, at)
    let residual = value - data
    let g = for s in slopes => sum(s * residual, over = samples)
    let A = for s in slopes => for t in slopes => sum(s * t, over = samples)
    let next = elementwise(v => marquardt_step(v.p, v.g, v.A, v.strength), {p = p, g = g, A = A, strength = s.strength})
    elementwise(v => {
      let is_lower = v.lower < v.cost
      {p = for i in 0 .. rows(v.p) => if is_lower then v.next[i] else v.p[i]
       cost = min(v.cost, v.lower)
       strength = if is_lower then max(0.1 * v.strength, 1e-10) else min(10 * v.strength, 1e10)}
    }, {p = p, cost = s.cost, strength = s.strength, next = next, lower = cost_of(next)})
  }
  {p = fit.p, cost = fit.cost}
}

// The p of the next iteration: (S + strength) D (p - next) = D^-1 g with A = D S D, S of ones on its diagonal.
fn marquardt_step(p, g, A, strength) {
  let size = for i in 0 .. rows(p) => if A[i][i] > 0 * A[i][i] then sqrt(A[i][i]) else unit_of(sqrt(A[i][i]))
  let S = for i in 0 .. rows(p) => for j in 0 .. rows(p) =>
    A[i][j] / (size[i] * size[j]) + (if i == j then strength else 0.0)
  let y = solution_of(S, for i in 0 .. rows(p) => g[i] / size[i])
  for i in 0 .. rows(p) => p[i] - y[i] / size[i]
}
