use math, matrices
let p = product(for i in 0 .. 9 => 1.0 + i)
let r = repeated(0.0, (x, i) => x + i, 37)
let A = for i in 0 .. 17 => for j in 0 .. 17 => if i == j then 1.0 else 0.0
let s = solve(A, for i in 0 .. 17 => 1.0)
print "{} {} {}", p, r, s[0]
