// Kohn and Sham's equations for four electrons in one dim: a harmonic trap, softened Coulomb repulsion, and exchange.
use linalg

dim x = 128, y = 128, state = 128 over 16
let h = length(x) / cells(x)
let r = map q in [x] => q[x] - length(x) / 2
let potential = 0.5 * r^2
let kinetic = map q in [x, y] => {
  let d = index(q, x) - index(q, y)
  if d == 0 then 1 / h^2 else if abs(d) == 1 then -0.5 / h^2 else 0
}
let repulsion = 1 / sqrt((r - r[x = y])^2 + 1)
fn hartree(n) = h * sum(repulsion * n[x = y], over = y)
fn exchange(n) = -pow(3 / pi * n, 1 / 3)
fn levels(n) {
  let v = potential + hartree(n) + exchange(n)
  eigh_over(kinetic + map q in [x, y] => if index(q, x) == index(q, y) then v else 0, x, y)
}
fn next(n) { let orbitals = levels(n).vectors; 2 / h * (orbitals[y = 0]^2 + orbitals[y = 1]^2) }

let start = exp(-r^2) / sqrt(pi) * 4
let (n, change, rounds) = loop (n, change, rounds) = (start, 1.0, 0) while change > 1e-9 at most 300 => {
  let new = next(n)
  (n + 0.3 * (new - n), h * sum(abs(new - n)), rounds + 1)
}
let e = levels(n).values
output density = n
output energies = e
print "{} {} {}", rounds, h * sum(n), slice(e, y = 0)
