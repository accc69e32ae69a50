// Three layers, as derivatives keep them.
const kept = false
dim s = 4, c = 1, d = 8, e = 8, g = 8, x = 64, y = 64, z = 16
use nn
let w = {a = conv_start[c, d](1, (x, y, z)), b = conv_start[d, e](2, (x, y, z)), k = conv_start[e, g](3, (x, y, z))}
let f = white_noise[s, c, x, y, z](4)
fn hold(h) = if kept then h else stored(h, "bf16")
fn net(w) {
  let first = hold(leaky_relu(hold(conv(f, w.a, c, (x, y, z)))))
  let second = hold(leaky_relu(hold(conv(first, w.b, d, (x, y, z)))))
  sum(leaky_relu(hold(conv(second, w.k, e, (x, y, z))))^2)
}
output slope = grad(net)(w)
