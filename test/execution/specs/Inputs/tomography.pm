// Tomography: the image whose projections along 40 directions fit the data, with nothing beyond its edges.
use solvers

dim x = 32, y = 32 over 1
dim angle = 40, offset = 47, place = 64
input data: field[angle, offset]
param smoothness: f64 = 0.01

let reach = 0.75
let at = map q in [angle, offset, place] => {
  let (a, s, t) =
    (pi * index(q, angle) / 40, reach * (index(q, offset) / 23 - 1), reach * ((index(q, place) + 0.5) / 32 - 1))
  (31 / 64 + s * cos(a) - t * sin(a), 31 / 64 + s * sin(a) + t * cos(a))
}
fn projected(f) = 2 * reach / 64 * sum(readout_at(f, at, edge = "zero"), over = place)
fn roughness(f) = sum((f[x + 1] - f)^2 + (f[y + 1] - f)^2)
fn misfit(f) = 0.5 sum((projected(f) - data)^2) + 0.5 * smoothness * roughness(f)
// The misfit is quadratic: its gradient at 0 is -b, and its Hessian is the operator.
let none = zeros[x, y]
output image = cg(f => jvp(grad(misfit))(none, tangent = f)[1], -grad(misfit)(none), tolerance = 1e-6, iterations = 400)
