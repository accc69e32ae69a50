// What test/bench/stencil measures: sweeps that make the next field of the last one, of order one.
const n = 256
const what in ("sweep", "gradient") = "sweep"
param rounds: int = 20
dim x = n, y = n, z = n over 1
const s = 1 / 12
fn laplacian(f) = map q in f => s * (total(for d in (x, y, z) => f[d + 1] + f[d - 1]) - 6 f)
fn energy(f) = 0.5 sum(laplacian(f)^2)
let end = loop f = white_noise[x, y, z](1) for i in 0 .. rounds =>
  if what == "sweep" then laplacian(f) else grad(energy)(f)
print "{}", mean(end^2)
