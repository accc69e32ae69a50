// Friends of friends: groups of particles that are linked by distances below a length, in a periodic box.
use math

const n: int = 1000                  "particles"
param length: f64 Mpc/h = 1.2 Mpc/h  "linking length"
dim p = n, q = n
dim axis = 3
input position: field[axis, p] in Mpc/h
let side = 20 Mpc/h

let here = for i in 0 .. 3 => slice(position, axis = i)
let there = for x in here => x[p = q]
fn apart(a, b) = a - b - side * round((a - b) / side)
let linked = norm2(for i in 0 .. 3 => apart(here[i], there[i])) < length^2

// Each particle takes the smallest label among its friends, until no label changes.
let first = map i in [p] => index(i, p)
let (label, changes) = loop (label, changes) = (first, 1.0) while changes > 0 => {
  let other = label[p = q]
  let next = min(select(linked, other, n), over = q)
  (next, sum(abs(next - label)))
}
let members = bins i in label into p by label => 1
let size = members[p = map i in label => int(label)]
output label
output members
print "{} groups of at least 10 particles, the largest has {}", count(members >= 10), max(members)
