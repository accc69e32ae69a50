// RUN: %pmc %s -O0 -o %t --precision=f64 && %python %S/../ranks/on_meshes.py %t %t.out 1e-9 1 2 3
// RUN: %python %S/check_readout.py %t.out/1
// Values of maps between pixels and smooth painting agree with NumPy, and derivatives with differences. On meshes of ranks.

use healpix, fields

dim star = 600, axis = 3
dim coarse = npix(1), pixel = npix(4), fine = npix(6)
mesh ranks(row = 1)
layout star -> row, pixel -> row

// Some directions are near the poles, and some have other lengths. The first vector is 0.
let scatter = for i in 0 .. 3 => white_noise[star](i)
let v = for i in 0 .. 3 => map q in [star] => {
  let s = index(q, star)
  if s == 0 then 0 * scatter[i] else (if s < 50 and i < 2 then 0.01 else 1) * (1 + mod(int(s), 7)) * scatter[i]
}
let (f1, f4, f6) = (white_noise[coarse](5), white_noise[pixel](6), white_noise[fine](7))
output vectors (x, y, z) = (v[0], v[1], v[2])
output f1
output f4
output f6
let in_nest = map q in [pixel] => f4[pixel = nest2ring(4, int(index(q, pixel)))]
output values (one, four, six, nest) =
  (sphere_readout(f1, v), sphere_readout(f4, v), sphere_readout(f6, v), sphere_readout(in_nest, v, order = "nest"))
let (by_place, counts) = sphere_paint[pixel](v, weight = (scatter[1], 1.0), window = "linear")
output painted (by_place, counts) = (by_place, counts)
let there = map q in [star] => scatter[2] > 0
output where = sphere_paint[fine](v, where = there, window = "linear")

// Derivatives with respect to directions and the map.
let noise = for i in 0 .. 3 => white_noise[star](20 + i)
let along = for i in 0 .. 3 => map q in [star] => if index(q, star) < 50 then 0 else noise[i]
let other = white_noise[pixel](30)
fn moved(e) = for i in 0 .. 3 => v[i] + e * along[i]
fn size(e) = sum(sphere_readout(f4 + e * other, moved(e))^2) +
  sum(sphere_paint[pixel](moved(e), weight = 1 + e * scatter[0], window = "linear")^2)
let (_, forward) = jvp(size)(0.0, tangent = 1.0)
let backward = grad(size)(0.0)
let steps = (size(1e-6) - size(-1e-6)) / 2e-6
assert abs(forward - backward) < 1e-9 * abs(backward), "{} forward, {} backward", forward, backward
assert abs(forward - steps) < 1e-4 * abs(forward), "{}, and {} by differences", forward, steps
