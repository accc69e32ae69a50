// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet
// RUN: %pmc %s -o %t --precision=f32 -D tolerance=1e-5 && %t --out %t.out --quiet
// Derivatives, their inverse and smoothing on plane waves, where all are known.

use fields

const tolerance = 1e-12
dim x = 16, y = 12, z = 18 over 100 Mpc/h

let kf = 2 pi / length(x)
let f = map q in [x, y, z] => sin(3 kf * q[x]) + cos(2 kf * q[y] - kf * q[z])

fn off(a, b) = number(max(abs(a - b)), 1 h/Mpc) / 0.2

let g = gradient(f)
let gx = map q in [x, y, z] => 3 kf * cos(3 kf * q[x])
let gy = map q in [x, y, z] => -2 kf * sin(2 kf * q[y] - kf * q[z])
let gz = map q in [x, y, z] => kf * sin(2 kf * q[y] - kf * q[z])
assert off(g[x], gx) < tolerance, "df/dx is off by {}", off(g[x], gx)
assert off(g[y], gy) < tolerance, "df/dy is off by {}", off(g[y], gy)
assert off(g[z], gz) < tolerance, "df/dz is off by {}", off(g[z], gz)

let fd = gradient(f, kernel = "fd4")
let k4 = fd4(3 kf * spacing(x)) / spacing(x)
let fx = map q in [x, y, z] => k4 * cos(3 kf * q[x])
assert off(fd[x], fx) < tolerance, "the finite difference is off by {}", off(fd[x], fx)

let back = inverse_laplacian(divergence(gradient(f)))
assert max(abs(back - f)) < 10 tolerance, "inverse Laplacian of the Laplacian is off by {}", max(abs(back - f))

let R = 5 Mpc/h
let s = smooth(f, R)
let expected = map q in [x, y, z] =>
  exp(-9 kf^2 * R^2 / 2) * sin(3 kf * q[x]) + exp(-5 kf^2 * R^2 / 2) * cos(2 kf * q[y] - kf * q[z])
assert max(abs(s - expected)) < tolerance, "smoothing is off by {}", max(abs(s - expected))

let cos_x = map q in [x, y, z] => cos(kf * q[x])
let phi = inverse_laplacian(cos_x, laplacian = "fd2")
let k2 = (2 sin(0.5 kf * spacing(x)) / spacing(x))^2
assert max(abs(phi * k2 + cos_x)) < tolerance, "the second-order Laplacian is off by {}", max(abs(phi * k2 + cos_x))
