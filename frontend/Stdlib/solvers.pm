// Linear systems, eigenvalues and convex problems.
//
// An unknown is a number, a field, or a tuple of fields of one type; fields may be complex. Operators are functions from
// unknowns to unknowns. Inner products are those of `inner`: Re sum conj(a) b, so that real and complex unknowns need no
// different formulas. A proximal operator of g is (v, t) => the u that minimises g(u) + |u - v|^2/(2 t).
//
// Every solver has a fixed number of iterations at most and can be differentiated: once it has met its tolerance the
// iterations that are left do nothing, and the gradient goes back through those that ran. A tolerance of 0 is never met.
// `cg`, `fixed_point` and `implicit` have derivatives of their own, those of the solution.

// ---- linear systems ----

// The solution x of A x = b, where A is self-adjoint and positive definite, by conjugate gradients: until
// |b - A x| <= tolerance |b|, and `iterations` at most. What it is differentiated by, in reverse mode, is the solution and not
// the iterations (implicit function theorem): dx = A^-1 (db - dA x), for which A is solved once more, to the same tolerance.
// For forward mode, and for second derivatives, there is `conjugate_gradients`.
fn cg(A, b, tolerance = 1e-6, iterations: int = 100) {
  let x = held(conjugate_gradients(A, b, 0 * b, tolerance, iterations).x)
  x + solved(A, b - A(x), tolerance, iterations)
}

// x, as if it depended on nothing.
@adjoint(held_adjoint)
fn held(x) = x
fn held_adjoint(x, w) = 0

// 0, with the derivative of A^-1 r by r.
@adjoint(solved_adjoint)
fn solved(A, r, tolerance, iterations: int) = 0 * r
fn solved_adjoint(A, r, tolerance, iterations, w) =
  (0, conjugate_gradients(A, w, 0 * w, tolerance, iterations).x, 0, 0)

// The same with a start, and more to tell: {x, residual = |b - A x|, count}, count being the iterations that ran. Hestenes &
// Stiefel (1952); Shewchuk (1994), B2. The derivative is that of the iterations.
fn conjugate_gradients(A, b, start, tolerance = 1e-6, iterations: int = 100) {
  let enough = tolerance^2 * inner(b, b)
  let r0 = b - A(start)
  let (x, r, p, rr, count) = loop (x, r, p, rr, count) = (start, r0, r0, inner(r0, r0), 0.0) for i in 0 .. iterations =>
    if rr > enough then {
      let q = A(p)
      let curvature = inner(p, q)
      assert curvature > 0, "conjugate gradients: A is not positive definite: p . A p = {}", curvature
      let a = rr / curvature
      let r1 = r - a * q
      let rr1 = inner(r1, r1)
      (x + a * p, r1, r1 + rr1 / rr * p, rr1, count + 1)
    } else (x, r, p, rr, count)
  {x = x, residual = sqrt(rr), count = count}
}

// ---- fixed points ----

// The x with x = f(x), by x <- f(x) from `start` until |f(x) - x| <= tolerance |x|, `iterations` times at most: where f is a
// contraction. It is differentiated as `implicit` says.
fn fixed_point(f, start, tolerance = 1e-8, iterations: int = 200) {
  let (x, change) = loop (x, change) = (start, 1.0 + tolerance) while change > tolerance at most iterations => {
    let next = f(x)
    (next, relative_change(next - x, next))
  }
  implicit(x, f, tolerance, iterations)
}

// x, which solves x = f(x), with the derivative of that solution by what f depends on, in reverse mode: dx = (1 - f')^-1 df. The
// inverse is applied by iterating l <- w + f'^T l, until that changes l by at most tolerance |l|, `iterations` times at most.
fn implicit(x, f, tolerance = 1e-8, iterations: int = 200) {
  let at = held(x)
  at + resolvent(f, at, f(at) - at, tolerance, iterations)
}

// 0, with the derivative of (1 - f'(x))^-1 r by r.
@adjoint(resolvent_adjoint)
fn resolvent(f, x, r, tolerance, iterations: int) = 0 * r
fn resolvent_adjoint(f, x, r, tolerance, iterations, w) {
  let (l, change) = loop (l, change) = (w, 1.0 + tolerance) for i in 0 .. iterations =>
    if change > tolerance then {
      let next = w + vjp(f)(x, cotangent = l)[1]
      (next, relative_change(next - l, next))
    } else (l, change)
  (0, 0, l, 0, 0)
}

