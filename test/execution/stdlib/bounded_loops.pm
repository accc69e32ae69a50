// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet
// RUN: %t --out %t.out --quiet --mesh row=2,col=2 && %t --out %t.out --quiet --mesh row=3,col=1
// `while c at most n` stops where `while c` does, or after n iterations, and has both derivatives.

mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
dim x = 8, y = 6 over 1

fn steps(u, most, n: int) =
  loop (u, count) = (u, 0) while max(u) > most at most n => (0.5 * u + 0.1 * u[x + 1]^2, count + 1)
fn free(u, most) = loop (u, count) = (u, 0) while max(u) > most => (0.5 * u + 0.1 * u[x + 1]^2, count + 1)
let f = 0.5 * sin(white_noise[x, y](1)) + 0.5
let (a, m) = steps(f, 0.05, 100)
let (b, k) = free(f, 0.05)
assert m == k and m > 2 and max(abs(a - b)) == 0, "{} and {} iterations", m, k
assert steps(f, 0.05, 2)[1] == 2 and steps(f, 0.05, 0)[1] == 0 and steps(f, 10, 5)[1] == 0
let root = loop x = 1.0 while abs(x^2 - 2) > 1e-14 at most 30 => x - (x^2 - 2) / (2 x)
assert abs(root - sqrt(2)) < 1e-15

fn cost(u, most) = sum(steps(u * most, 0.05, 40)[0]^2)
let v = white_noise[x, y](2)
let (by_u, by_most) = grad(cost, wrt = (u, most))(f, 1.1)
let h = 1e-6
let difference = (cost(f + h * v, 1.1 + h) - cost(f - h * v, 1.1 - h)) / (2 * h)
assert abs((inner(by_u, v) + by_most) / difference - 1) < 1e-7, "{} and {}", inner(by_u, v) + by_most, difference
let along = jvp(cost)(f, 1.1, tangent = v)[1]
assert abs(along / inner(by_u, v) - 1) < 1e-12
let revolved = grad(cost, schedule = "revolve", snapshots = 3)(f, 1.1)
assert max(abs(revolved - by_u)) < 1e-14
