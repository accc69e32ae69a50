// RUN: %pmc %s --precision=f64 -o %t && %t --out %t.out --quiet
// The line search where its conditions differ: along the cubic -u + 1.87 u^2 - 0.88 u^3 the first step, 1, ends where it is
// flat (slope 0.1) and hardly lower (-0.01). The minimum is at (3.74 - sqrt(3.74^2 - 4 * 2.64)) / 5.28.

use optim

dim x = 2
const c1 = 0.3

fn valley(u) = sum(-u + 1.87 u^2 - 0.88 u^3) / 2
let start = zeros[x]
let (f0, g0) = value_and_grad(valley)(start)
let d = 1 + zeros[x]
let slope0 = sum(g0 * d)
let lowest = (3.74 - sqrt(3.74^2 - 4 * 2.64)) / 5.28
fn search(c2) = wolfe_search(valley, start, d, f0, g0, false, c1, c2, 20)

let loose = search(0.4)
assert loose.a > 0 and loose.loss <= f0 + c1 * loose.a * slope0, "f({}) = {} is not low enough", loose.a, loose.loss
assert abs(sum(loose.g * d)) <= 0.4 * abs(slope0), "slope {} at {}", sum(loose.g * d), loose.a

let tight = search(1e-3)
assert abs(sum(tight.g * d)) <= 1e-3 * abs(slope0), "slope {} at {}", sum(tight.g * d), tight.a
assert abs(tight.a - lowest) < 1e-3, "{}, the minimum is at {}", tight.a, lowest