// {value, vector}: the largest eigenvalue of a self-adjoint A >= 0 and its eigenvector of length 1, by `iterations` of the
// power method from `start`. The value is the Rayleigh quotient: never too large, and wrong by the square of what the vector is
// wrong by.
fn power_iteration(A, start, iterations: int = 30) {
  let v = loop v = 1 / sqrt(inner(start, start)) * start for i in 0 .. iterations => {
    let w = A(v)
    1 / sqrt(inner(w, w)) * w
  }
  {value = inner(v, A(v)), vector = v}
}

// ---- convex problems ----

// Minimises f(x) + g(x) by accelerated proximal gradients (Beck & Teboulle 2009, FISTA with constant step). gradient(x) is
// that of f, proximal(v, t) that of g, step at most 1/L, where L is the Lipschitz constant of the gradient (the largest
// eigenvalue of its Hessian). With `restart` the momentum is forgotten whenever it points uphill (O'Donoghue & Candes 2015,
// the gradient scheme). Ends where |x - x before| <= tolerance |x|. Gives {x, change, count}, change being the last
// |x - x before|/|x|.
fn fista(gradient, proximal, start, step, iterations: int = 100, tolerance = 0.0, restart = true) =
  fista_in_turns(gradient, (v, t, i) => proximal(v, t), start, step, iterations, tolerance, restart)

// The same with another operator in each iteration i = 0, 1, ...: proximal(v, t, i).
fn fista_in_turns(gradient, proximal, start, step, iterations: int = 100, tolerance = 0.0, restart = true) {
  let (x, y, t, change, count) =
    loop (x, y, t, change, count) = (start, start, 1.0, 1.0 + tolerance, 0.0) for i in 0 .. iterations =>
      if going(change, tolerance) then {
        let next = proximal(y - step * gradient(y), step, i)
        let moved = next - x
        let uphill = restart and inner(y - next, moved) > 0
        let t0 = if uphill then 1.0 else t
        let t1 = (1 + sqrt(1 + 4 t0^2)) / 2
        (next, next + (t0 - 1) / t1 * moved, t1, relative_change(moved, next), count + 1)
      } else (x, y, t, change, count)
  {x = x, change = change, count = count}
}

// The same where L is not known: f(x) is a number, whose gradient is derived. From `step` on, which should be too large, it is multiplied with
// `shrink` until f is below the parabola through y with that curvature (Beck & Teboulle 2009, FISTA with backtracking), at most 40 times an
// iteration. Gives {x, change, count, step}.
fn fista_search(f, proximal, start, step, iterations: int = 100, tolerance = 0.0, restart = true, shrink = 0.5) {
  let begin = {x = start, y = start, t = 1.0, step = 0.0 * step + step, change = 1.0 + tolerance, count = 0.0}
  let end = loop s = begin for i in 0 .. iterations =>
    if going(s.change, tolerance) then {
      let (value, slope) = value_and_grad(f)(s.y)
      let (next, size) = loop (next, size) = (proximal(s.y - s.step * slope, s.step), s.step)
        while is_above(f, next, s.y, value, slope, size) at most 40 => (proximal(s.y - shrink * size * slope, shrink * size), shrink * size)
      let moved = next - s.x
      let uphill = restart and inner(s.y - next, moved) > 0
      let t0 = if uphill then 1.0 else s.t
      let t1 = (1 + sqrt(1 + 4 t0^2)) / 2
      {x = next, y = next + (t0 - 1) / t1 * moved, t = t1, step = size, change = relative_change(moved, next), count = s.count + 1}
    } else s
  {x = end.x, change = end.change, count = end.count, step = end.step}
}

// Whether f at `next` is above value + <slope, d> + |d|^2/(2 step), d = next - y, by more than rounding.
fn is_above(f, next, y, value, slope, step) {
  let d = next - y
  f(next) > value + inner(slope, d) + inner(d, d) / (2 step) + 1e-13 * abs(value)
}

