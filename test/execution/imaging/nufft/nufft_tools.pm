// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --out %t.out --quiet && %t --out %t.out --quiet --mesh row=2
// The normal operator is both transforms, one after the other. Samples at modes have the weight 1, and weighted samples give the image
// back. A sample of a radial line has the weight |k| dk dtheta. Derivatives by the trajectory are differences.

use nufft

mesh gpus(row = 1)
layout x -> row, s -> row
dim x = 16, y = 14 over 2
dim s = 30, r = 40
dim i = 16, j = 14
param step = 1e-5

let f = white_noise[x, y](1) + 1i * white_noise[x, y](2)
let k = radial[s, r](14)
let w = white_noise[s, r](3)^2
let twice = nufft_adjoint[x, y](w * nufft(f, k, 1e-9), k, 1e-9)
let once = nufft_normal[x, y](k, w, 1e-9)(f)
assert inner(once - twice, once - twice) < 1e-17 * inner(twice, twice), "normal operator"

let whole = (map q in [i, j] => index(q, i) - 8.0, map q in [i, j] => index(q, j) - 7.0)
let ones = density_compensation[x, y](whole)
assert max(abs(ones - 1)) < 3e-3, "weights {} to {}", min(ones), max(ones)
let back = nufft_adjoint[x, y](nufft(f, whole, 1e-9), whole, 1e-9)
assert inner(back - f, back - f) < 1e-17 * inner(f, f), "modes"

let area = density_compensation[x, y](k, 30)
let expected_area = map q in area => abs(index(q, r) - 19.5) * (14 / 40)^2 * pi / 30
let middle = map q in area => if abs(index(q, r) - 19.5) > 4 and abs(index(q, r) - 19.5) < 15 then 1.0 else 0.0
let slope = sum(middle * area * expected_area) / sum(middle * expected_area^2)
assert abs(slope - 1) < 0.01, "radial weights are {} times the area of k-space", slope
assert sum(middle * (area - expected_area)^2) < 0.01 * sum(middle * area^2), "radial weights"

fn misfit(u) = sum(norm2(nufft(f, (u * k[0], k[1]), 1e-9) - nufft(f, (k[1], k[0]), 1e-9)))
let found = grad(misfit)(0.7)
let expected = (misfit(0.7 + step) - misfit(0.7 - step)) / (2 * step)
assert abs(found - expected) < 1e-6 * abs(expected), "by the trajectory: {} and {}", found, expected
