// RUN: %pmc --emit=pm %s | FileCheck %s --implicit-check-not='@{{[a-z]+_[0-9]}}'
// Sema finds the types of maps, particles, gradients and stacks before the body of a loop becomes IR. Each function is
// compiled for these types alone: a second function of the same name would have a number behind it.
dim x = 16 over 100 km
dim t = 4
mesh ranks(row = 1)
layout x -> row

// Positions and lengths decide on the unit of an initial 0.
fn moved(g) = 2 * g
let a = loop g = zeros[x] for i in 0 .. 4 => moved(g) + (map q in g => length(x) - q[x] * index(q, x) / cells(x))
// CHECK: func.func private @moved(%{{.*}}: !pm.field<[x=16], f32>)

// Bools.
fn chosen(z, m) = if sum(m) > 0 then z else 2 * z
let (b, m) = loop (z, m) = (0, a > 0 km) for i in 0 .. 3 =>
  (chosen(z, m) + sum(map q in a => if m and index(q, x) > 1 then a else 0 km), map q in a => a > i * 1 km)

// What is painted and read.
fn painted(g, h) = g + h
let c = loop g = zeros[x] for i in 0 .. 2 => painted(g, paint(0.1 * a, weight = a) + readout(a, 0.1 * a))

// Gradients have the unit of the value, divided by that of the argument.
fn energy(g) = sum(g^2) / 1 km
fn descended(g, n) = g * (1 + n)
let (d, n) = loop (g, n) = (zeros[x], 0) for i in 0 .. 2 => {
  let (value, slope) = value_and_grad(energy)(a)
  (descended(g, n) + slope, n + value / 1 km)
}

// What is stacked: the body is compiled once.
fn kept(f, i) = {whole = map q in f => f + i * 1 km, sum = sum(f)}
let e = (loop f = a for i in t => 2 * f stacking kept(f, i))[1]
print "{} {} {}", b, n, sum(e.sum)
output c
output d
output whole = e.whole
