// RUN: %pmc --emit=pm %s | FileCheck %s
// if, loops, unrolled for.
const kernel = "b"
param t: bool = true
param n: int = 3
param box: length = 100 Mpc/h
dim x = 8 over box
let w = white_noise[x](1)

// CHECK: func.func @main
// CHECK-DAG: %[[T:.*]] = pm.param_value "t"
// CHECK-DAG: %[[N:.*]] = pm.param_value "n"
// CHECK-DAG: %[[BOX:.*]] = pm.param_value "box"

// A constant condition leaves one side, and the other one unchecked.
// CHECK-NOT: scf.if
let a = if kernel == "a" then error("not taken") else 1

// CHECK: %{{.*}}:2 = scf.if %[[T]] -> (!pm.field<[x=8], f32>, f64) {
// CHECK: scf.yield %{{.*}}, %{{.*}} : !pm.field<[x=8], f32>, f64
// CHECK: } else {
// CHECK: scf.yield
let b = if t then {f = w, s = 1} else {f = 2 w, s = 2.5}
output bf = b.f

// An int that becomes f64 in the body, a zero that has its unit from there.
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[S:.*]] = %{{.*}}, %{{.*}} = %{{.*}}) -> (f64, f64, i64) {
// CHECK: arith.addf %[[S]], %[[BOX]]
let (c, l, i3) = loop (a, l, i) = (0, 0, 3) for i in 0 .. n => (a + 0.5 * i, l + box, 2 i)
print "{} {} {}", c, number(l, 1 Mpc/h), i3

// Over fields there is progress.
// CHECK: pm.progress begin
// CHECK: scf.for {{.*}} -> (!pm.field<[x=8], f32>, f64)
// CHECK: pm.progress step
// CHECK: scf.yield
// CHECK: pm.progress end
let r = loop s = {f = w, a = 1.0} for i in 0 .. n => { let f = 2 * s.f; s with {f = f, a = s.a + 1} }
output rf = r.f

// CHECK-NOT: pm.progress
// CHECK: scf.while
// CHECK: scf.condition
// CHECK: } do {
let h = loop s = 2.0 while s > 1e-3 => s / 2
print "{}", h
// CHECK: pm.progress begin
// CHECK: scf.while {{.*}} -> (!pm.field<[x=8], f32>, i64)
let hf = loop s = w while sum(s) > 1 => s / 2

// The condition is not looked at again once it did not hold.
// CHECK: scf.for {{.*}} -> (!pm.field<[x=8], f32>, i1)
// CHECK: %[[HOLDS:.*]] = scf.if %{{.*}} -> (i1)
// CHECK: pm.reduce sum
// CHECK: scf.yield %false : i1
// CHECK: scf.if %[[HOLDS]] -> (!pm.field<[x=8], f32>)
// CHECK: scf.yield %{{.*}}, %[[HOLDS]] : !pm.field<[x=8], f32>, i1
let hb = loop s = w while sum(s) > 1 at most 9 => s / 2
output hf

// CHECK: pm.map
// CHECK: scf.for
// CHECK: } -> !pm.field<[x=8], f32>
let inside = map q in w => loop s = 0 for i in 0 .. 3 => s + w
output inside

// CHECK: scf.if %[[T]] {
// CHECK: pm.output "only"
// CHECK: } else {
// CHECK: pm.print "no"
if t { output only = w } else { print "no" }

// CHECK: arith.constant 6.000000e+00 : f64
let v = for i in 0 .. 4 => i
print "{}", total(v)
