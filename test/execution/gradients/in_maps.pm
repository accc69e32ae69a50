// RUN: %pmc %s --precision=f64 -o %t && %t --quiet --out %t.out
// RUN: %t --quiet --out %t.out --mesh row=2,col=2 --transport=threads
// RUN: %pmc %s -O0 -D bound=2e-5 -o %t32 && %t32 --quiet --out %t.out
// RUN: %if fakecuda %{ %pmc %s -O0 --precision=f64 --target=cuda --emulate-gpu -o %t.gpu && %t.gpu --quiet --out %t.out %}
// Derivatives that are taken inside of maps, reductions and bins, against their formulas.

param half = 0.5
const bound = 1e-12
dim x = 12, y = 5 over 6 mm
dim t = 4 over 2 s
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
let f = map q in [x, y] => 1.1 + 0.1 * index(q, x) + 0.03 * index(q, y)
let w = map q in [x] => 0.2 + 0.1 * index(q, x)
let near = map q in f => abs(number(q[x], 1 mm) - 2) < 1.2

fn same(name, a, b) {
  let off = max(abs(a - b))
  let size = max(abs(b))
  assert off <= bound * size and size > 0, "{}: off by {} of {}", name, off, size
}

// ---- modes ----
fn wave(a, b) = sin(a * b) + half * a^3
same("grad", map q in f => grad(wave)(f, w), w * cos(f * w) + 3 * half * f^2)
let both = map q in f => grad(wave, wrt = (b, a))(f, w)
same("wrt", both[0], f * cos(f * w))
let (value, slope) = map q in f => value_and_grad(wave, wrt = b)(f, w)
same("value", value, sin(f * w) + half * f^3)
same("value_and_grad", slope, f * cos(f * w))
same("jvp", (map q in f => jvp(wave, wrt = b)(f, w, tangent = 2 f)[1]), 2 f^2 * cos(f * w))
let back = map q in f => vjp(u => (u^2, {a = sin(u)}))(f, cotangent = (w, {a = f}))[1]
same("vjp", back, 2 f * w + f * cos(f))
same("captured", map q in f => grad(u => u^2 * w + half * u)(f), 2 f * w + half)
same("coordinates", map q in f => number(grad(p => p[0]^2 * p[1])((q[x], f))[0], 1 mm),
     2 f * map q in [x] => number(q[x], 1 mm))
same("units", map q in f => number(grad(u => (3 s * u)^2)(f * 1 mm), 1 s^2*mm), 18 * f)
same("complex", imag(map q in f => grad(u => norm2(u)^2 + real(u))(f + 1i * w)), 4 w * (f^2 + w^2))
same("of numbers", (map q in f => f * grad(u => sin(u))(half)), f * cos(half))

// ---- control flow ----
fn power(u, n: int) = loop v = 1.0 for i in 0 .. n => v * u
same("loop", map q in f => grad(power)(f, 5), 5 f^4)
fn root(y) = loop u = 1.0 for i in 0 .. 40 => {
  let (e, d) = value_and_grad(v => v * exp(half * v) - y)(u)
  u - e / d
}
same("Newton", map q in f => root(f * exp(half * f)), f)
same("branch", map q in f => grad(u => if u > 1.7 then u^3 else exp(u))(f),
     map q in f => if f > 1.7 then 3 f^2 else exp(f))
same("side", map q in f => if near then grad(u => log(u))(f) else 1.0, map q in f => if near then 1 / f else 1.0)
fn until(u) = loop v = u while v < 9 at most 20 => v * u
same("while", map q in f => grad(until)(f), map q in f => {
  let (v, n) = loop (v, n) = (f, 1) while v < 9 at most 20 => (v * f, n + 1)
  n * v / f
})
let T = tabulate(u => u^3, from = 0, to = 4, points = 4001)
same("table", map q in f => grad(u => interpolate(T, u)^2)(f), 2 * interpolate(T, f) * derivative(T, f))

// ---- derivatives of derivatives ----
same("second", (map q in f => jvp(grad(power))(f, 5, tangent = w)[1]), 20 w * f^3)
same("third", (map q in f => grad(grad(grad(u => u^5)))(f)), 60 f^2)
fn energy(s) = sum(map q in s => w * grad(power)(s, 4))
same("gradient of a map", grad(energy)(f), 12 w * f^2)
same("Hessian of a map", jvp(grad(energy))(f, tangent = f)[1], 24 w * f^2)
fn weighed(a) = sum(map q in f => grad(u => sin(a * u))(f))
assert abs(grad(weighed)(half) / sum(cos(half * f) - half * f * sin(half * f)) - 1) < bound * 50, "by a param"

// ---- other bodies ----
let (slopes, count) = bins q in f into 3 by int(index(q, x)) / 4 => (grad(u => u^3)(f), 1)
let (expected, count2) = bins q in f into 3 by int(index(q, x)) / 4 => (3 f^2, 1)
same("bins", slopes, expected)
let made =
  paint_at[x, y](for d in (x, y) => map q in f => q[d], weight = map q in f => grad(u => u^4)(f), window = "ngp")
same("weights", made, 4 f^3)
let rolled = loop s = f for i in 0 .. 3 => s - 0.1 * (map q in s => grad(u => 0.5 * u^2)(s))
same("loop over fields", rolled, 0.729 * f)
