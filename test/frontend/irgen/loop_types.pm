// RUN: %pmc --emit=pm %s | FileCheck %s --implicit-check-not='@{{[a-z]+_[0-9]}}'
// Sema finds the types that a loop carries before its body becomes IR. Each function is compiled for these types alone:
// a second function of the same name would have a number behind it.
dim x = 8 over 4 km
param step: f64 km = 2 km
param count: int = 3
input f: field[x] km

// An int that becomes an f64.
fn whole(s) = 2 * s
let a = loop s = 0 for i in 0 .. 3 => whole(s) + 1.5
// CHECK: func.func private @whole(%{{.*}}: f64)

// Zero, whose unit the body decides.
fn moved(z) = z + step
let b = loop s = 0 for i in 0 .. count => moved(s)
// CHECK: func.func private @moved(%{{.*}}: f64)

// Values that are handed from one to the next.
fn third(p, q, r) = p + q + r
let (c0, c1, c2) = loop (p, q, r) = (0, 0, 0) for i in 0 .. 4 => (q, r, third(p, q, r) + 0.5 km)

// Members of a record, branches, functions, vectors, and names of a block.
fn member(t) = t.v[0] + t.n
let d = loop t = {v = (0, 0), n = 0} for i in 0 .. count => {
  let scale = if i > 1 then 1 km else 2 km
  fn wider(w) = w + scale
  let v = for w in t.v => wider(w)
  t with {v = v, n = member(t)}
}

// A loop in a loop, and a function as an argument.
fn inside(g, s) = loop u = s for j in 0 .. 2 => g(u)
let e = loop s = 0 for i in 0 .. 3 => inside(u => sqrt(u^2 + 1 km^2), s)

// Fields, and sums of them.
fn grown(g, n) = g * (1 + n)
let (g, n) =
  loop (g, n) = (zeros[x], 0) for i in 0 .. 3 => (grown(g, n) + f, n + sum(f) / max(f) + number(inner(g, f), 1 km^2))

// Declared types, and loops without a known end.
fn declared(s: f64 km) = s + 1 km
let h = loop s = 0 while s < 5 km => declared(s)
let k = loop s = 0 while s < 5 km at most 9 => declared(s + step)
print "{} {} {} {} {} {} {}", a, b, c2, d.n, e, n, h + k
output g
