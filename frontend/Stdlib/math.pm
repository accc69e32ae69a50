// Numerical methods in one variable: integrals, ordinary differential equations, roots. Also a few
// elementary functions.
//
// Setup: dim x = 8, y = 8
//   let f = white_noise[x, y](1)
//
// Internal: some_steps

// x, limited to the range from low to high.
// - x: number, element or field
// - low, high: numbers or fields in the unit of x
// Value: like x.
// Example: clamp(f, -1, 1)
fn clamp(x, low, high) = min(max(x, low), high)

// a where c is true, and b elsewhere. Both a and b are evaluated everywhere.
// - c: bool, or bool field
// - a, b: numbers, elements or fields with the same unit
// Value: like a and b.
// Example: select(f > 0, f, 0.5 f)
fn select(c, a, b) = elementwise(u => if u[0] then u[1] else u[2], (c, a, b))

// The number of true elements of a bool field.
// - c: bool field
// - over: dims along which the elements are counted
// Value: a number, or a field over the other dims.
// Cost: one reduction.
// Example: count(f > 1, over = y)
fn count(c, over = dims(c)) = sum(c, over)

// True if a bool field is true in at least one element.
// - c: bool field
// Value: bool.
// Cost: one reduction.
// Example: any(f > 3)
fn any(c) = count(c) > 0

// True if a bool field is true in all elements.
// - c: bool field
// Value: bool.
// Cost: one reduction.
// Example: all(f < 6)
fn all(c) = count(c) == product(for d in dims(c) => cells(d))

// The number x, with derivatives of 0.
// - x: number in f64
// Value: x, to the last bit.
// Example: fixed(0.3)
fn fixed(x) {
  let size = abs(x)
  let scale = if size > 0 then 2^floor(log(size) / log(2)) else 1
  floor(x / scale * 9007199254740992) / 9007199254740992 * scale
}

// sin(x)/x, and 1 at x = 0.
// - x: number, element or field without unit
// Value: like x.
// Example: map q in f => sinc(f)
fn sinc(x) = elementwise(x => {
  // A series near 0, so that derivatives of every order exist there and do not cancel.
  let is_near = abs(x) < 0.5
  let s = (if is_near then x else 0)^2
  let near = 1 - s / 6 * (1 - s / 20 * (1 - s / 42 * (1 - s / 72 * (1 - s / 110 * (1 - s / 156)))))
  let far = if is_near then 1 else x
  if is_near then near else sin(far) / far
}, x)

// a − b ⌊a/b⌋. For b > 0 the value is from 0 to b, whatever the sign of a.
// - a, b: numbers, elements or fields without unit
// Value: like a.
// Example: remainder(-1, 3)
fn remainder(a, b) = a - b * floor(a / b)

// The product of the components of a vector.
// - v: vector of at most 8 numbers, elements or fields
// Value: like a component; its unit is the product of the units.
// Example: product((2, 3, f))
fn product(v) {
  let n = total(for c in v => 1)
  v[0] * (if n > 1 then v[1] else 1) * (if n > 2 then v[2] else 1) * (if n > 3 then v[3] else 1) *
    (if n > 4 then v[4] else 1) * (if n > 5 then v[5] else 1) * (if n > 6 then v[6] else 1) *
    (if n > 7 then v[7] else 1) *
    (if n > 8 then v[-1] else 1)  // an error: 8 components at most
}

// step(… step(step(x, 0), 1) …, n − 1). The compiler unrolls the steps. Therefore x may change its
// type from step to step, and a step may depend on its number in any way.
// - x: the value before the first step, of any type
// - step: function (x, i) => next x; i is an int that is known at compile time
// - n: int from 0 to 36, known at compile time
// Value: the result of the last step, or x if n is 0.
// Cost: the compile time grows with n.
// Example: repeated(f, (u, i) => u + u[x + 2^i], 3)
fn repeated(x, step, n: int) {
  let a = some_steps(x, step, 0, n)
  let b = some_steps(a, step, 9, n)
  let c = some_steps(b, step, 18, n)
  let d = some_steps(c, step, 27, n)
  if n > 36 then error("'repeated' makes 36 steps at most") else d
}

// Those from `first` on that are less than n, of nine.
fn some_steps(x, step, first: int, n: int) {
  let a = if n > first then step(x, first) else x
  let b = if n > first + 1 then step(a, first + 1) else a
  let c = if n > first + 2 then step(b, first + 2) else b
  let d = if n > first + 3 then step(c, first + 3) else c
  let e = if n > first + 4 then step(d, first + 4) else d
  let f = if n > first + 5 then step(e, first + 5) else e
  let g = if n > first + 6 then step(f, first + 6) else f
  let h = if n > first + 7 then step(g, first + 7) else g
  if n > first + 8 then step(h, first + 8) else h
}

