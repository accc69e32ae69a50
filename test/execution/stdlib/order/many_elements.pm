// RUN: %pmc %s -o %t && %t --out %t.out --quiet
// RUN: %if mpi && !asan && !tsan %{ mpirun --oversubscribe --allow-run-as-root -n 2 %t --threads=1 --mesh row=2 --out %t.out --quiet < /dev/null %}
// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet
// Places above 2²⁴, and random ints up to 2⁶⁰, are exact in f32 as in f64.

use order, random

dim x = 4, y = 4194318
mesh ranks(row = 1)
layout y -> row
let f = map q in [x, y] => if index(q, x) == 3 and int(index(q, y)) == 4194317 then 1
                           else if int(index(q, y)) == 4194315 and index(q, x) == 3 then -1
                           else 0
let (high, low) = (argmax(f), argmin(f))
assert high[0] == 3 and high[1] == 4194317, "argmax {} {}", high[0], high[1]
assert low[0] == 3 and low[1] == 4194315, "argmin {} {}", low[0], low[1]

dim d = 1000
fn check(n: int) {
  let v = integers[d](n, 3)
  let odd = sum(map q in v => mod(v, 2))
  let eighths = sum(map q in v => if mod(v, 8) == 0 then 1 else 0)
  assert odd > 440 and odd < 560, "integers below {}: {} of 1000 are odd", n, odd
  assert eighths > 80 and eighths < 240, "integers below {}: {} of 1000 are multiples of 8", n, eighths
  assert min(v) >= 0 and max(v) < n and abs(mean(v) / (n - 1) - 0.5) < 0.04, "integers below {}: mean {}", n, mean(v)
  0
}
let checked = for n in (10, 1000000000, 4294967297, 1152921504606846975) => check(n)
let small = integers[d](10, 3)
assert max(small) == 9 and min(small) == 0, "digits {} {}", min(small), max(small)

// Equal weights: a quarter of the choices are multiples of 4.
dim w = 33554432
let picked = choice[d](map q in [w] => 1.0, 5)
let fourths = sum(map q in picked => if mod(picked, 4) == 0 then 1 else 0)
assert fourths > 190 and fourths < 310 and max(picked) > 33000000, "choice: {} of 1000 are multiples of 4", fourths
