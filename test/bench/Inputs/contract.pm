// Products of matrices in a loop, each of a matrix that depends on the one before.
const rows = 512
const terms = 512
const columns = 512
param rounds: int = 10

dim i = rows
dim k = terms
dim j = columns

let b = white_noise[k, j](2)
let last = loop (a, c) = (white_noise[i, k](1), zeros[i, j]) for r in 0 .. rounds => {
  let product = sum(a * b, over = k)
  (a * (1 + 1e-30 * max(product)), product)
}
output product = last[1]
