// RUN: %pmc check --json %s | count 0
// RUN: %pmc --emit=pm %s | FileCheck %s
// Functions that no call reaches, and that are right for some arguments. They
// leave no trace in the program.
// CHECK: module @right attributes {pm.lengths = {x = "Mpc/h", y = "Mpc/h", z = "Mpc/h"}} {
// CHECK-NEXT: pm.param "count"
// CHECK-NEXT: pm.dim "x"
// CHECK-COUNT-2: pm.dim "{{[yz]}}"
// CHECK-NEXT: %cst
// CHECK-NEXT: pm.yield
// CHECK-NEXT: }
// CHECK-NEXT: func.func @main() {
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: }
use fields, nbody, optim
dim x = 16, y = 16, z = 16 over 100 Mpc/h
param count: int = 3
const mode = "fast"
fn by_kind(a, kind) = if kind == "square" then a^2 else if kind == "sum" then total(a) else error("unknown kind")
fn vector_or_number(a) = if count > 2 then norm2(a) else 0 * norm2(a)
fn constant_power(a: length, n: int) = a^n
fn component_at(v, n: int) = v[n]
fn unrolled(n: int) = total(for i in 0 .. n => i^2)
fn any_unit(a, b) = a * b + b / a
fn root(r: f64) = sqrt(r) + 1 Mpc/h
fn zero_start(f) = loop s = 0 for i in 0 .. 8 => s + f
fn typed(f: field[D], g: field[D]) = f + g
fn two_dims[a, b](f: field[a, b], g: field[b, a]) = sum(f) + sum(g)
fn differences(f, d) = (f[d + 1] - f[d - 1]) / (2 spacing(d))
fn shifted(f, d, n: int) = f[d = 2 * coarsen(d, 2) + n, edge = "zero"]
fn refined(f) = refine(f, 2)
fn waves(f) = ifft(map k in fft(f) => exp(-norm2(k) * (1 Mpc/h)^2) * k[x])
fn histogram(f, n) = bins q in f into n by n * f => (1, f)
fn stacks(f) = loop s = f for i in z => s + f[z = i] stacking mean(s)
fn applied(f, g) = g(f(1), a => f(a))
fn pair(f) { let (a, b) = f; {first = a, second = b, both = (a, b)} }
fn members(r) = r.first + r.second with {first = 1}
fn cells_of(f) = f with {[x = 0] = 1, [y = 3] += 2}
fn gradients(f) = grad(a => sum(a^2))(f)
fn particles(disp, start) = paint(disp, weight = start) - 1
fn steps(f) = if cells(x) > 4 then smooth(f, 1 Mpc/h) else f
fn refuses(a) = error("use by_kind instead")
fn refuses_some(kind) = if kind == "x" then 1 else error("the kind is x")
fn asks(kind) = refuses_some(kind)
fn counted(n: int) { fn g(a: int) = a; g(loop s = 0 for i in 0 .. n => s + i) }
fn averaged(n: f64) { fn g(a: f64) -> f64 = a; g(loop s = 1 for i in 0 .. 3 => s + n) }
fn nested(a) = sqrt(if a > 0 then loop s = 0 for i in 0 .. 9 => s + 0.5 * a else 1)
fn weighted(a, n) = (loop s = 0 for i in 0 .. n => s + a) * 1 km + 3 s
fn cut(f) = f[x = piece(x, 4) + 1]
fn calls_itself_through(f, n: int) = if n == 0 then 0 else f(f, n - 1)
fn twice(n: int) = calls_itself_through(calls_itself_through, n)
fn shown(a) { print "{} {:.2f}", a, 2 a; assert a > 0, "a is {}", a; a }
fn local(a) { fn inner(b) = b + a; let c = d => inner(d); c(1) }
fn text(name: string) = name == "x" or name == mode
fn condition(a, b) = if a and not b then a else b
fn bools(f: field[D]) = sum(map q in f => if f > 0.5 then 1 else 0)
fn complex_parts(k: complex field[D]) = real(k)^2 + imag(k)^2 + abs(k)
fn in_declared_units(a: f64 km/s = 0, b: length = 3 Mpc/h) = a / b
