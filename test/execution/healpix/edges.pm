// RUN: %pmc %s -O0 -o %t && %t --out %t.out --quiet && %pmc %s -O0 --precision=f64 -o %t && %t --out %t.out --quiet
// The poles, directions of any length, and directions near the borders of quarters in f32: a pixel is one of the map and near the direction,
// in both orders. A vector of length 0 has the pixel -1, which maps leave out.

use healpix

const nside = 64
dim turn = 400, many = 5000
let phi = map q in [turn] => 2 * pi * index(q, turn) / 400
let reach = 1.3 * sqrt(4 * pi / npix(nside))

fn check(name, v, ring) {
  let near = map q in ring => {
    let to = pix2vec(nside, ring)
    max(max(abs(to[0] - v[0]), abs(to[1] - v[1])), abs(to[2] - v[2]))
  }
  assert max(near) < reach, "{}: pixels {} to {} are up to {} away", name, min(ring), max(ring), max(near)
}
fn check_theta(name, number) {
  let theta = number + 0 * phi
  let ring = map q in phi => ang2pix(nside, theta, phi)
  let nest = map q in phi => ang2pix(nside, theta, phi, "nest")
  let direction = (sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta))
  check(name, direction, ring)
  check(name, direction, map q in phi => nest2ring(nside, nest))
  ring
}
let south = check_theta("the south pole", pi)
assert min(south) == npix(nside) - 4 and max(south) == npix(nside) - 1, "pixels {} to {} of the south pole", min(south),
       max(south)
let north = check_theta("the north pole", 0.0)
assert min(north) == 0 and max(north) == 3, "pixels {} to {} of the north pole", min(north), max(north)
let close = check_theta("a cap", 0.02)
let border = for i in -4 .. 5 => check_theta("the border of a cap", 0.84106867 + 3e-8 * i)
let other_border = for i in -4 .. 5 => check_theta("the border of the other cap", pi - 0.84106867 + 1.2e-7 * i)

let v = for i in 0 .. 3 => white_noise[many](i)
let u = v / sqrt(norm2(v))
let ring = map q in v[0] => vec2pix(nside, v)
check("vectors", u, ring)
check("vectors", u, map q in v[0] => nest2ring(nside, vec2pix(nside, v, "nest")))
fn check_length(s) {
  let w = s * v
  let differ = sum(map q in v[0] => if vec2pix(nside, w) == ring then 0 else 1)
  assert differ < 3, "{:.0f} pixels of vectors with lengths of {} differ", differ, s
}
check_length(1e20)
check_length(1e-25)
check_length(1e37)
check_length(1e-36)
let none = for i in 0 .. 3 => 0 * v[i]
assert max(map q in none[0] => vec2pix(nside, none)) == -1 and
       min(map q in none[0] => vec2pix(nside, none, "nest")) == -1, "length 0"
assert sum(sphere_paint[pixel](none)) == 0 and sum(sphere_paint[pixel](1e25 * u)) == 5000, "a map"
dim pixel = npix(4)
// What is not finite has the pixel -1: each angle, and each component of a vector.
param zero = 0.0
fn has_none(bad) {
  for order in ("ring", "nest") => {
    assert ang2pix(nside, bad, 1.0, order) == -1, "theta = {}: {}", bad, ang2pix(nside, bad, 1.0, order)
    assert ang2pix(nside, 1.0, bad, order) == -1, "phi = {}: {}", bad, ang2pix(nside, 1.0, bad, order)
    assert ang2pix(nside, bad, bad, order) == -1, "theta = phi = {}", bad
    assert vec2pix(nside, (bad, 1.0, 1.0), order) == -1 and vec2pix(nside, (1.0, bad, 1.0), order) == -1 and
           vec2pix(nside, (1.0, 1.0, bad), order) == -1,
           "a component is {}", bad
    bad
  }
}
let not_finite = (has_none(1 / zero), has_none(-1 / zero), has_none(zero / zero))
print "{}", not_finite[0][0]
