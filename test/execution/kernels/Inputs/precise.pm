// What f32 loses, computed in f64: element by element, through transforms, loops, functions and derivatives.
const n = 16
dim x = n, y = n over 1
mesh m(row = 1, col = 1)
layout x -> row, y -> col
input f: field[x, y]
param scale = 1.0

fn square(a, b) = (a + b)^2
fn loss(g) = sum(precise {
  let large = 1e6 + g
  (large - 1e6)^2
})
fn captured(s) = (s + f) - s
output outside = captured(1e6)
output inside = precise { captured(1e6) }
output rough = (1e6 + f) - 1e6
output plain = precise { (1e6 + f) - 1e6 }
let large = precise {
  let modes = fft(1e6 + f)
  ifft(map k in modes => modes * (1 + 1e-9 * norm2(k))) - 1e6
}
output spectrum = large
output moved = precise {
  let big = 1e6 + f
  map q in [x, y] => big[x + 1] - big
}
output chaos = precise { loop s = 0.5 + 0.4 * tanh(f) for i in 0 .. 30 => 3.9 * s * (1 - s) }
output called = precise { square(f, 1e7) - 1e14 - 2e7 * f }
let record = precise { {a = (1e6 + f) - 1e6 + 1, b = 2 * (1e6 + f) - 2e6} }
output parts (a, b) = (record.a, record.b)
output modes = precise { fft(1e6 + f + 0i) }
output summed = precise { sum((1e6 + f) - 1e6, over = y) }
output scaled = precise { 1e-20 * (1e20 * scale * f) }

let gradient = grad(loss)(f)
output gradient
let d = white_noise[x, y](3)
let (value, along) = jvp(loss)(f, tangent = d)
let step = 1e-4
let central = (loss(f + step * d) - loss(f - step * d)) / (2 step)
assert abs(value - sum(f^2)) < 1e-6 * value, "{} is not {}", value, sum(f^2)
assert abs(inner(gradient, d) - along) < 1e-6 * sqrt(inner(gradient, gradient) * inner(d, d)), "{} {}",
       inner(gradient, d), along
assert abs(central - along) < 1e-3 * sqrt(inner(gradient, gradient) * inner(d, d)), "{} {}", central, along
print "difference within 1e-6"
