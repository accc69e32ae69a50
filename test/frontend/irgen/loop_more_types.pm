// RUN: %pmc --emit=pm %s | FileCheck %s --implicit-check-not='@{{[a-z]+_[0-9]}}'
// RUN: pmc-compiled-again %s | FileCheck %s --check-prefix=AGAIN
// AGAIN: {{^}}0 loops are compiled again
// Sema finds the types of transforms, complex numbers, bins, cells, tables, derivatives and optimizations before the
// body of a loop becomes IR: no loop is compiled twice, and no function has an instance for a wrong type.
use optim
dim x = 16, y = 16 over 8 km
dim t = 4
param count: int = 3
input f: field[x, y] km
input history: table

// An initial 0 has the unit of the field that the inverse transform returns.
fn smoothed(g, f) = { let modes = fft(f); g + ifft(map k in modes => exp(-norm2(k) * 1 km^2) * modes) }
let a = loop g = zeros[x, y] for i in 0 .. 3 => smoothed(g, f)
// CHECK: func.func private @smoothed(%{{.*}}: !pm.field<[x=16, y=16], f32>

// Complex numbers, their parts and their size.
fn turned(z) = z * (0.5 + 1i) + abs(z)
let (b, size) = loop (z, size) = (1 + 0i, 0) for i in 0 .. count => (turned(z), size + norm2(z) + arg(z) + imag(z))
let c = loop s = 0 for i in 0 .. 2 => s + inner(fft(f), fft(f))

// Bins, cells, slices, orders, and the mean of some cells.
fn counted(g, q) = g + q
fn binned(h, q) = h + q
let d = loop h = 0 for i in 0 .. 2 => binned(h, (bins q in f into 4 by index(q, x) / 4 => f)[bin = 1])
let e = loop g = zeros[y] for i in 0 .. 4 => counted(g, f[x = i]) + f[x = 1] + slice(f, x = 1 .. 3)
let order = loop n = 0 for i in t => n stacking argsort(f[x = i])
let changed = loop g = zeros[x, y] for i in 0 .. 4 => g with {[x = i] += f[x = i]}
fn gathered(g, q) = g + q
let picked = loop g = zeros[x] for i in 0 .. 4 => gathered(g, f[x = int(map q in x => index(q, x)), y = 0])

// A choice between constants, times a unit, makes a field of real numbers in this unit.
let some = loop g = zeros[x, y] for i in 0 .. 3 => g + (map q in f => if f > 1 km then 1 else -1) * f

// Tables, numbers that may be given, and gradients in both directions.
fn looked(s, v) = s + v
let g = loop s = 0 for i in 0 .. 3 => looked(s, interpolate(tabulate(u => u^2 * 1 km, 0, 1, 32), 0.5))
fn energy(g) = sum(g^2)
let (h, slope) =
  loop (h, slope) = (zeros[x, y], 0) for i in 0 .. 2 =>
    (h + vjp(energy)(f, cotangent = 1.0)[1], slope + jvp(energy)(f, tangent = f)[1])

// The optimized values, and their loss.
fn distance(s) = sum((s - number(f, 1 km))^2)
optimize s from zeros[x, y] minimizing distance(s) with adam(0.1) for 10 iterations history losses
print "{} {} {} {} {}", real(b), size, c, g, slope
output a
output d
output e
output order = order[1]
output changed
output picked
output some
output h
output s
output losses
