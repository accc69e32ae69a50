// Linear systems, eigenvalues and convex problems.
//
// An unknown is a number, a field, or a tuple of fields of one type; fields may be complex. Operators are functions from
// unknowns to unknowns. Inner products are those of `inner`: Re sum conj(a) b, so that real and complex unknowns need no
// different formulas. A proximal operator of g is (v, t) => the u that minimizes g(u) + |u - v|^2/(2 t).
//
// Every solver has a fixed number of iterations at most and can be differentiated: once it has met its tolerance the
// iterations that are left do nothing, and the gradient goes back through those that ran. A tolerance of 0 is never met.
// `cg`, `fixed_point` and `implicit` have derivatives of their own, those of the solution.
//
// Unknowns have any unit and size: where squares would leave the range of f32, they are those of the unknown times a power of two.

// ---- the range of numbers ----

// The power of two r for which the largest part of r^2 f is about 2 to 8, so that squares of it stay within the range of f32; 1 where f is 0
// or not finite. f is an unknown in any unit. A power of two rounds nothing, and r has the derivative 0.
fn range_root(f) {
  let parts = max({re = abs(real(f)), im = abs(imag(f))})
  let m = sqrt(inner(parts.re, parts.re) + inner(parts.im, parts.im))
  let (r, step) = loop (r, step) = (pow(2.0, -511), pow(2.0, 512)) for i in 0 .. 10 => {
    let more = r * step
    (if finite(m * more * more * pow(2.0, 1021)) then more else r, sqrt(step))
  }
  if m > 0 and finite(m) then r else 1.0
}

// r^2 f, in two steps, as r^2 may be beyond f32.
fn twice_times(r, f) = r * (r * f)

// f times a power of two, with its largest part about 2 to 8 in f's unit.
fn in_range(f) = twice_times(range_root(f), f)

// ---- linear systems ----

// The solution x of A x = b, where A is self-adjoint and positive definite, by conjugate gradients: until
// |b - A x| <= tolerance |b|, and `iterations` at most. What it is differentiated by is the solution and not
// the iterations (implicit function theorem): dx = A^-1 (db - dA x), for which A is solved once more, to the same tolerance.
fn cg(A, b, tolerance = 1e-6, iterations: int = 100) {
  let x = held(conjugate_gradients(A, b, zero_of(A, b), tolerance, iterations).x)
  x + solved(A, b - A(x), tolerance, iterations)
}

// x, as if it depended on nothing.
@adjoint(held_adjoint)
@tangent(held_adjoint)
fn held(x) = x
fn held_adjoint(x, w) = 0

// 0, with the derivative of A^-1 r by r.
@adjoint(solved_adjoint)
@tangent(solved_tangent)
fn solved(A, r, tolerance, iterations: int) = zero_of(A, r)
fn solved_adjoint(A, r, tolerance, iterations, w) =
  (0, conjugate_gradients(A, w, zero_of(A, w), tolerance, iterations).x, 0, 0)

fn solved_tangent(A, r, tolerance, iterations, d) = conjugate_gradients(A, d[1], zero_of(A, r), tolerance, iterations).x

// 0 in the unit of A^-1 b.
fn zero_of(A, b) = unit_of(b) / unit_of(A(b)) * (0 * b)

