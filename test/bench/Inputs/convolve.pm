// A convolution of a batch of volumes in a loop, each of a volume that depends on the one before: alone, or with its gradients in the
// volume and in the weights.
use nn

const channels = 4
const outputs = 16
const cells = 32
const samples = 4
const work in ("forward", "step") = "forward"
param rounds: int = 10

dim b = samples, c = channels, o = outputs
dim x = cells, y = cells, z = cells over 1

let layer = conv_start[c, o](1, (x, y, z))
let pull = white_noise[b, o, x, y, z](2)
fn made(f, w) = correlate(f, w, c, (x, y, z), 3, 1, 1, "zero")
let start = (white_noise[b, c, x, y, z](3), layer.weight, zeros[b, o, x, y, z])
let last = loop (f, w, r) = start for i in 0 .. rounds => {
  if work == "forward" then {
    let next = made(f, w)
    (f * (1 + 1e-30 * max(next)), w, next)
  } else {
    let (next, g) = vjp(made, wrt = (f, w))(f, w, cotangent = pull)
    (f * (1 + 1e-30 * max(next)) + 1e-30 * g[0], w + 1e-30 * g[1], next)
  }
}
output result = last[2]
output weights = last[1]
