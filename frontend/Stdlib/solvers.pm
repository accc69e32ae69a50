// Iterative methods for linear systems, eigenvalues, fixed points and convex problems.
//
// An unknown is a number, a field, or a tuple of fields of one type. Fields may be complex. An
// operator is a function from unknowns to unknowns. The inner product is `inner`: Re Σ a* b. A
// proximal operator of g is a function (v, t) => u, where u minimizes g(u) + |u − v|²/(2t).
//
// A solver makes at most `iterations` iterations. A tolerance of 0 is never reached. All solvers
// are differentiable: `cg`, `fixed_point` and `implicit` have the derivatives of the solution;
// those of the others pass back through the iterations that ran. Unknowns have any unit and size:
// squares are computed after multiplication by a power of two.
//
// If the iterations end before a tolerance above 0 is reached, the program prints a warning with
// the line of the call, the residual or change that was reached, and the tolerance. The result is
// that of the last iteration. In a `map` there are no warnings.
//
// Setup: use math
//   dim x = 32
//   let b = white_noise[x](1)
//   fn A(u) = 3 * u - u[x + 1] - u[x - 1]
//   fn slope(u) = A(u) - b
//   fn prox(v, t) = soft_threshold(v, 0.1 t)
//
// Internal: range_root twice_times in_range held_adjoint solution_from found found_adjoint found_tangent
//   solved solved_adjoint solved_tangent solved_again zero_of stopped stopped_adjoint stopped_tangent
//   resolvent_again resolvent resolvent_adjoint resolvent_tangent warn_of_derivative warn_of_change
//   rounding_of of_length_1 reciprocal is_above product_of relative_change inner_square ratio_of_roots going ball_factor norm2_of

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

// The solution x of A x = b, by conjugate gradients until |b − A x| ≤ tolerance |b|.
//
// The derivative is that of the solution, dx = A⁻¹ (db − dA x), for which A is solved once more.
// Derivatives of any order are supported. A residual that is not finite, or an operator that is not
// positive definite, ends the program with an error. If the iterations end before the tolerance is
// reached, the program prints a warning, and the result is that of the last iteration. With the
// tolerance 0, all iterations run, without a warning; `conjugate_gradients` also gives the residual.
// - A: operator, self-adjoint and positive definite
// - b: unknown
// - tolerance: number
// - iterations: int, the largest number of iterations
// Value: like b, in the unit of b over that of A.
// Cost: one evaluation of A and two inner products in an iteration.
// Source: Hestenes & Stiefel (1952)
// Example: cg(A, b)
fn cg(A, b, tolerance = 1e-6, iterations: int = 100) =
  solution_from(A, b, conjugate_gradients(A, b, zero_of(A, b), tolerance, iterations).x, tolerance, iterations)

// x, with the derivatives of the solution of A x = b.
fn solution_from(A, b, x, tolerance, iterations: int) {
  let at = found(A, b, x, tolerance, iterations)
  solved(A, at, b - A(at), tolerance, iterations)
}

// x, with the derivative 0. Second derivatives treat the x of the first derivative as the solution.
@adjoint(found_adjoint)
@tangent(found_tangent, solution_from)
fn found(A, b, x, tolerance, iterations: int) = x
fn found_adjoint(A, b, x, tolerance, iterations: int, w) = (0, 0, 0, 0, 0)
fn found_tangent(A, b, x, tolerance, iterations: int, d) = 0

// x + A^-1 r for r = 0, which is x. In a second derivative, x already has the derivatives of the solution.
@adjoint(solved_adjoint)
@tangent(solved_tangent, solved_again)
fn solved(A, x, r, tolerance, iterations: int) = x
fn solved_adjoint(A, x, r, tolerance, iterations: int, w) = (0, w, cg(A, w, tolerance, iterations), 0, 0)
fn solved_tangent(A, x, r, tolerance, iterations: int, d) = d[1] + cg(A, d[2], tolerance, iterations)
fn solved_again(A, x, r, tolerance, iterations: int) = x

