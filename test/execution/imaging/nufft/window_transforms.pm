// RUN: %python %S/check_window_transforms.py %t.npy
// RUN: %pmc %s -O0 --precision=f64 -o %t && %t --nodes=%t.npy --out %t.out --quiet --format=npy && %python %S/check_window_transforms.py %t.npy %t.out
// Windows and their transforms: those of the library are integrals of the windows. With cells from a tolerance, waves on grids that are finer by 2 and
// by 1.25 are interpolated as well as the tolerance says, against the waves themselves.

use nufft

dim e = 200
dim m = 25, w = 17
dim x = 64 over 64
dim j = 300
input nodes: field[e]  // of Gauss's quadrature

fn pair(window, transform, oversampling) =
  (window.weight(0.5 window.support * nodes), transform(0.5 / oversampling * nodes, window.support, oversampling))
fn transform_of(kind) = if kind == 0 then (xi, s, o) => kaiser_bessel_transform(xi, s, o)
                        else if kind == 1 then (xi, s, o) => semicircle_transform(xi, s, o)
                        else (xi, s, o) => prolate_transform(xi, s, o)
fn window_of(kind, s, o) =
  if kind == 0 then kaiser_bessel(s, o) else if kind == 1 then semicircle(s, o) else prolate(s, o)
output kaiser = for s in (3, 7, 12) => pair(kaiser_bessel(s), transform_of(0), 2)[0]
output kaiser_transforms = for s in (3, 7, 12) => pair(kaiser_bessel(s), transform_of(0), 2)[1]
output circle = for s in (8, 10, 13) => pair(semicircle(s), transform_of(1), 2)[0]
output circle_transforms = for s in (8, 10, 13) => pair(semicircle(s), transform_of(1), 2)[1]
output slepian = for s in (2, 5, 14) => pair(prolate(s), transform_of(2), 2)[0]
output slepian_transforms = for s in (2, 5, 14) => pair(prolate(s), transform_of(2), 2)[1]
output narrow = for s in (4, 9) => pair(prolate(s, 1.25), transform_of(2), 1.25)[0]
output narrow_transforms = for s in (4, 9) => pair(prolate(s, 1.25), transform_of(2), 1.25)[1]

let at = 64 * erf(white_noise[j](1))
check(w, 2.0, (1e-2, 1e-5, 1e-8, 1e-12), 2)
check(m, 1.25, (1e-3, 1e-9), 2)
check(w, 2.0, (1e-4, 1e-10), 1)
check(m, 1.25, (1e-4, 1e-6), 1)
check(m, 1.25, (1e-2, 1e-7), 0)
fn check(modes, oversampling, tolerances, kind) {
  let errors = for t in tolerances => {
    let s = nufft_support(t, oversampling)
    let waves = map q in [modes, x] => {
      let turns = (index(q, modes) - floor(cells(modes) / 2)) / 64
      exp(2i * pi * turns * index(q, x)) / transform_of(kind)(turns, s, oversampling)
    }
    let found = readout_at(waves, (at), window_of(kind, s, oversampling))
    let wrong = map q in found => found - exp(2i * pi * (index(q, modes) - floor(cells(modes) / 2)) / 64 * at)
    sqrt(mean(norm2(wrong))) / t
  }
  for e in errors => { print "{} {}: {} of the tolerance", kind, oversampling, e; e }
}
