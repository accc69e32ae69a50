// RUN: %pmc %s --precision=f64 -o %t && %t --quiet --out %t.out | FileCheck %s
// RUN: %t --quiet --mesh=row=2 --transport=threads --out %t.split | FileCheck %s
// RUN: %t --quiet --mesh=row=4 --transport=threads --out %t.split | FileCheck %s
// A U-Net with channels before the dims of space, as the manual has them: down, up again, and what was there before beside it. Tangents and
// cotangents may have their dims in any order.
use nn, optim

dim s = 4, c1 = 1, c4 = 4, c8 = 8, o = 2
dim x = 16, y = 16 over 1
mesh ranks(row = 1)
layout x -> row

let radius = white_noise[s](7)
let noise = white_noise[s, c1, x, y](9)
let disc = map q in [s, x, y] => if (q[x] - 0.5)^2 + (q[y] - 0.5)^2 < 0.06 + 0.02 * radius then 1 else 0
let image = disc + 0.3 * noise
let truth = map q in [s, o, x, y] => if index(q, o) == 1 then disc else 1 - disc
let start = {down1 = conv_start[c1, c4](1, (x, y)), down2 = conv_start[c4, c8](2, (coarsen(x, 2), coarsen(y, 2))),
             up = conv_start[c8, c4](5, (x, y), size = 2), last = conv_start[c4, o](3, (x, y), size = 1),
             norm = norm_start[c4]()}

fn net(w, f) {
  let a = relu(group_norm(conv(f, w.down1, c1, (x, y)), w.norm, c4, (x, y), 2))
  let b = relu(conv(max_pool(a, (x, y)), w.down2, c4, (coarsen(x, 2), coarsen(y, 2))))
  let u = up_conv[s, c4, x, y](b, w.up, c4, (x, y))
  conv(dropout(a + u, 0.1, 5), w.last, c4, (x, y), size = 1)
}
fn loss(w) = cross_entropy(net(w, image), truth, o)

// A step along the weights of the convolution that makes the field finer.
let step = map q in start.up.weight => cos(1.3 * index(q, c4) + 0.7 * index(q, c8))
fn along(e) =
  loss({down1 = start.down1, down2 = start.down2, up = {weight = start.up.weight + e * step, bias = start.up.bias},
        last = start.last, norm = start.norm})
let slope = sum(grad(loss)(start).up.weight * step)
let difference = (8 * (along(1e-3) - along(-1e-3)) - (along(2e-3) - along(-2e-3))) / 12e-3
print "slope is right: {}", abs(slope - difference) < 1e-8 * abs(slope)
// CHECK: slope is right: 1

optimize w from start minimizing loss(w) with adam(0.05) for 30 iterations history losses
let answers = softmax(net(w, image), o)[o = 1]
print "right in {:.3f} of the cells", mean(map q in [s, x, y] => if (answers > 0.5) == (disc > 0.5) then 1 else 0)
// CHECK: right in {{0.9[5-9]|1.0}}

let a = white_noise[x, y](1)
let b = map q in [y, x] => sin(2 pi * q[x]) + q[y]
let (value, rate) = jvp(f => sum(f^3))(a, tangent = b)
let pulled = vjp(f => f^3)(a, cotangent = b)[1]
print "any order: {} {}", abs(rate - sum(3 * a^2 * b)) < 1e-9 * abs(rate), max(abs(pulled - 3 * a^2 * b)) < 1e-12
// CHECK: any order: 1 1