// x, treated as a constant by derivatives.
// - x: unknown
// Value: x.
// Example: grad(u => inner(held(u), u))(b)
@adjoint(held_adjoint)
@tangent(held_adjoint, held)
fn held(x) = x
fn held_adjoint(x, w) = 0

// 0 in the unit of A^-1 b.
fn zero_of(A, b) = unit_of(b) / unit_of(A(b)) * (0 * b)

// The solution x of A x = b from a given start, by conjugate gradients until |b − A x| ≤ tolerance
// |b|. The derivative is that of the iterations, in both modes.
//
// A residual that is not finite, or an operator that is not positive definite, ends the program
// with an error.
// - A: operator, self-adjoint and positive definite
// - b: unknown
// - start: unknown in the unit of x
// - tolerance: number
// - iterations: int, the largest number of iterations
// - warns: bool; false: no warning if the iterations end before the tolerance is reached
// Value: record `{x, residual, count}`: the solution, |b − A x|, and the number of iterations that
//   ran.
// Cost: one evaluation of A and two inner products in an iteration.
// Source: Hestenes & Stiefel (1952); Shewchuk (1994), B2
// Example: conjugate_gradients(A, b, 0 * b).count
fn conjugate_gradients(A, b, start, tolerance = 1e-6, iterations: int = 100, warns = true) {
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
  warn if warns and tolerance > 0 and rr > enough,
       "conjugate gradients: the residual |b - A x| is {:.2g} |b| after {:.0f} iterations, above the tolerance {:.2g}; allow more iterations, or set tolerance = 0 to run all of them without this warning",
       sqrt(rr / inner(c, c)), count, tolerance
  {x = twice_times(1 / scale, x), residual = twice_times(1 / scale, sqrt(rr)), count = count}
}

// ---- fixed points ----

// The x with x = f(x), by iterations of a contraction f until |f(x) − x| ≤ tolerance |x|. The
// derivative is that of the solution, as for `implicit`.
// - f: function from unknowns to unknowns, a contraction
// - start: unknown
// - tolerance: number
// - iterations: int, the largest number of iterations
// Value: like start.
// Example: fixed_point(u => 0.5 cos(u), b)
fn fixed_point(f, start, tolerance = 1e-8, iterations: int = 200) {
  let (x, change) = loop (x, change) = (start, 1.0 + tolerance) while change > tolerance at most iterations => {
    let next = f(x)
    (next, relative_change(next - x, next))
  }
  warn if tolerance > 0 and change > max(tolerance, rounding_of(x)),
       "fixed_point: the relative change of x is {:.2g} after {} iterations, above the tolerance {:.2g}; allow more iterations, or begin nearer to the solution",
       change, iterations, tolerance
  implicit(x, f, tolerance, iterations)
}

// x, with the derivative of the solution of x = f(x) with respect to everything f depends on: dx =
// (1 − f′)⁻¹ df. Another method has found x.
//
// The inverse is computed by iterations l ← w + f′ᵀ l. For the result x of FISTA or POGM, use f =
// x => proximal(x − step · gradient(x), step).
// - x: unknown that solves x = f(x)
// - f: function from unknowns to unknowns, a contraction
// - tolerance: number, for the iterations of the derivative
// - iterations: int, the largest number of these
// Value: x.
// Source: Blondel et al. (2022)
// Example: implicit(cg(A, b), u => u - 0.2 * slope(u))
fn implicit(x, f, tolerance = 1e-8, iterations: int = 200) {
  let at = stopped(x, f, tolerance, iterations)
  resolvent(f, at, f(at) - at, tolerance, iterations)
}