// The integral ∫ f dx from `from` to `to`, by Gauss–Legendre quadrature with 5 points on each of
// `panels` equal intervals. It is exact for polynomials of degree 9.
// - f: function of a number; its value is a number, vector or field
// - from, to: numbers, the limits
// - panels: int, the number of intervals
// Value: like the value of f, in its unit times the unit of `from`.
// Cost: 5 calls of f for each panel, in a loop.
// Example: integrate(t => exp(-t), from = 0, to = 1)
fn integrate(f, from, to, panels: int = 64) {
  let h = (to - from) / panels
  let x1 = sqrt(5 - 2 sqrt(10 / 7)) / 3
  let x2 = sqrt(5 + 2 sqrt(10 / 7)) / 3
  let w0 = 128 / 225
  let w1 = (322 + 13 sqrt(70)) / 900
  let w2 = (322 - 13 sqrt(70)) / 900
  loop s = 0 * (h * f(from + 0.5 h)) for i in 0 .. panels => {
    let m = from + (i + 0.5) * h
    let r = 0.5 h
    s + r * (w0 * f(m) + w1 * (f(m - x1 * r) + f(m + x1 * r)) + w2 * (f(m - x2 * r) + f(m + x2 * r)))
  }
}

// y(to) for y′ = f(t, y) and y(from) = y0, by the classical Runge–Kutta method of fourth order
// with `steps` equal steps.
// - f: function (t, y) => dy/dt
// - y0: number, vector or field, the value at `from`
// - from, to: numbers
// - steps: int
// Value: like y0.
// Cost: 4 calls of f for each step.
// Example: rk4((t, y) => -y, 1.0, from = 0, to = 2)
fn rk4(f, y0, from, to, steps: int = 256) {
  let h = (to - from) / steps
  loop y = y0 for i in 0 .. steps => {
    let t = from + i * h
    let k1 = f(t, y)
    let k2 = f(t + h / 2, y + h / 2 * k1)
    let k3 = f(t + h / 2, y + h / 2 * k2)
    let k4 = f(t + h, y + h * k3)
    y + h / 6 * (k1 + 2 k2 + 2 k3 + k4)
  }
}

// y(to) for y′ = f(t, y) and y(from) = y0, for smooth f, by Gragg's method of eighth order. In
// each step, the midpoint rule with 2, 4, 6 and 8 parts is extrapolated.
// - f: function (t, y) => dy/dt
// - y0: number, vector or field, the value at `from`
// - from, to: numbers
// - steps: int
// Value: like y0.
// Cost: 21 calls of f for each step. For ten digits, at most a fifth of the calls of `rk4`.
// Source: Hairer, Nørsett & Wanner (1993), II.9
// Example: gragg((t, y) => -y, 1.0, from = 0, to = 2)
fn gragg(f, y0, from, to, steps: int = 32) {
  let H = (to - from) / steps
  loop y = y0 for i in 0 .. steps => {
    let t = from + i * H
    let begin = f(t, y)
    fn midpoints(n: int) {
      let h = H / n
      let (a, b) = loop (a, b) = (y, y + h * begin) for j in 1 .. n => (b, a + 2 * h * f(t + j * h, b))
      0.5 (a + b + h * f(t + H, b))
    }
    1024 / 315 * midpoints(8) - 729 / 280 * midpoints(6) + 16 / 45 * midpoints(4) - 1 / 360 * midpoints(2)
  }
}

// A root of f between low and high, where f changes sign, by bisection to full precision.
//
// Steps of Newton's method follow. They hardly change the root, but they give it derivatives with
// respect to everything f depends on. If f jumps over 0 or is flat at the root, the root has no
// derivative.
// - f: function of a number
// - low, high: numbers in one unit, the ends of the interval
// Value: number in the unit of low. It is not a number (NaN) if f has the same sign at both ends.
// Cost: about 80 calls of f.
// Example: bisect(t => cos(t) - t, 0, 1)
fn bisect(f, low, high) {
  let rising = f(low) < f(high)
  let between = if rising then f(low) <= 0 and f(high) >= 0 else f(low) >= 0 and f(high) <= 0
  let (a, b) = loop (a, b) = (low, high) for i in 0 .. 64 => {
    let m = (a + b) / 2
    if (f(m) < 0) == rising then (m, b) else (a, m)
  }
  let root = loop x = (a + b) / 2 for i in 0 .. 4 => {
    let margin = min(x - low, high - x)
    let h = 1e-4 * (if margin > 0 then margin else high - low)
    let left = max(x - h, low)
    let right = min(x + h, high)
    let step = f(x) * (right - left) / (f(right) - f(left))
    if abs(step) < 1e-9 * abs(high - low) then x - step else x
  }
  let nothing = root - root
  if between then root else root * (nothing / nothing)
}

// A root of f near x0, by Newton's method. The function does not report that the steps have not
// converged; the value then is the result of the last step.
// - f: function of a number
// - df: function of a number, the derivative of f
// - x0: number, the start
// - steps: int
// Value: number in the unit of x0.
// Cost: one call of f and of df for each step.
// Example: newton(t => t^2 - 2, t => 2 * t, 1.0)
fn newton(f, df, x0, steps: int = 20) = loop x = x0 for i in 0 .. steps => x - f(x) / df(x)
