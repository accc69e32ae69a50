// RUN: %pmc --emit=ast %s | FileCheck %s
// CHECK: Optimize s history losses
// CHECK-NEXT: from: Ref start
// CHECK: minimizing: Lambda (s)
// CHECK: with: Call
// CHECK: for r: Tuple
// CHECK: iterations: Number 100
// CHECK: every: Number 20
optimize s from start
  minimizing loss(s, r)
  with adam(rate = 0.1)
  for r in (4, 2), 100 iterations each
  checkpoint every 20
  history losses
// CHECK: Optimize (a, b)
// CHECK: minimizing: Lambda ((optimized))
// CHECK: Let (a, b)
optimize (a, b) from (1, 2) minimizing a^2 + b with m for 2 * n iterations
// CHECK: Optimize w history losses
// CHECK: minimizing: Lambda (w)
// CHECK: for i: Number 2
// CHECK-NEXT: to: Binary +
// CHECK: while: Lambda (w)
// CHECK: every: Number 20
// CHECK: history cells: Number 100
// CHECK: check every: Ref m
// CHECK: check checks: Lambda (w)
optimize w from start
  minimizing loss(w, i) with adam(every = 3)
  for i in 2 .. n + 1 while checks.stale < 5
  checkpoint every 20
  history losses[100]
  every m: checks = error(w)
// CHECK: Optimize (u, v)
// CHECK: while: Lambda ((optimized))
optimize (u, v) from (1, 2) minimizing u^2 + v with m for i in 0 .. 3 while v > 1
// CHECK: Input net: like optional
input net: like start optional  "weights"
// CHECK: Input boxes: field/2 streamed optional "samples"
input boxes: field[s, x] streamed optional  "samples"
// The words are names everywhere else.
// CHECK: Let like
let like = 1
// CHECK: Let optimize
let optimize = 1
// CHECK: Let iterations
let iterations = 3 optimize
// CHECK: Let history
let history = optimize(1)
// CHECK: Fn f adjoint g
@adjoint(g)
fn f(x) = x
// CHECK: Fn f adjoint g tangent h
@tangent(h)
@adjoint(g)
fn f(x) = x
// CHECK: Fn f adjoint g tangent h again f2
@tangent(h, f2)
@adjoint(g)
fn f(x) = x