// x, with the derivative 0. Second derivatives treat the x of the first derivative as the solution.
@adjoint(stopped_adjoint)
@tangent(stopped_tangent, implicit)
fn stopped(x, f, tolerance, iterations: int) = x
fn stopped_adjoint(x, f, tolerance, iterations: int, w) = (0, 0, 0, 0)
fn stopped_tangent(x, f, tolerance, iterations: int, d) = 0

// x + (1 - f'(x))^-1 r for r = 0, which is x. In a second derivative, x already has the derivatives of the solution.
@adjoint(resolvent_adjoint)
@tangent(resolvent_tangent, resolvent_again)
fn resolvent(f, x, r, tolerance, iterations: int) = x
fn resolvent_again(f, x, r, tolerance, iterations: int) = x
fn resolvent_adjoint(f, x, r, tolerance, iterations, w) {
  let (l, change) = loop (l, change) = (w, 1.0 + tolerance) for i in 0 .. iterations =>
    if change > tolerance then {
      let next = w + vjp(f)(x, cotangent = l)[1]
      (next, relative_change(next - l, next))
    } else (l, change)
  warn_of_derivative(change, tolerance, iterations, l)
  (0, w, l, 0, 0)
}

// Likewise by l <- dr + f' l.
fn resolvent_tangent(f, x, r, tolerance, iterations, d) {
  let (l, change) = loop (l, change) = (d[2], 1.0 + tolerance) for i in 0 .. iterations =>
    if change > tolerance then {
      let next = d[2] + jvp(f)(x, tangent = l)[1]
      (next, relative_change(next - l, next))
    } else (l, change)
  warn_of_derivative(change, tolerance, iterations, l)
  d[1] + l
}

fn warn_of_derivative(change, tolerance, iterations: int, l) {
  warn if tolerance > 0 and change > max(tolerance, rounding_of(l)),
       "implicit: the relative change of the derivative is {:.2g} after {} iterations, above the tolerance {:.2g}; allow more iterations",
       change, iterations, tolerance
}

fn warn_of_change(name: string, change, tolerance, count, x) {
  warn if tolerance > 0 and change > max(tolerance, rounding_of(x)),
       "{}: the relative change of x is {:.2g} after {:.0f} iterations, above the tolerance {:.2g}; allow more iterations, or set tolerance = 0 to run all of them without this warning",
       name, change, count, tolerance
}

// The relative change that rounding alone can cause. In f32, x times 1 + 1e-9 is x.
fn rounding_of(x) {
  let moved = (1 + 1e-9) * in_range(x) - in_range(x)
  if inner(moved, moved) > 0 then 1e-14 else 1e-6
}

// The largest eigenvalue of an operator and its eigenvector, by the power method. The eigenvalue
// is a Rayleigh quotient: never too large, and its error is proportional to the square of the
// error of the vector.
// - A: operator, self-adjoint and A ≥ 0
// - start: unknown
// - iterations: int
// Value: record `{value, vector}`; the vector has the length 1. Both are 0 if A or the start is 0.
// Source: Golub & Van Loan (2013), section 8.2
// Example: power_iteration(A, b).value
fn power_iteration(A, start, iterations: int = 30) {
  let v = loop v = of_length_1(in_range(start)) for i in 0 .. iterations => of_length_1(in_range(A(v)))
  {value = inner(v, A(v)), vector = v}
}

// v/|v|, or 0 where v is 0.
fn of_length_1(v) = reciprocal(sqrt(inner(v, v))) * v

// 1/x of a number from 0 on, and 0 of 0.
fn reciprocal(x) = if x > 0 then 1 / x else 0

// ---- convex problems ----