// The same with a start, and more to tell: {x, residual = |b - A x|, count}, count being the iterations that ran. Hestenes &
// Stiefel (1952); Shewchuk (1994), B2. The derivative is that of the iterations. The program ends with an error where b or the residual is not
// finite. It is b times a power of two that is solved for.
fn conjugate_gradients(A, b, start, tolerance = 1e-6, iterations: int = 100) {
  let scale = range_root(b)
  let (c, s0) = (twice_times(scale, b), twice_times(scale, start))
  let enough = tolerance^2 * inner(c, c)
  let r0 = c - A(s0)
  // Of a residual, a step in the unit of x.
  let one = unit_of(start) / unit_of(b)
  let (x, r, p, rr, count) =
    loop (x, r, p, rr, count) = (s0, r0, one * r0, inner(r0, r0), 0.0) for i in 0 .. iterations =>
      if rr > enough then {
        let q = A(p)
        let curvature = inner(p, q)
        assert finite(curvature), "conjugate gradients: p . A p is not finite in iteration {:.0f}", count + 1
        assert curvature > 0, "conjugate gradients: A is not positive definite: p . A p = {}", curvature
        let a = rr / curvature * unit_of(curvature) / unit_of(rr)
        let r1 = r - a * q
        let rr1 = inner(r1, r1)
        (x + a * p, r1, one * r1 + rr1 / rr * p, rr1, count + 1)
      } else (x, r, p, rr, count)
  assert finite(rr),
         "conjugate gradients: the residual |b - A x| is not finite after {:.0f} iterations: b, the start or A x is not finite",
         count
  {x = twice_times(1 / scale, x), residual = twice_times(1 / scale, sqrt(rr)), count = count}
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

// x, which solves x = f(x), with the derivative of that solution by what f depends on: dx = (1 - f')^-1 df. The
// inverse is applied by iterating l <- w + f'^T l, until that changes l by at most tolerance |l|, `iterations` times at most.
fn implicit(x, f, tolerance = 1e-8, iterations: int = 200) {
  let at = held(x)
  at + resolvent(f, at, f(at) - at, tolerance, iterations)
}

// 0, with the derivative of (1 - f'(x))^-1 r by r.
@adjoint(resolvent_adjoint)
@tangent(resolvent_tangent)
fn resolvent(f, x, r, tolerance, iterations: int) = 0 * r
fn resolvent_adjoint(f, x, r, tolerance, iterations, w) {
  let (l, change) = loop (l, change) = (w, 1.0 + tolerance) for i in 0 .. iterations =>
    if change > tolerance then {
      let next = w + vjp(f)(x, cotangent = l)[1]
      (next, relative_change(next - l, next))
    } else (l, change)
  (0, 0, l, 0, 0)
}

// Likewise by l <- dr + f' l.
fn resolvent_tangent(f, x, r, tolerance, iterations, d) {
  let (l, change) = loop (l, change) = (d[2], 1.0 + tolerance) for i in 0 .. iterations =>
    if change > tolerance then {
      let next = d[2] + jvp(f)(x, tangent = l)[1]
      (next, relative_change(next - l, next))
    } else (l, change)
  l
}

// {value, vector}: the largest eigenvalue of a self-adjoint A >= 0 and its eigenvector of length 1, by `iterations` of the
// power method from `start`. The value is the Rayleigh quotient: never too large, and wrong by the square of the vector's error. Both
// are 0 where A or the start is 0.
fn power_iteration(A, start, iterations: int = 30) {
  let v = loop v = of_length_1(in_range(start)) for i in 0 .. iterations => of_length_1(in_range(A(v)))
  {value = inner(v, A(v)), vector = v}
}

// v/|v|, or 0 where v is 0.
fn of_length_1(v) = reciprocal(sqrt(inner(v, v))) * v

// 1/x of a number from 0 on, and 0 of 0.
fn reciprocal(x) = if x > 0 then 1 / x else 0

// ---- convex problems ----

// Minimizes f(x) + g(x) by accelerated proximal gradients (Beck & Teboulle 2009, FISTA with constant step). gradient(x) is
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
        let uphill = restart and product_of(y - next, moved) > 0
        let t0 = if uphill then 1.0 else t
        let t1 = (1 + sqrt(1 + 4 t0^2)) / 2
        (next, next + (t0 - 1) / t1 * moved, t1, relative_change(moved, next), count + 1)
      } else (x, y, t, change, count)
  {x = x, change = change, count = count}
}

// The same where L is not known: f(x) is a number, whose gradient the compiler computes. From `step` on, which should be too large, it is multiplied with
// `shrink` until f is below the parabola through y with that curvature (Beck & Teboulle 2009, FISTA with backtracking), at most 40 times an
// iteration. Gives {x, change, count, step}.
fn fista_search(f, proximal, start, step, iterations: int = 100, tolerance = 0.0, restart = true, shrink = 0.5) {
  let begin = {x = start, y = start, t = 1.0, step = 0.0 * step + step, change = 1.0 + tolerance, count = 0.0}
  let end = loop s = begin for i in 0 .. iterations =>
    if going(s.change, tolerance) then {
      let (value, slope) = value_and_grad(f)(s.y)
      let (next, size) = loop (next, size) = (proximal(s.y - s.step * slope, s.step), s.step)
        while is_above(f, next, s.y, value, slope, size) at most 40 =>
          (proximal(s.y - shrink * size * slope, shrink * size), shrink * size)
      let moved = next - s.x
      let uphill = restart and product_of(s.y - next, moved) > 0
      let t0 = if uphill then 1.0 else s.t
      let t1 = (1 + sqrt(1 + 4 t0^2)) / 2
      {x = next, y = next + (t0 - 1) / t1 * moved, t = t1, step = size, change = relative_change(moved, next),
       count = s.count + 1}
    } else s
  {x = end.x, change = end.change, count = end.count, step = end.step}
}

