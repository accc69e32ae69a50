// RUN: %pmc %s -o %t --precision=f64 && %t --out %t.out --quiet
// The linear functions of the library that come in pairs, one the transpose of the other: <A x, y> = <x, A* y> for random x and y, of
// which no part is zero; over all dims and over some. The normal operators of encodings are A* W A, for weights other than 0 and 1.

use fields, wavelets, mri, nufft

dim x = 16, y = 24 over 1
dim b = 3, coil = 2
dim s = 5, r = 12

let f = white_noise[b, x, y](1)
fn number(i) = white_noise[b, x, y](i)
fn wave(i) = white_noise[x, y](i) + 1i * white_noise[x, y](i + 1)
fn image(i) = white_noise[coil, x, y](i) + 1i * white_noise[coil, x, y](i + 1)

// Of complex numbers inner(a, b) is the sum of conj(a) b.
fn require_pair(ax, y, x, by, bound = 1e-12) {
  let (left, right) = (inner(ax, y), inner(x, by))
  let off = abs(left - right) / sqrt(abs(inner(ax, ax)) * abs(inner(y, y)))
  assert off < bound, "<A x, y> and <x, A* y> differ by {}", off
  0
}

fn whole(i) = for j in 0 .. 4 => number(i + j)
fn plane(i) = for j in 0 .. 3 => number(i + j)
let a1 = require_pair(starlet(f, 3), whole(10), f, starlet_adjoint(whole(10), 3))
let a2 = require_pair(starlet(f, 2, over = x), plane(10), f, starlet_adjoint(plane(10), 2, over = x))
let a3 = require_pair(wavelet(f, "db4", 2, (x, y)), number(10), f, inverse_wavelet(number(10), "db4", 2, (x, y)))
let a4 = require_pair(wavelet(f, "haar", 3, y, 1), number(10), f, inverse_wavelet(number(10), "haar", 3, y, 1))
let a5 = require_pair(shifted(f, x, 3), number(10), f, shifted(number(10), x, -3))
let two = for d in (x, y) => cells(d) * number(10) + number(20)^2
let a6 = require_pair(differences(f, (x, y)), two, f, differences_adjoint(two, (x, y)))
let a7 = require_pair(differences(f, y), for d in y => number(10), f, differences_adjoint(for d in y => number(10), y))
let u = for i in 0 .. 3 => number(30 + i)
let p = for i in 0 .. 6 => number(40 + i)
let a8 = require_pair(generalised_slopes(u, (x, y)), p, u, generalised_slopes_adjoint(p, (x, y)))
fn modes(i) = centred_fft(wave(i)^2)
let a9 = require_pair(centred_fft(wave(1)), modes(3), wave(1), centred_ifft(modes(3)))

let k = radial[s, r](16)
fn samples(i) = white_noise[s, r](i) + 1i * white_noise[s, r](i + 1)
let b1 = require_pair(nufft(wave(1), k, 1e-9), samples(5), wave(1), nufft_adjoint[x, y](samples(5), k, 1e-9), 1e-7)
let field = 3 * white_noise[x, y](7)
let time = map q in [s, r] => 0.01 * index(q, r)
let b2 = require_pair(nufft_off_resonance(wave(1), k, field, time, 1e-9), samples(5), wave(1),
                      nufft_off_resonance_adjoint[x, y](samples(5), k, field, time, 1e-9), 1e-7)

fn require_encoding(E, x, y, weighed, bound) {
  let pair = require_pair(E.forward(x), weighed(y), x, E.adjoint(y), bound)
  let twice = E.adjoint(E.forward(x))
  let off = E.normal(x) - twice
  assert abs(inner(off, off)) < bound^2 * abs(inner(twice, twice)), "the normal operator is not A* A"
  assert abs(inner(x, twice)) <= E.bound * abs(inner(x, x)) * (1 + bound), "|A|^2 exceeds its bound"
  0
}

let maps = image(60)
let mask = 0.5 + norm2(modes(9)) / mean(norm2(modes(9)))
let areas = 0.5 + white_noise[s, r](9)^2
fn lines(i) = white_noise[coil, s, r](i) + 1i * white_noise[coil, s, r](i + 1)
let c1 = require_encoding(sense(maps, mask, coil), wave(1), centred_fft(image(5)^2, over = (x, y)), y => y, 1e-12)
let c2 = require_encoding(nufft_sense(maps, k, coil, areas, 1e-9), wave(1), lines(5), y => areas * y, 1e-7)
let c3 = require_encoding(off_resonance_sense(maps, k, coil, field, time, areas, 1e-9), wave(1), lines(5),
                          y => areas * y, 1e-7)
let c4 = require_encoding(denoising(), wave(1), wave(5), y => y, 1e-12)