// Minimizes f(x) + g(x) by accelerated proximal gradients with a constant step.
// - gradient: function x => the gradient of f
// - proximal: function (v, t) => the proximal operator of g
// - start: unknown
// - step: number, at most 1/L, where L is the Lipschitz constant of the gradient, the largest
//   eigenvalue of the Hessian of f
// - iterations: int, the largest number of iterations
// - tolerance: number; the iterations end if the relative change of x is at most this
// - restart: bool; if true, the momentum is set to 0 when it points uphill (O'Donoghue & Candès
//   2015, the gradient scheme)
// Value: record `{x, change, count}`: the last relative change of x, and the number of iterations.
// Source: Beck & Teboulle (2009)
// Cost: one gradient and one proximal operator in an iteration.
// Example: fista(slope, prox, 0 * b, 0.2).x
fn fista(gradient, proximal, start, step, iterations: int = 100, tolerance = 0.0, restart = true) =
  fista_in_turns(gradient, (v, t, i) => proximal(v, t), start, step, iterations, tolerance, restart)

// FISTA with another proximal operator in each iteration.
// - gradient: function x => the gradient of f
// - proximal: function (v, t, i) => the proximal operator of iteration i = 0, 1, …
// - start: unknown
// - step: number, at most 1/L
// - iterations: int, the largest number of iterations
// - tolerance: number; the iterations end if the relative change of x is at most this
// - restart: bool; if true, the momentum is set to 0 when it points uphill
// Value: record `{x, change, count}`, as of `fista`.
// Source: Beck & Teboulle (2009)
// Example: fista_in_turns(slope, (v, t, i) => prox(v, t), 0 * b, 0.2).x
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
  warn_of_change("fista", change, tolerance, count, x)
  {x = x, change = change, count = count}
}

// FISTA for an unknown Lipschitz constant. The compiler computes the gradient. Backtracking
// searches for the step: it is multiplied by `shrink` until f is below the parabola through y with
// this curvature, at most 40 times in an iteration.
// - f: function x => number
// - proximal: function (v, t) => the proximal operator of g
// - start: unknown
// - step: number, the first step; it should be too large
// - iterations: int, the largest number of iterations
// - tolerance: number; the iterations end if the relative change of x is at most this
// - restart: bool; if true, the momentum is set to 0 when it points uphill
// - shrink: number between 0 and 1
// Value: record `{x, change, count, step}`, as of `fista`, and the last step.
// Source: Beck & Teboulle (2009), FISTA with backtracking
// Example: fista_search(u => 0.5 inner(u, A(u)) - inner(b, u), prox, 0 * b, 1).x
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
  warn_of_change("fista_search", end.change, tolerance, end.count, end.x)
  {x = end.x, change = end.change, count = end.count, step = end.step}
}

// Whether f at `next` is above value + <slope, d> + |d|^2/(2 step), d = next - y, by more than rounding.
fn is_above(f, next, y, value, slope, step) {
  let d = next - y
  f(next) > value + inner(slope, d) + inner(d, d) / (2 step) + 1e-13 * abs(value)
}

// Minimizes f(x) + g(x) by the proximal optimized gradient method. Its bound is a quarter of the
// bound of FISTA. The last of all iterations differs, so that a fixed number of iterations is
// best.
// - gradient: function x => the gradient of f
// - proximal: function (v, t) => the proximal operator of g
// - start: unknown
// - step: number, at most 1/L
// - iterations: int, the largest number of iterations
// - tolerance: number; the iterations end if the relative change of x is at most this
// - restart: bool; if true, the momentum is set to 0 when it points uphill
// Value: record `{x, change, count}`, as of `fista`.
// Source: Taylor, Hendrickx & Glineur (2017); Kim & Fessler (2018)
// Example: pogm(slope, prox, 0 * b, 0.2, iterations = 30).x
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
  warn_of_change("pogm", end.change, tolerance, end.count, end.x)
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

