// Numerical methods on scalars: quadrature, ordinary differential equations, roots.

// x, but no less than low and no more than high.
fn clamp(x, low, high) = min(max(x, low), high)

// a where c holds, and b elsewhere: of numbers, elements and fields. Both are evaluated everywhere.
fn select(c, a, b) = elementwise(u => if u[0] then u[1] else u[2], (c, a, b))

// The number of cells in which the bool field c holds, along `over`.
fn count(c, over = dims(c)) = sum(c, over)

// Whether the bool field c holds in any cell, and whether in all.
fn any(c) = count(c) > 0
fn all(c) = count(c) == product(for d in dims(c) => cells(d))

// The same number, with derivatives of 0: its mantissa as a whole number, times a power of 2.
fn fixed(x) {
  let size = abs(x)
  let scale = if size > 0 then 2^floor(log(size) / log(2)) else 1
  floor(x / scale * 9007199254740992) / 9007199254740992 * scale
}

// sin(x)/x, 1 at x = 0, of a number or of an element in a map.
fn sinc(x) {
  let safe = if x == 0 then 1 else x
  if x == 0 then 1 else sin(safe) / safe
}

// a - b floor(a/b): between 0 and b, whatever the sign of a.
fn remainder(a, b) = a - b * floor(a / b)

// The product of the components of a vector, of up to 8.
fn product(v) {
  let n = total(for c in v => 1)
  v[0] * (if n > 1 then v[1] else 1) * (if n > 2 then v[2] else 1) * (if n > 3 then v[3] else 1) *
    (if n > 4 then v[4] else 1) * (if n > 5 then v[5] else 1) * (if n > 6 then v[6] else 1) *
    (if n > 7 then v[7] else 1) *
    (if n > 8 then v[-1] else 1)  // an error: 8 components at most
}

// step(... step(step(x, 0), 1) ..., n - 1), for n up to 36 that is known when the spec is compiled, as the number of the step then
// is: unlike in a loop, x may change its type, and what a step does may depend on its number in any way.
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

// The integral of f from a to b: 5-point Gauss-Legendre quadrature on each of `panels` equal intervals, exact for
// polynomials of degree 9. f is a number, a vector or a field.
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

// y(to) for dy/dt = f(t, y), y(from) = y0: the classical Runge-Kutta method of fourth order in `steps` equal steps. y
// is a number, a vector or a field.
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

// The same for smooth f, by Gragg's method of eighth order (Hairer, Norsett & Wanner 1993, II.9): the midpoint rule with 2, 4, 6 and 8 steps in one
// of `steps`, extrapolated to infinitely many. It calls f 21 times a step, and for ten digits a fifth as often as `rk4` or less.
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

// The root of f between low and high, where f changes sign, by bisection to full precision. Newton's method closes it:
// that hardly moves the root, but gives it derivatives with respect to what f depends on. The slope is a difference over
// an interval inside of the given one; what it is wrong by goes down with every step. Where f jumps over 0, or is as flat
// as can be, the steps are too large or not finite, and are left out: there the root has no derivative. Not a number where f
// has one sign at both ends.
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

// The root of f near x0 by Newton's method; df is the derivative of f. Where it does not converge, it is where the last step led.
fn newton(f, df, x0, steps: int = 20) = loop x = x0 for i in 0 .. steps => x - f(x) / df(x)
