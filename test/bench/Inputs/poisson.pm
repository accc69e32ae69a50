// What test/bench/multigrid measures: solutions of the Poisson equation, each of the one before, and how residuals fall.
use fields, multigrid
const n = 128
const what in ("cycle", "fft", "history") = "cycle"
const laplacian in ("fd2", "fd4") = "fd2"
const shape in ("V", "W") = "V"
param rounds: int = 1
dim x = n, y = n, z = n over 1
let f = white_noise[x, y, z](1)
let p = poisson_problem(laplacian)
fn defect(u) = sqrt(mean((f - mean(f) - laplacian_difference(u, laplacian))^2))
fn history() {
  let u = loop u = 0 * f for i in 0 .. rounds => {
    print "{:.17e}", defect(u)
    improved(p, u, f - mean(f), 1, shape = shape)
  }
  defect(u)
}
fn solutions() {
  let s = {sweeps = 2, visits = if shape == "V" then 1 else 2}
  let u = loop u = f for i in 0 .. rounds =>
    if what == "fft" then -6 * n^2 * inverse_laplacian(u, "fd2") else -6 * n^2 * cycle(p, u, s, halvings(u))
  mean(u^2)
}
print "{:.17e}", if what == "history" then history() else solutions()
