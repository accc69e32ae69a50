// RUN: %pmc %s -o %t && %t --out %t.out --quiet
// RUN: %t --out %t.out --quiet --case=1 && %t --out %t.out --quiet --case=2
// RUN: not %t --out %t.out --quiet --mesh row=2 2>&1 | FileCheck %s
// CHECK: concentrated.pm:{{[0-9]+:[0-9]+}}: error: rank 0: paint: a cell sums the weights of more than 1048576 particles, the limit in f32 on a mesh that ranks share; compile with --precision=f64
//
// Millions of equal weights in one cell: f32 sums, added one after the other, would lose several percent. Free particles on a large and on a small
// mesh, and a lattice whose particles all move to one cell. Expected: the count times the weight.

mesh gpus(row = 1)
layout x -> row
param case: int = 0
const count = 3000000
dim x = 1300, y = 1300 over 1300
dim u = 20, v = 20 over 20
dim p = count
dim a = 128, b = 128, c = 192 over 128

fn check(name, m, weight) = {
  assert abs(max(m) / weight - 1) < 1e-6, "{}: the largest cell is {}, expected {}", name, max(m), weight
  assert abs(sum(m) / weight - 1) < 1e-6, "{}: the sum is {}, expected {}", name, sum(m), weight
}
if case == 0 {
  check("large mesh", paint_at[x, y]((map q in [p] => 5.0, map q in [p] => 7.0), weight = map q in [p] => 0.3),
        0.3 * count)
}
if case == 1 {
  check("small mesh", paint_at[u, v]((map q in [p] => 5.0, map q in [p] => 7.0), weight = map q in [p] => 0.3),
        0.3 * count)
}
if case == 2 {
  let to_origin = for d in (a, b, c) => map q in [a, b, c] => -q[d]
  check("lattice", paint[a, b, c](to_origin, weight = map q in [a, b, c] => 0.3), 0.3 * 128 * 128 * 192)
}
