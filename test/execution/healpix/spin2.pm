// RUN: %pmc %s -O0 -o %t --precision=f64 && %python %S/../ranks/on_meshes.py %t %t.out 1e-10 1 2
// RUN: %python %S/check_spin2.py %t.out/1
// RUN: not %pmc %s -D other=1 -o %t 2>&1 | FileCheck %s
// CHECK: error: map2alm_spin2: the maps of Q and U must be over the same pixels
// E and B modes of a field of spin 2, compared with Jacobi polynomials. Also the adjoint, derivatives, and meshes of ranks.

use fields, healpix

const nside = 16
const other = 0
dim pixel = npix(nside)
dim l = 40, m = 40
dim end = 2
mesh ranks(row = 1)
layout l -> row

// Coefficients with m <= l. The imaginary part is 0 where m = 0.
fn coefficients(seed) {
  let (a, b) = (white_noise[l, m](split(seed, "real")), white_noise[l, m](split(seed, "imaginary")))
  map q in a =>
    if index(q, m) > index(q, l) then 0i else if index(q, m) == 0 then a + 0i else a + 1i * b
}
let (e, b) = (coefficients(1), coefficients(2))
let (q, u) = alm2map_spin2[pixel](e, b)
let (noise_q, noise_u) = (white_noise[pixel](3), white_noise[pixel](4))
let (found_e, found_b) = map2alm_spin2[l, m](noise_q, noise_u)
output modes = (real(e), imag(e), real(b), imag(b))
output maps = (q, u)
output noise = (noise_q, noise_u)
output found = (real(found_e), imag(found_e), real(found_b), imag(found_b))

// The two functions are adjoint except for the factor of the area of a pixel. Waves with m > 0 represent those with −m, too.
fn product(a, b) = sum(map q in a => (if index(q, m) == 0 then 1 else 2) * real(conj(a) * b))
let of_maps = 4 * pi / cells(pixel) * (inner(q, noise_q) + inner(u, noise_u))
let seen = map q in e => if index(q, l) < 2 then 0i else e
let seen_b = map q in b => if index(q, l) < 2 then 0i else b
let of_modes = product(seen, found_e) + product(seen_b, found_b)
assert abs(of_maps - of_modes) < 1e-12 * sum(q^2), "adjoint: {} of maps, {} of modes", of_maps, of_modes

fn both(q, u) {
  let (e, b) = map2alm_spin2[l, m](q, u)
  let (q, u) = alm2map_spin2[pixel](abs(e)^2 * e, e - 2 * b)
  (q + 0.1 * q^2, u)
}
let tangent = (white_noise[pixel](5), white_noise[pixel](6))
let (value, along) = jvp(both, wrt = (q, u))(noise_q, noise_u, tangent = tangent)
let (back_q, back_u) = vjp(both, wrt = (q, u))(noise_q, noise_u, cotangent = value)[1]
fn at(t) = inner(both(noise_q + t * tangent[0], noise_u + t * tangent[1]), value)
let epsilon = 1e-5
let (_, ends) = loop w = 0.0 for i in end => { w stacking at((2 * i - 1) * epsilon) }
let difference = (ends[end = 1] - ends[end = 0]) / (2 epsilon)
let (forward, backward) = (inner(along, value), inner(back_q, tangent[0]) + inner(back_u, tangent[1]))
let size = sqrt(inner(along, along) * inner(value, value))
assert abs(forward - backward) < 1e-10 * size, "{} forward, {} backward", forward, backward
assert abs(difference - backward) < 1e-7 * size, "{} by differences, {} backward", difference, backward
assert abs(backward) > 1e-4 * size, "the derivative is small: {} of {}", backward, size
dim coarse = npix(8)
if other == 1 { output wrong = map2alm_spin2[l, m](noise_q, white_noise[coarse](5)) }
