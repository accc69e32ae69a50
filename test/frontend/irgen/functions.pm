// RUN: %pmc --emit=pm %s | FileCheck %s
// Functions become func.func, one for each kind of arguments.
param a = 1.0
param b = 2.0
param n: int = 3
param box: length = 8 Mpc/h
dim x = 8, y = 8 over box
input data: field[x]
let offset = 3 * a

// Never called, or only in maps: not there.
// CHECK-NOT: @unused
fn unused(u) = u
fn square(u) = u * u
fn shifted(u) = u + offset + data
fn mean_of[D](u: field[D], by = 2) = mean(u) / by
fn twice(f, u) = f(f(u))
fn defaults(u, v = 2 u, w = v) = u + v + w

// CHECK: func.func private @square(%[[U:.*]]: f64) -> f64
// CHECK: func.func private @square_1(%{{.*}}: !pm.field<[x=8], f32>) -> !pm.field<[x=8], f32>
// CHECK: func.func private @square_2(%{{.*}}: i64) -> i64
// CHECK: func.func private @square_3(%{{.*}}: f64) -> f64
// CHECK-NOT: @square_4
// Lets and inputs are handed in.
// CHECK: func.func private @shifted(%{{.*}}: !pm.field<[x=8], f32>, %{{.*}}: f64, %{{.*}}: !pm.field<[x=8], f32>)
// Constants make another function.
// CHECK: func.func private @mean_of(
// CHECK: func.func private @mean_of_1(
// CHECK: func.func private @mean_of_2(%{{.*}}: !pm.field<[x=8, y=8], f32>)
// Functions as arguments: what they captured.
// CHECK: func.func private @twice(%{{.*}}: f64) -> f64
// CHECK: func.func private @defaults
// CHECK: func.func @main()
// CHECK: call @square(
// CHECK: call @square(
print "{} {}", square(a), square(b)
// CHECK: call @square_1(
output sq = square(white_noise[x](1))
// CHECK: call @square_2(
print "{}", square(n)
// CHECK: call @square_3(
print "{}", number(square(box), 1 (Mpc/h)^2)
// CHECK: call @shifted(
output sh = shifted(data)
// CHECK: call @mean_of(
// CHECK: call @mean_of_1(
// CHECK: call @mean_of_2(
print "{} {} {}", mean_of(data), mean_of(data, by = 4), mean_of(white_noise[x, y](2))
// CHECK: call @twice(
print "{}", twice(u => u + b, a)
// CHECK: call @defaults(
print "{}", defaults(a)
// Known when compiling: no call.
// CHECK-NOT: call @square
// CHECK: arith.constant 9.000000e+00
print "{}", square(3)
// In a map, calls are expanded.
// CHECK: pm.map
// CHECK-NOT: call
// CHECK: pm.output "in_map"
output in_map = map q in [x] => square(number(q[x], 1 Mpc/h))
