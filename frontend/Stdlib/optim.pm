// Optimizers. What is optimized is a number, a field, real or complex, or a tuple or record of them; all are pure numbers. An
// optimizer is a record of two functions,
//
//   start = s => state
//   step  = (f, s, state, fresh) => (s, state, f at the old s, or at the new s as of `lbfgs`)
//
// where fresh means that f is a new function: what the state knows of the old one is forgotten, as if a new fit began at s.

use matrices

// The s that minimizes f, from s0, and f(s), which is evaluated once more because most methods know f only before their last step.
fn minimize(f, s0, method, iterations: int) {
  let (s, state) = loop (s, state) = (s0, method.start(s0)) for i in 0 .. iterations => {
    let (next, after, loss) = method.step(f, s, state, i == 0)
    (next, after)
  }
  (s, f(s))
}

// s - rate g.
fn gradient_descent(rate) = {
  start = s => 0.0
  step = (f, s, state, fresh) => {
    let (loss, g) = value_and_grad(f)(s)
    (s - rate * g, state, loss)
  }
}

// Kingma & Ba (2015): steps of about `rate` in every component.
fn adam(rate = 0.001, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8) = {
  start = s => no_moments(s)
  step = (f, s, state, fresh) => {
    let (loss, g) = value_and_grad(f)(s)
    let now = moments(g, kept(state, fresh), beta1, beta2)
    (s - rate * now.mean / (now.root + epsilon), now.state, loss)
  }
}

// The state, or zeros if it is of another function.
fn kept(state, fresh) = (if fresh then 0.0 else 1.0) * state

// Means of g and of |g|^2 over steps, each over what it would be of ones: {mean, root, state}, where root is the root of the second. The
// state has this root, before the division, in the place of the square, which f32 has not for |g| above 1e19 or below 1e-19. (Complex g above
// 1e19 are not finite here, and end a fit with an error: clip them.)
fn moments(g, state, beta1, beta2) {
  let t = state.t + 1
  let m = beta1 * state.m + (1 - beta1) * g
  let size = abs(g)
  let largest = max(max(state.v, size), 1e-30)
  let v = largest * sqrt(beta2 * (state.v / largest)^2 + (1 - beta2) * (size / largest)^2)
  {mean = m / (1 - exp(t * log(beta1))), root = v / sqrt(1 - exp(t * log(beta2))), state = {m = m, v = v, t = t}}
}
fn no_moments(s) = {m = 0 * s, v = abs(0 * s), t = 0.0}

// |g|^2 of every component, real or complex.
fn squares(g) = real(g * conj(g))

// |Re g| + |Im g|, which is in the range of numbers where |g|^2 is not.
fn extent(g) = abs(real(g)) + abs(imag(g))

// L-BFGS with 5 pairs (Nocedal & Wright 2006, algorithm 7.4) and a line search for the strong Wolfe conditions. The first
// iteration with a new function only evaluates it.
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
    let useful = sy > 1e-14 * yy
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

// A schedule gives the factor of a rate in step t = 0, 1, …, counted from the start of a stage.
fn constant_rate() = t => 1.0

// From 0 to 1 in `warmup` steps, then half a cosine down to `last` at step `steps` (Loshchilov & Hutter 2017).
fn cosine_rate(steps, warmup = 0, last = 0.0) = t => {
  let part = min(max((t - warmup) / max(steps - warmup, 1), 0), 1)
  if t < warmup then (t + 1) / max(warmup, 1) else last + (1 - last) * 0.5 * (1 + cos(pi * part))
}

// `factor` times as much after every `every` steps.
fn step_rate(every, factor = 0.1) = t => pow(factor, floor(t / every))

// 1 for `warmup` steps that begin at 1/warmup, then falling as 1/sqrt(t).
fn root_rate(warmup) = t => min((t + 1) / max(warmup, 1), sqrt(max(warmup, 1) / (t + 1)))

// The gradient, or one of the length `most` in its direction if it is longer.
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

// The value and gradient of f at s, clipped if `most` is above 0.
fn clipped_gradient(f, s, most) {
  let (loss, g) = value_and_grad(f)(s)
  (loss, if most > 0 then clip_gradient(g, most) else g)
}

// v' = momentum v + g, s - rate v', or with Nesterov's look ahead s - rate (g + momentum v').
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

// Adam with weights that decay by themselves (Loshchilov & Hutter 2019).
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

// In each field of s, a step as long as a share `rate` of it (You et al. 2020).
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

// Of each field |s| / |along|, 1 where one of them is 0.
fn trust(s, along) {
  let a = sqrt(sum(squares(s)))
  let b = sqrt(sum(squares(along)))
  let isThere = sign(a * b)
  isThere * (a / max(b, 1e-300)) + (1 - isThere)
}

// What is optimized is the mean of the method's own s, in which the newest has the share 1 - decay; that begins with the start. A new
// function begins at the mean.
fn averaged(method, decay = 0.999) = {
  start = s => {s = s, inner = method.start(s)}
  step = (f, s, state, fresh) => {
    let (next, inner, loss) = method.step(f, if fresh then s else state.s, state.inner, fresh)
    (decay * s + (1 - decay) * next, {s = next, inner = inner}, loss)
  }
}

// ---- Samples -----------------------------------------------------------------------------------------------------------

// The sample that comes at place i, if n samples are gone through again and again, each time in another order. A Feistel network on
// pairs from 0 to side - 1, and again until the number is below n (Black & Rogaway 2002): no table, and any place at once.
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

// {p, cost}: the p with the least cost, the sum over the samples of (model(p, a) - data)^2, for each voxel by itself, from
// `start`; Levenberg's method with Marquardt's scaling (Marquardt 1963). The model is called in a map, and differentiated there.
//
//   model    (p, a) -> a real number, in the unit of the data; p is a tuple like `start`, of numbers
//   data     a field over voxels and samples
//   start    a tuple of up to 16 numbers or fields over voxels, in any units
//   at       what the model knows of a sample: a field over samples, or a tuple or record of such fields over the same dims
//   damping  the first one, of which a step that lowers the cost leaves a tenth, and one that does not makes ten times as much
//
// A voxel moves only where its cost becomes lower. Parameters that the data do not depend on stay.
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
