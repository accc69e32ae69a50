// RUN: %pmc --emit=pm %s | FileCheck %s
// A zero has any unit: wherever two numbers have one unit and one of them is 0, the other one decides, in both orders. `u` gives an
// error if it does not.
param a = 2 Mpc
dim x = 8
let f = map q in [x] => a
fn u(v) = number(v, 1 Mpc)
fn table(from, to) = interpolate(tabulate(v => u(v), from, to, 10), a)
print "{} {}", u(max(0, a)), u(max(a, 0))
print "{} {}", u(min(0, a)), u(min(a, 0))
print "{} {}", u(max(0.0, 3 Mpc)), u(min(-3 Mpc, 0))
print "{} {}", u(0 + a), u(a + 0)
print "{} {}", u(0 - a), u(a - 0)
print "{} {}", u(if a > 0 then 0 else a), u(if 0 > a then a else 0)
print "{} {}", u(loop s = 0.0 for i in 0 .. 3 => s + a), u(loop s = a for i in 0 .. 3 => 0.0 * s)
print "{} {}", atan2(0, a), atan2(a, 0)
print "{} {}", table(0, a), table(-a, 0)
print "{} {}", table(0, 3 Mpc), table(0.0, 3 Mpc)
print "{} {}", u(sum(max(0, f))), u(sum(max(f, 0)))
print "{} {}", u(sum(0 + f)), u(total((0, a)))
print "{} {}", u(total((a, 0))), u(dot((0, a), (1, 1)))
// CHECK: pm.tabulate
