// Fields that are stored in reduced precision, and what reads them.
param seed: u64 = 4
dim x = 12, y = 10
dim c = 4, d = 6, s = 4, t = 8, u = 8, i = 3, j = 3
mesh ranks(row = 1)
layout x -> row, t -> row
input given: field[x, y]

let f = white_noise[x, y](seed)
let b = stored(f, "bf16")
let h = stored(3 f, "f16")
output f
output b
output h
output edges16 = stored(given, "f16")
output edges_brain = stored(given, "bf16")
output moved = shift(b, x = 1)
output total = sum(b^2)
output largest = max(h)
output spectrum = fft(b)
output line = b[y = 3]
output rows = sum(h, over = x)

// Straight through.
fn loss(f) = sum(stored(f^2, "bf16")^2)
output slope = grad(loss)(f)
output tangent = jvp(loss)(f, tangent = h)[1]

// What a convolution reads, and its derivatives read again.
let seen = white_noise[s, c, t, u](1)
let weights = 0.2 white_noise[d, c, i, j](2)
let more = 0.2 white_noise[c, d, i, j](3)
fn conv(f, w) = sum(f[t = t + i - 1, u = u + j - 1, edge = "zero"] * w, over = (c, i, j))
fn back(f, w) = sum(f[t = t + i - 1, u = u + j - 1, edge = "zero"] * w, over = (d, i, j))
fn net(w, v) = sum(tanh(back(tanh(stored(conv(seen, w), "bf16")), v))^2)
output seen
output weights
output more
output value = net(weights, more)
output by_weights = grad(net, wrt = w)(weights, more)
output by_more = grad(net, wrt = v)(weights, more)

// Through a loop, on a batch of fields.
let many = white_noise[s, x, y](5)
let turned = loop u = many for k in 0 .. 3 => stored(u[y + 1] + u[x - 1, edge = "zero"], "bf16") * 1.5
output many
output turned

// Numbers in reduced precision that convolutions and contractions read as they are, of this rank's cells and of others'.
let thin = stored(seen, "bf16")
let taps = stored(weights, "f16")
fn mixed(w) = sum(stored(conv(thin, stored(w, "f16")), "bf16") * stored(seen, "f16"), over = (s, u))
output convolved = conv(thin, taps)
output convolved_taps = conv(seen, taps)
output contracted = mixed(weights)
fn size(w) = sum(mixed(w)^2)
output slope_mixed = grad(size)(weights)
