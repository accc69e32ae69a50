// Positions that agree along x only; one of them far along y. Windows of several widths at the same positions.
dim x = 12, y = 12 over 12
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col

let f = white_noise[x, y](1)
let along = 0.4 * white_noise[x, y](2)
let near = 0.3 * white_noise[x, y](3)
let far = 4 + 3 * white_noise[x, y](4)

fn cost(f, along, near, far) {
  let a = readout(f, (along, near))
  let b = readout(f, (along, far), window = "pcs")
  let c = readout(f, (along, near), window = "pcs")
  let d = readout(f, (along, far))
  sum((a * b + c * d)^2 + sin(a - c) * cos(b + d))
}
output value = cost(f, along, near, far)
output slope (df, dalong, dnear, dfar) = grad(cost, wrt = (f, along, near, far))(f, along, near, far)
