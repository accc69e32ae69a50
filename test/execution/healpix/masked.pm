// RUN: %pmc %s -O0 -o %t --precision=f64 && %python %S/../ranks/on_meshes.py %t %t.out 1e-9 1 2
// RUN: %python %S/check_masked.py %t.out/1
// Spectra of a part of the sky: the coupling matrix against 3j symbols, spectra of random skies behind a mask, and derivatives. On meshes of ranks.

use fields, healpix

const nside = 8
dim pixel = npix(nside)
dim l = 12, m = 12
dim k = 12
dim wide = 24, wide_m = 24
dim long = 40, other = 50, mask_l = 30
dim sky = 60
dim end = 2
mesh ranks(row = 1)
layout l -> row

let spectrum_of_mask = map q in [mask_l] => exp(-0.1 * index(q, mask_l)) * (2 + cos(3.0 * index(q, mask_l)))
output spectrum_of_mask
output coupling = mode_coupling[long, other](spectrum_of_mask)

// A cap, and a hole in it, with smooth edges.
let mask = map q in [pixel] => {
  let (x, y, z) = pix2vec(nside, int(index(q, pixel)))
  (0.5 + 0.5 * tanh(4 * (z + 0.3))) * (1 - 0.9 * exp(-6 * ((x - 0.7)^2 + y^2)))
}
let C = map q in [l] => 1 / (1 + index(q, l))
let sum_of_skies = loop s = zeros[l] for i in 0 .. cells(sky) => {
  let (a, b) = (white_noise[l, m](split(5, "real", i)), white_noise[l, m](split(5, "imaginary", i)))
  let alm = map q in a =>
    if index(q, m) == 0 then sqrt(C) * a + 0i
    else if index(q, m) <= index(q, l) then sqrt(0.5 * C) * (a + 1i * b) else 0i
  s + sphere_power[l, m](mask * alm2map[pixel](alm))
}
let M = mode_coupling[l, k](sphere_power[wide, wide_m](mask, iterations = 2))
output skies (measured, C) = (sum_of_skies / cells(sky), C)
output masked = M

// decoupled_power recovers a spectrum that is constant in each bin.
let steps = map q in [k] => 3 + sin(1.0 * div(int(index(q, k)), 3))
let window = map q in [k] => exp(-0.02 * index(q, k)^2)
fn seen(M) = sum(M * (steps * window), over = k)
output bands = decoupled_power(seen(M), M, width = 3, window = window)

fn everything(u, b) {
  let M = mode_coupling[l, k](spectrum_of_mask * exp(u))
  (M, decoupled_power(seen(M)^2, M, width = 3, window = window * b))
}
let direction = white_noise[mask_l](2)
let none = 0 * direction
let (value, along) = jvp(everything, wrt = (u, b))(none, 1.2, tangent = (direction, 0.3))
let (_, back) = vjp(everything, wrt = (u, b))(none, 1.2, cotangent = value)
fn at(t) = inner(everything(t * direction, 1.2 + 0.3 t), value)
let epsilon = 1e-5
let (_, ends) = loop w = 0.0 for i in end => { w stacking at((2 * i - 1) * epsilon) }
let difference = (ends[end = 1] - ends[end = 0]) / (2 epsilon)
let (forward, backward) = (inner(along, value), inner(back, (direction, 0.3)))
let size = sqrt(inner(along, along) * inner(value, value))
assert abs(forward - backward) < 1e-10 * size, "{} forward, {} backward", forward, backward
assert abs(difference - backward) < 1e-7 * size, "{} by differences, {} backward", difference, backward
output back = back[0]