// The same by the proximal optimised gradient method, whose bound is a quarter of FISTA's (Taylor, Hendrickx & Glineur 2017; Kim &
// Fessler 2018, where `restart` is from): arguments and result are those of `fista`. The last of all iterations differs, so that a
// fixed number of them does best.
fn pogm(gradient, proximal, start, step, iterations: int = 100, tolerance = 0.0, restart = true) {
  let begin = {x = start, w = start, y = start, z = start, t = 1.0, gamma = 0.0 * step + step, change = 1.0 + tolerance, count = 0.0}
  let end = loop s = begin for i in 0 .. iterations =>
    if going(s.change, tolerance) then {
      let slope = gradient(s.x)
      let w = s.x - step * slope
      let t = if i == iterations - 1 then (1 + sqrt(1 + 8 * s.t^2)) / 2 else (1 + sqrt(1 + 4 * s.t^2)) / 2
      let (b, c) = ((s.t - 1) / t, s.t / t)
      let gamma = step * (1 + b + c)
      let z = w + b * (w - s.w) + c * (w - s.x) + b * step / s.gamma * (s.z - s.x)
      let x = proximal(z, gamma)
      // The gradient of f and a subgradient of g.
      let whole = slope + 1 / gamma * (z - x)
      let y = s.x - step * whole
      let uphill = restart and inner(whole, y - s.y) > 0
      {x = x, w = w, y = y, z = z, t = if uphill then 1.0 else t, gamma = gamma, change = relative_change(x - s.x, x), count = s.count + 1}
    } else s
  {x = end.x, change = end.change, count = end.count}
}

// |moved|/|x|, and whether that calls for more iterations.
fn relative_change(moved, x) {
  let size = inner(x, x)
  if size > 0 then sqrt(inner(moved, moved) / size) else 1.0
}
fn going(change, tolerance) = tolerance == 0 or change > tolerance

// Minimises f(x) + g(x) + h(K x) by the primal-dual method of Condat (2013, algorithm 3.1 with rho = 1) and Vu (2013).
// gradient(x) is that of f, with Lipschitz constant L; proximal(v, t) that of g; dual_proximal(u, sigma) that of the
// conjugate h*, for h = r |.|_1 the projection `into_ball(u, r)`; adjoint(u) = K^T u. It converges if
// 1/tau - sigma |K|^2 >= L/2. Gives {x, dual, change, count}, as fista does.
fn condat_vu(gradient, proximal, dual_proximal, K, adjoint, start, tau, sigma, iterations: int = 100, tolerance = 0.0) {
  let (x, u, change, count) =
    loop (x, u, change, count) = (start, 0 * K(start), 1.0 + tolerance, 0.0) for i in 0 .. iterations =>
      if going(change, tolerance) then {
        let next = proximal(x - tau * (gradient(x) + adjoint(u)), tau)
        let dual = dual_proximal(u + sigma * K(2 * next - x), sigma)
        (next, dual, relative_change(next - x, next), count + 1)
      } else (x, u, change, count)
  {x = x, dual = u, change = change, count = count}
}

// Minimises f(x) + h(K x) by alternating directions (Boyd et al. 2011, section 3.1.1, scaled form). solve(v, x) is the x that
// minimises f(x) + rho/2 |K x - v|^2, for quadratic f the work of `conjugate_gradients` from the x before; proximal(v, t) is
// that of h. Gives {x, change, count}, as fista does.
fn admm(solve, proximal, K, start, rho, iterations: int = 50, tolerance = 0.0) {
  let k0 = K(start)
  let (x, z, u, change, count) =
    loop (x, z, u, change, count) = (start, k0, 0 * k0, 1.0 + tolerance, 0.0) for i in 0 .. iterations =>
      if going(change, tolerance) then {
        let next = solve(z - u, x)
        let v = K(next) + u
        let split = proximal(v, 1 / rho)
        (next, split, v - split, relative_change(next - x, next), count + 1)
      } else (x, z, u, change, count)
  {x = x, change = change, count = count}
}

// ---- proximal operators ----

// That of t |.|_1 of a real or complex number or field: x (1 - t/|x|), or 0 where |x| <= t. Its derivative is 0 there, at
// x = 0 too. That of a box is `clamp`.
fn soft_threshold(x, t) = x * shrinkage(abs(x), t)

// The same of a vector's length, for penalties like sum_i sqrt(sum_d |v_d(i)|^2).
fn group_soft_threshold(v, t) = v * shrinkage(magnitude(v), t)

fn shrinkage(a, t) = max(a - t, 0) / max(a, 1e-30)

// The nearest vector with length at most r > 0, at every point.
fn into_ball(v, r) = v / max(magnitude(v) / r, 1)

// sqrt(sum_d |v_d|^2) of a vector of real or complex numbers or fields.
fn magnitude(v) = sqrt(total(for c in v => norm2_of(c)))
fn norm2_of(c) = real(c * conj(c))
