// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet && %python %S/check_transforms.py %t.out
// Transforms over all dims and over some, of real and complex fields, with even and odd sides, against NumPy's.

dim x = 6, y = 9, z = 8

let f = white_noise[x, y, z](1)
let fk = fft(f)
let fx = fft(f, over = x)
let fyz = fft(f, over = (y, z))
let all_steps = fft(fft(f, over = z), over = (x, y))

output f
output re = real(fk)
output im = imag(fk)
output x_power = norm2(fx)
output yz_power = norm2(fyz)
output steps_power = norm2(all_steps)

fn off(a, b) = max(abs(a - b))

assert off(ifft(fk), f) < 1e-14, "there and back: {}", off(ifft(fk), f)
assert off(ifft(fyz, over = (y, z)), f) < 1e-14, "over y and z: {}", off(ifft(fyz, over = (y, z)), f)
assert abs(sum(norm2(fk)) - mean(f^2)) < 1e-14, "Parseval: {}", sum(norm2(fk)) - mean(f^2)

// If the first dim is halved, the dims behind it are inverted before it.
let x_first = fft(fft(f, over = x), over = (y, z))
assert off(ifft(x_first), f) < 1e-14, "x first: {}", off(ifft(x_first), f)
assert off(ifft(ifft(x_first, over = (y, z)), over = x), f) < 1e-14, "x last: {}",
       off(ifft(ifft(x_first, over = (y, z)), over = x), f)