// Whether f at `next` is above value + <slope, d> + |d|^2/(2 step), d = next - y, by more than rounding.
fn is_above(f, next, y, value, slope, step) {
  let d = next - y
  f(next) > value + inner(slope, d) + inner(d, d) / (2 step) + 1e-13 * abs(value)
}

// The same by the proximal optimized gradient method, whose bound is a quarter of FISTA's (Taylor, Hendrickx & Glineur 2017; Kim &
// Fessler 2018, where `restart` is from): arguments and result are those of `fista`. The last of all iterations differs, so that a
// fixed number of them does best.
fn pogm(gradient, proximal, start, step, iterations: int = 100, tolerance = 0.0, restart = true) {
  let begin = {x = start, w = start, y = start, z = start, t = 1.0, gamma = 0.0 * step + step, change = 1.0 + tolerance,
               count = 0.0}
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
      let uphill = restart and product_of(whole, y - s.y) > 0
      {x = x, w = w, y = y, z = z, t = if uphill then 1.0 else t, gamma = gamma, change = relative_change(x - s.x, x),
       count = s.count + 1}
    } else s
  {x = end.x, change = end.change, count = end.count}
}

// inner(a, b), or that of a and b times powers of two where it leaves the range of numbers: its sign counts.
fn product_of(a, b) {
  let plain = inner(a, b)
  if finite(plain) and plain != 0 then plain else inner(in_range(a), in_range(b))
}

// |moved|/|x|, and whether that calls for more iterations.
fn relative_change(moved, x) {
  let (step, size) = (inner(moved, moved), inner(x, x))
  let r = if finite(size) and finite(step) and step > 0 then 1.0 else range_root(x)
  if r == 1 then ratio_of_roots(step, size)
  else ratio_of_roots(inner_square(twice_times(r, moved)), inner_square(twice_times(r, x)))
}
fn inner_square(v) = inner(v, v)
fn ratio_of_roots(a, b) = if b > 0 then sqrt(a / b) else 1.0
fn going(change, tolerance) = tolerance == 0 or change > tolerance

// Minimizes f(x) + g(x) + h(K x) by the primal-dual method of Condat (2013, algorithm 3.1 with rho = 1) and Vu (2013).
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

// Minimizes f(x) + h(K x) by alternating directions (Boyd et al. 2011, section 3.1.1, scaled form). solve(v, x) is the x that
// minimizes f(x) + rho/2 |K x - v|^2, for quadratic f the work of `conjugate_gradients` from the x before; proximal(v, t) is
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
// x = 0 too. x and t have one unit; t is a number or a field, and for t <= 0 it is x, with the derivative 0 by t. That of a box is `clamp`.
fn soft_threshold(x, t) = x - x * ball_factor(x, t, c => abs(c))

// The same of a vector's length, for penalties like sum_i sqrt(sum_d |v_d(i)|^2).
fn group_soft_threshold(v, t) {
  let factor = ball_factor(v, t, u => magnitude(u))
  v - v * factor
}

// The nearest vector with length at most r, at every point; 0 where r is 0. v and r have one unit; r is a number or a field.
fn into_ball(v, r) = v * ball_factor(v, r, u => magnitude(u))

// min(1, r/size(v)), and 0 where r <= 0. Of numbers, fields, or elements in a map; sizes are those of v/r, which has no unit and no
// large range. Of a field r, what is below 1e-24 of its sum is 0.
fn ball_factor(v, r, size) {
  let radius = max(r, 0)
  // Of a number itself, of a field the sum.
  let most = inner(radius, int(radius >= 0))
  // In a loop of one turn a constant 0 is a number of its unit.
  let (m, per) = loop (m, per) = (most, 0) for i in 0 .. 1 => (m, if m > 0 then 1 / m else 0)
  let part = max(radius * per, 1e-24)
  (if most > 0 then 1.0 else 0.0) * part / max(size(v * per), part)
}

// sqrt(sum_d |v_d|^2) of a vector of real or complex numbers or fields.
fn magnitude(v) = sqrt(total(for c in v => norm2_of(c)))
fn norm2_of(c) = real(c * conj(c))
