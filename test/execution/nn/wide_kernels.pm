// RUN: %pmc %s --precision=f64 -o %t && %t --quiet --out %t.out && %t --quiet --out %t.out --mesh=ranks=2 --transport=threads
// RUN: %pmc %s --precision=f64 -D how=clamp -o %t && %t --quiet --out %t.out --mesh=ranks=3 --transport=threads
// RUN: %pmc %s --precision=f64 -D how=zero -o %t && %t --quiet --out %t.out

// Gradients by what a convolution of 5^3 taps reads, and by what a window of 7^3 cells does, at edges. Many cells read one: along one dim after the other. Against differences.

use nn
const how in ("reflect", "clamp", "zero") = "reflect"
dim b = 2, c = 2, d = 3, x = 8, y = 9, z = 10
dim i = 7, j = 7, l = 7
mesh ranks(ranks = 1)
layout x -> ranks
let f = white_noise[b, c, x, y, z](1)
let along = white_noise[b, c, x, y, z](5)
let w = conv_start[c, d](2, (x, y, z), size = 5)
fn layer(f) = sum(conv(f, w, c, (x, y, z), size = 5, edge = how)^2)
fn windows(f) {
  let p = f[x = x + i - 5, y = y + j - 2, z = z + l - 3, edge = how]
  sum(mean(p^2, over = (i, j, l))^2)
}
let h = 1e-4
fn difference(loss) = (loss(f + h * along) - loss(f - h * along)) / (2 * h)
assert abs(inner(grad(layer)(f), along) / difference(layer) - 1) < 1e-7
assert abs(inner(grad(windows)(f), along) / difference(windows) - 1) < 1e-7