// Minimizes f(x) + g(x) + h(K x) by the primal-dual method of Condat and Vũ. It converges if 1/tau
// − sigma |K|² ≥ L/2.
// - gradient: function x => the gradient of f, with the Lipschitz constant L
// - proximal: function (v, t) => the proximal operator of g
// - dual_proximal: function (u, sigma) => the proximal operator of the conjugate of h; for h = r
//   |·|₁ it is `into_ball(u, r)`
// - K: linear operator
// - adjoint: function u => Kᵀ u
// - start: unknown
// - tau, sigma: numbers, the steps of x and of the dual unknown
// - iterations: int, the largest number of iterations
// - tolerance: number; the iterations end if the relative change of x is at most this
// Value: record `{x, dual, change, count}`, as of `fista`, and the dual unknown.
// Source: Condat (2013), algorithm 3.1 with ρ = 1; Vũ (2013)
// Example: condat_vu(slope, (v, t) => v, (u, s) => clamp(u, -0.1, 0.1), u => u[x + 1] - u, u => u[x - 1] - u, 0 * b, 0.1, 0.1).x
fn condat_vu(gradient, proximal, dual_proximal, K, adjoint, start, tau, sigma, iterations: int = 100, tolerance = 0.0) {
  let (x, u, change, count) =
    loop (x, u, change, count) = (start, 0 * K(start), 1.0 + tolerance, 0.0) for i in 0 .. iterations =>
      if going(change, tolerance) then {
        let next = proximal(x - tau * (gradient(x) + adjoint(u)), tau)
        let dual = dual_proximal(u + sigma * K(2 * next - x), sigma)
        (next, dual, relative_change(next - x, next), count + 1)
      } else (x, u, change, count)
  warn_of_change("condat_vu", change, tolerance, count, x)
  {x = x, dual = u, change = change, count = count}
}

// Minimizes f(x) + h(K x) by the alternating direction method of multipliers.
// - solve: function (v, x) => the x that minimizes f(x) + rho/2 |K x − v|², from the previous x
// - proximal: function (v, t) => the proximal operator of h
// - K: linear operator
// - start: unknown
// - rho: number, above 0
// - iterations: int, the largest number of iterations
// - tolerance: number; the iterations end if the relative change of x is at most this
// Value: record `{x, change, count}`, as of `fista`.
// Source: Boyd et al. (2011), section 3.1.1, scaled form
// Example: admm((v, u) => cg(w => A(w) + w, b + v), prox, u => u, 0 * b, 1).x
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
  warn_of_change("admm", change, tolerance, count, x)
  {x = x, change = change, count = count}
}

// ---- proximal operators ----

// The proximal operator of t Σ|x|: x (1 − t/|x|), and 0 where |x| ≤ t.
//
// The derivative is 0 where |x| ≤ t. That of a box is `clamp`.
// - x: number or field, real or complex; any unit
// - t: number or field in the unit of x; for t ≤ 0 the value is x
// Value: like x.
// Source: Parikh & Boyd (2014), section 6.5
// Example: soft_threshold(b, 0.5)
fn soft_threshold(x, t) = x - x * ball_factor(x, t, c => abs(c))

// The proximal operator of t Σ|v|, where |v| is the length of a vector at every point: v (1 −
// t/|v|), and 0 where |v| ≤ t.
// - v: vector of numbers or fields, real or complex; any unit
// - t: number or field in the unit of v
// Value: like v.
// Source: Parikh & Boyd (2014), section 6.5
// Example: group_soft_threshold((b, 2 * b), 0.5)
fn group_soft_threshold(v, t) {
  let factor = ball_factor(v, t, u => magnitude(u))
  v - v * factor
}

// The nearest vector with length at most r, at every point, and 0 where r is 0.
// - v: vector of numbers or fields, real or complex; any unit
// - r: number or field in the unit of v
// Value: like v.
// Example: into_ball((b, 2 * b), 0.5)
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

// The length of a vector at every point: √Σ|v_d|².
// - v: vector of numbers or fields, real or complex; any unit
// Value: real number or field in the unit of v.
// Example: magnitude((b, 2 * b))
fn magnitude(v) = sqrt(total(for c in v => norm2_of(c)))
fn norm2_of(c) = real(c * conj(c))
