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
// CHECK: minimizing: Lambda ((optimised))
// CHECK: Let (a, b)
optimize (a, b) from (1, 2) minimizing a^2 + b with m for 2 * n iterations
// The words are names everywhere else.
// CHECK: Let optimize
let optimize = 1
// CHECK: Let iterations
let iterations = 3 optimize
// CHECK: Let history
let history = optimize (1)
// CHECK: Fn f adjoint g
@adjoint(g)
fn f(x) = x
